import type { Attribute } from "../../src/domain/attribute.js";
import type { Query } from "../../src/queries/query.js";
import type { RandomHalfSpaces } from "../../src/queries/random-half-spaces.js";
import type { Ranges } from "../../src/queries/ranges.js";
import { expressionAnswers } from "./expression.js";
import { halfSpacesAnswers } from "./half-spaces.js";
import { answers } from "./marginal.js";
import { rangesAnswers } from "./ranges.js";

/** The data of a search: targets in units of 2^-shift row, one array per query. */
export interface Problem {
  readonly attributes: readonly Attribute[];
  readonly queries: readonly Query[];
  readonly targets: readonly Int32Array[];
  readonly codes: readonly Uint16Array[];
  readonly shift: number;
  readonly seed: number;
}

/** The loss by definition: the sum of squared differences between targets and counts, over all cells of all levels. */
export function lossOf({ attributes, queries, targets, shift }: Problem, codes: readonly Uint16Array[]): bigint {
  let loss = 0n;
  for (const [index, query] of queries.entries()) {
    const counts = answersOf(query, attributes, codes);
    for (let cell = 0; cell < counts.length; cell++)
      loss += BigInt(targets[index][cell] - counts[cell] * 2 ** shift) ** 2n;
  }
  return loss;
}

function answersOf(query: Query, attributes: readonly Attribute[], codes: readonly Uint16Array[]): ArrayLike<number> {
  if (query.kind === "expression") return expressionAnswers(query, codes);
  if (query.kind === "random-half-spaces") return halfSpacesAnswers(query as RandomHalfSpaces, attributes, codes);
  return query.kind === "ranges"
    ? rangesAnswers(query as Ranges, attributes, codes)
    : answers(query, attributes, codes);
}

/** A table with one cell changed. */
export function changed(
  codes: readonly Uint16Array[],
  row: number,
  column: number,
  value: number,
): readonly Uint16Array[] {
  return codes.map((cells, index) => (index === column ? cells.with(row, value) : cells));
}

/** The columns that occur in some query, ascending. */
export function usedColumns(queries: readonly Query[]): number[] {
  return [...new Set(queries.flatMap(({ columns }) => columns))].sort((a, b) => a - b);
}
