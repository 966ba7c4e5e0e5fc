// Single cells of marginals, as queries of their own; and mechanisms that answer marginals alone.
import { StandinError } from "../core/errors.js";
import type { Attribute } from "../domain/attribute.js";
import { type Query, shapesOf } from "./query.js";
import type { Ranges } from "./ranges.js";
import { TOTAL } from "./total.js";

/** The query for one cell of a marginal: a box with one code of each of its columns. */
export function cellAt(marginal: Query, place: number, attributes: readonly Attribute[]): Ranges {
  const box: number[] = [];
  for (const size of [...shapesOf(marginal, attributes)[0]].reverse()) {
    box.unshift(place % size);
    place = Math.floor(place / size);
  }
  return { kind: "ranges", columns: marginal.columns, boxes: [box] };
}

/** Whether a query asks for cells, of marginals by code: all of one marginal, or single ones. */
export const asksForCells = (query: Query): boolean =>
  query.kind === "ranges"
    ? (query as Ranges).boxes.every((box) => box.every((side) => typeof side === "number"))
    : query.kind === "marginal" && !query.groups;

/**
 * Refuses workloads, and measurements, with queries other than marginals. A total passes.
 * @param isMarginal what counts as one
 * @throws {StandinError} `workload/not-marginals`
 */
export function expectMarginals(
  queries: readonly Query[],
  isMarginal: (query: Query) => boolean = ({ kind }) => kind === "marginal",
): void {
  const other = queries.find((query) => query.kind !== TOTAL.kind && !isMarginal(query));
  if (other)
    throw new StandinError(
      "workload/not-marginals",
      `This mechanism answers marginals, and the workload has a query of the class "${other.kind}".`,
      "Use private-gsd for such queries; columns with trees can have bins instead (standin.bins).",
    );
}

/**
 * The codes of some of the cells that a query asks for, one code for each of its columns, cell after cell.
 * @param query one that asks for cells
 * @param from, to the places of the first cell and of the one after the last
 */
export function codesOfCells(query: Query, attributes: readonly Attribute[], from: number, to: number): Uint32Array {
  if (query.kind === "ranges") return Uint32Array.from((query as Ranges).boxes.slice(from, to).flat() as number[]);
  const [shape] = shapesOf(query, attributes);
  const codes = new Uint32Array((to - from) * shape.length);
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    for (let at = axis, cell = from; cell < to; at += shape.length, cell++)
      codes[at] = Math.floor(cell / step) % shape[axis];
    step *= shape[axis];
  }
  return codes;
}
