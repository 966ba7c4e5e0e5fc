// What was measured of a table, in an engine, and what it adds to what is known of the table already.
import type { Calls } from "../engine/calls.js";
import { isInteraction } from "../queries/interaction.js";
import type { Measurement } from "../queries/measurement.js";
import type { Query } from "../queries/query.js";
import type { PlacedQuery } from "../queries/struct.js";

/** Noisy answers in the engine, with the QUERY structs of their query, and how many codes of each axis are ordered. */
export interface Evidence extends PlacedQuery {
  readonly measurement: Measurement;
  readonly answers: number;
  readonly ordered: number;
}

/** What the engine knows of a set of columns: its QUERY, pointers to its margins, how many codes are ordered. */
export interface PlacedSet {
  readonly query: number;
  readonly margins: number;
  readonly ordered: number;
}

/** A table of estimates, f64 each. */
export interface PlacedTable extends Omit<PlacedSet, "margins"> {
  readonly values: number;
  readonly cells: number;
  /** How many chains say something about it. */
  readonly chains: number;
  /** If public rows imply it: the variance of a count that follows from sampling, ÷ the count. */
  readonly sampling?: number;
}

/**
 * Memory to work in: room for a table each, but for four tables in `scratch`, and one for each chain in `chains` and
 * `grouped`. Sums and precisions are zeroed.
 */
export interface Room {
  readonly sums: number;
  readonly precisions: number;
  readonly scratch: number;
  readonly held: number;
  readonly wanted: number;
  readonly implied: number;
  readonly weights: number;
  readonly chains: number;
  readonly grouped: number;
}

/** Adds to what margins imply about a table what chains say, and whatever stands out from the noise of measurements. */
export function shrink(calls: Calls, table: PlacedTable, measured: readonly Evidence[], room: Room): void {
  const { query, values, cells, chains } = table;
  const { sums, precisions, scratch, implied, weights } = room;
  addEvidence(calls, query, measured, values, room);
  if (chains) {
    calls.add("copy", values, implied, 8 * cells);
    calls.add("fitChains", query, implied, room.chains, chains, sums, precisions, weights, scratch);
    calls.add("addChains", values, room.chains, chains, cells, weights);
  }
  addSignal(calls, table, chains ? implied : 0, room);
}

/** @param implied what margins alone imply about a table, or 0 if it is that, or what public rows imply */
export function addSignal(
  calls: Calls,
  { query, ordered, values, sampling }: Pick<PlacedTable, "query" | "ordered" | "values" | "sampling">,
  implied: number,
  { sums, precisions, scratch }: Room,
): void {
  if (sampling) calls.add("correctPublicTable", query, ordered, values, sums, precisions, sampling, scratch);
  else calls.add("shrinkTable", query, ordered, values, implied, sums, precisions, scratch);
}

/** @param expected the table without what was measured, which interactions say nothing about along some axes */
export function addEvidence(
  calls: Calls,
  query: number,
  measured: readonly Evidence[],
  expected: number,
  { sums, precisions, scratch }: Room,
): void {
  for (const { byCode, groups, centred, answers, measurement } of measured) {
    const own = groups?.[0] ?? byCode;
    const { sigma2 } = measurement;
    const into = [sums, precisions, scratch] as const;
    if (!centred) calls.add("addMargin", own, query, answers, sigma2, ...into);
    else calls.add("addInteraction", own, query, centred[1], answers, sigma2, expected, ...into);
  }
}

/**
 * Whether a measurement says something about some of its columns: an interaction does if it is centred along no others.
 */
export const tellsOf = (query: Query, some: readonly number[]): boolean =>
  !isInteraction(query) ||
  query.columns.every((column, axis) => query.centred?.[axis] === false || some.includes(column));
