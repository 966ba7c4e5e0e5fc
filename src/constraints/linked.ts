import { thousands } from "../core/thousands.js";
import type { Field } from "../domain/field.js";
import { Instance } from "../engine/instance.js";
import { LINKED_LEFT, LINKED_WITNESS } from "../engine/layout.js";
import { wrong } from "../notation/validate.js";
import type { Constraint } from "./constraints.js";
import { largest, MOST_NUMBER, numberScale, placesOf, plainScale, type Scale } from "./scale.js";
import { type Problem, placeLinked } from "./struct.js";

/** Columns that constraints link, directly or through other columns. */
export interface Linked {
  /** Places among the modelled columns, ascending. The lists below are in this order. */
  readonly columns: readonly number[];
  readonly constraints: readonly Constraint[];
  /** The constraints as the engine takes them, with stored codes that satisfy them. */
  readonly problem: Problem;
}

/**
 * The largest number of combinations and values tried in the search for one row that satisfies the constraints of
 * linked columns.
 */
const MOST_TRIES = 1_000_000;
/**
 * Groups constraints by the columns that they link. For each group it finds values that satisfy all of its constraints
 * with no cell missing, because a constraint that only missing cells can pass is surely a mistake.
 * @param fields the modelled fields
 * @throws {StandinError} `schema/constraint-range` for numbers that cannot be compared exactly;
 *   `schema/constraint-unsatisfiable` if no such values exist, or none were found in a million tries
 */
export function linkColumns(constraints: readonly Constraint[], fields: readonly Field[]): Linked[] {
  return groupsOf(constraints).map((group) => {
    const columns = [...new Set(group.flatMap((constraint) => constraint.columns))].sort((a, b) => a - b);
    const problem = problemOf(columns, scalesOf(columns, group, fields), group);
    return {
      columns,
      constraints: group,
      problem: { ...problem, witness: witnessOf(columns, problem, group, fields) },
    };
  });
}

/** The constraints in groups that have no column in common. */
function groupsOf(constraints: readonly Constraint[]): Constraint[][] {
  let groups: Constraint[][] = [];
  for (const constraint of constraints) {
    const touched = groups.filter((group) => group.some(({ columns }) => shares(columns, constraint.columns)));
    groups = [...groups.filter((group) => !touched.includes(group)), [...touched.flat(), constraint]];
  }
  return groups;
}

const shares = (some: readonly number[], others: readonly number[]) => some.some((column) => others.includes(column));

function scalesOf(columns: readonly number[], group: readonly Constraint[], fields: readonly Field[]): Scale[] {
  const numeric = new Set(
    group.flatMap((constraint) => (constraint.kind === "combinations" ? [] : constraint.columns)),
  );
  const places = Math.max(0, ...[...numeric].map((column) => placesOf(fields[column])));
  const scales = columns.map((column) =>
    numeric.has(column) ? (numberScale(fields[column], places) ?? beyond(fields[column])) : plainScale(fields[column]),
  );
  for (const { kind, columns: summed } of group) {
    if (kind !== "sum") continue;
    const most = summed.slice(1).reduce((sum, column) => sum + largest(scales[columns.indexOf(column)]), 0);
    if (most >= MOST_NUMBER) beyond(fields[summed[0]]);
  }
  return scales;
}

function beyond({ name }: Field): never {
  throw wrong(
    "constraint-range",
    `The constraints on "${name}" would compare or add up numbers of more than 15 digits, decimal places included.`,
    "State a coarser granularity (standin.granularity) or tighter bounds, or take the constraint out.",
  );
}

type OfKind<Kind> = Extract<Constraint, { readonly kind: Kind }>;

const ofKind = <Kind extends Constraint["kind"]>(group: readonly Constraint[], kind: Kind) =>
  group.filter((constraint): constraint is OfKind<Kind> => constraint.kind === kind);

function problemOf(columns: readonly number[], scales: readonly Scale[], group: readonly Constraint[]): Problem {
  const placesOf = (constraint: Constraint) => constraint.columns.map((column) => columns.indexOf(column));
  return {
    scales,
    orders: ofKind(group, "order")
      .map(placesOf)
      .map(([lower, upper]) => [lower, upper]),
    sums: ofKind(group, "sum").map(placesOf),
    lists: ofKind(group, "combinations").map((constraint) => ({
      columns: placesOf(constraint),
      combinations: constraint.combinations,
      exempt: constraint.exempt,
    })),
  };
}

/** The constraints in the order in which the engine numbers them. */
export const inOrder = (group: readonly Constraint[]): Constraint[] => [
  ...ofKind(group, "order"),
  ...ofKind(group, "sum"),
  ...ofKind(group, "combinations"),
];

function witnessOf(
  columns: readonly number[],
  problem: Problem,
  group: readonly Constraint[],
  fields: readonly Field[],
): number[] {
  const { witness, exhausted } = findWitness(problem);
  if (witness) return witness;
  const alone = group.find((constraint) => !findWitness(problemOf(columns, problem.scales, [constraint])).witness);
  const texts = (alone ? [alone] : group).map(({ text }) => JSON.stringify(text));
  const which = texts.length > 1 ? `the constraints ${texts.join(", ")} together` : `the constraint ${texts[0]}`;
  const involved = alone ? alone.columns : columns;
  throw wrong(
    "constraint-unsatisfiable",
    exhausted
      ? `No row that satisfies ${which} with no cell missing was found in ${thousands(MOST_TRIES)} tries.`
      : `No row can satisfy ${which} with no cell missing: ${involved.map((column) => rangeOf(fields[column])).join(", ")}.`,
    "Correct the constraint, or the bounds, steps and categories of its columns.",
  );
}

/** Stored codes that satisfy all constraints, or whether the search for them gave up before it had tried everything. */
function findWitness(problem: Problem): { witness?: number[]; exhausted: boolean } {
  const engine = new Instance();
  const linked = placeLinked(engine, problem);
  const found = engine.exports.findWitness(linked, MOST_TRIES);
  const [witness, left] = [LINKED_WITNESS, LINKED_LEFT].map((field) => engine.readI32(linked + field, 1)[0]);
  const codes = found ? [...engine.readF64(linked + witness, problem.scales.length)] : undefined;
  engine.drop();
  return { witness: codes, exhausted: left < 0 };
}

/** The range of a column, for messages. */
function rangeOf({ name, domain, notation }: Field): string {
  if (domain!.kind === "category") return `"${name}" has ${thousands(domain!.labels.length)} categories`;
  const { minimum, step, scale, points } = domain!;
  const [first, last] = [0, points - 1].map((point) =>
    notation!.write({ units: minimum + BigInt(point) * step, scale }),
  );
  return `"${name}" is ${first} to ${last}`;
}
