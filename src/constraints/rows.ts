import { StandinError } from "../core/errors.js";
import type { Instance } from "../engine/instance.js";
import { OK } from "../engine/layout.js";
import type { Constraint } from "./constraints.js";
import { inOrder, type Linked } from "./linked.js";
import { type LinkedRows, placeLinked } from "./struct.js";

/**
 * How many rows break each constraint of linked columns, in the constraints' order.
 * @param linked where their problem is placed in the engine, with the rows in each column
 */
export function countBroken(engine: Instance, { constraints }: Linked, linked: number, rows: number): number[] {
  const counts = new Map<Constraint, number>();
  for (const [index, constraint] of inOrder(constraints).entries())
    counts.set(constraint, engine.exports.countBroken(linked, index, rows) >>> 0);
  return constraints.map((constraint) => counts.get(constraint)!);
}

/**
 * Changes the stored codes of rows in an engine until all of them satisfy the constraints of linked columns;
 * `repairRows` in assembly/constraints/repair.ts says how.
 * @param columns the rows in each linked column; the codes that queries see become meaningless
 * @param seed of the random words
 */
export function repairLinked(
  engine: Instance,
  { problem }: Linked,
  columns: readonly LinkedRows[],
  rows: number,
  seed: number,
): void {
  if (engine.exports.repairRows(placeLinked(engine, problem, columns, seed), rows) === OK) return;
  throw new StandinError(
    "engine/memory",
    "The engine has no memory left for rows that satisfy the constraints: it can address 4 GiB.",
    "Make fewer rows.",
  );
}
