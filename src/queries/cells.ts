// Single cells of marginals, as queries of their own; and mechanisms that answer marginals alone.

import { StandinError } from "../core/errors.js";
import { optionText } from "../core/option-text.js";
import type { Attribute } from "../domain/attribute.js";
import { isColumnSet, type Query, shapesOf } from "./query.js";
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
  attributes: readonly Attribute[],
  isMarginal: (query: Query) => boolean = ({ kind }) => kind === "marginal",
): void {
  const others = queries.filter((query) => query.kind !== TOTAL.kind && !isMarginal(query));
  if (!others.length) return;
  const named = (places: Iterable<number>) => Array.from(places, (column) => `"${attributes[column].name}"`).join(", ");
  const sets = others.filter(isColumnSet);
  const trees = new Set(sets.flatMap(({ columns }) => columns.filter((column) => attributes[column].tree)));
  const [{ kind, columns }] = others;
  const search = optionText("mechanism", "private-gsd");
  throw trees.size
    ? new StandinError(
        "workload/not-marginals",
        `This mechanism answers tables of cells, and the workload has columns that are modelled as trees: ${named(trees)}.`,
        `Give them bins in the schema, such as "standin": { "bins": 32 }, or use a mechanism for trees (${search}).`,
      )
    : new StandinError(
        "workload/not-marginals",
        `This mechanism answers tables of cells, and the workload has a query of the class "${kind}" over ${named(columns)}.`,
        `Use ${search} for such queries, or leave them out.`,
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
