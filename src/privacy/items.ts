import { SCORE_L1, SCORE_MAX } from "../engine/layout.js";
import { cellsOf, classOf, type Query, structureOf } from "../queries/query.js";
import type { Attribute, Schema } from "../schema/schema.js";
import {
  type Neighbours,
  type Noise,
  noiseFor,
  RHO_UNIT,
  selectionNoise,
  squaredSensitivity,
  tooSmall,
  type Unit,
} from "./accounting.js";

// What one charge of the ledger pays for. Items lie in the order in which they are drawn; an item's place is its stream of noise.

/** Noisy answers to a query. */
export interface MeasurementItem {
  readonly kind: "measurement";
  /** Absent in a plan: the query is chosen by the selection before; structure and noise are then those of its worst candidate. */
  readonly query?: Query;
  readonly cells: number;
  /** The structure that the sensitivity follows from. */
  readonly partitions: number;
  readonly free: number;
  /** The share of the budget that the item may use, in ledger units; `noise.charge` is at most this. */
  readonly share: bigint;
  readonly noise: Noise;
}

/**
 * How wrong a candidate's targets are: the largest error of its cells (`max`), their sum (`l1`), or the sum weighted by the candidate's
 * part in the workload, less what noise alone would make of it (`aim`).
 */
export type Score = "max" | "l1" | "aim";

/** The choice of the worst of several queries. */
export interface SelectionItem {
  readonly kind: "selection";
  readonly score: Score;
  /** Of how many queries, and how many are chosen. */
  readonly candidates: number;
  readonly picks: number;
  /** The largest structure that a candidate has. */
  readonly partitions: number;
  readonly free: number;
  readonly share: bigint;
  /** Δ of the scores in counts, and what the ledger will be charged: at most the share. */
  readonly sensitivity: bigint;
  readonly charge: bigint;
}

export type Item = MeasurementItem | SelectionItem;

/** Weighted scores are held in units of 2^−16. */
const WEIGHT_BITS = 16;

/** A score as the engine computes it: its kind (SCORE_*), and the units, 2^−scaleBits, of its weights. */
export function scoreKind(score: Score): { kind: number; scaleBits: number } {
  return { kind: score === "max" ? SCORE_MAX : SCORE_L1, scaleBits: score === "aim" ? WEIGHT_BITS : 0 };
}

/** Who is protected from what, and in which columns queries are asked: all that sensitivities follow from. */
export interface SensitivityTerms {
  readonly schema: Pick<Schema, "attributes">;
  readonly neighbours: Neighbours;
  readonly unit: Unit;
}

/** A measurement of a query that is known. */
export type QueryItem = MeasurementItem & { readonly query: Query };

/** @throws {StandinError} `budget/too-small` */
export function measurementItem(query: Query, share: bigint, terms: SensitivityTerms): QueryItem {
  const { attributes } = terms.schema;
  const { partitions, free } = countsOf(query, attributes);
  const noise = noiseFor(positive(share), partitions, free, terms.neighbours, terms.unit);
  return { kind: "measurement", query, cells: cellsOf(query, attributes), partitions, free, share, noise };
}

/**
 * A measurement whose query will be one of the candidates. Whatever its structure, it is charged no more than the share, which the plan
 * therefore states; the noise is that of the largest structure.
 * @throws {StandinError} `budget/too-small`
 */
export function openItem(candidates: readonly Query[], share: bigint, terms: SensitivityTerms): MeasurementItem {
  const { attributes } = terms.schema;
  const { partitions, free } = largestStructure(candidates, terms);
  const noise = noiseFor(positive(share), partitions, free, terms.neighbours, terms.unit);
  const cells = candidates.reduce((most, query) => Math.max(most, cellsOf(query, attributes)), 0);
  return { kind: "measurement", cells, partitions, free, share, noise: { ...noise, charge: share } };
}

/**
 * The choice of `picks` of the candidates. Where their structures differ, the sensitivity is the largest.
 * @throws {StandinError} `budget/too-small`
 */
export function selectionItem(
  candidates: readonly Query[],
  { score, picks }: { score: Score; picks: number },
  share: bigint,
  terms: SensitivityTerms,
): SelectionItem {
  const { partitions, free } = largestStructure(candidates, terms);
  const { sensitivity, charge } = selectionNoise(
    ...([positive(share), picks, scoreKind(score)] as const),
    ...([partitions, free, terms.neighbours, terms.unit] as const),
  );
  return {
    kind: "selection",
    ...{ score, candidates: candidates.length, picks, partitions, free, share, sensitivity, charge },
  };
}

/** How many partitions and free predicates a query consists of. */
export function countsOf(query: Query, attributes: readonly Attribute[]): { partitions: number; free: number } {
  const { partitions, free } = structureOf(query, attributes);
  return { partitions: partitions.length, free };
}

/** The structure of which a unit changes most. */
function largestStructure(candidates: readonly Query[], terms: SensitivityTerms): { partitions: number; free: number } {
  const { schema, neighbours, unit } = terms;
  const change = ({ partitions, free }: { partitions: number; free: number }) =>
    squaredSensitivity(partitions, free, neighbours, unit);
  let largest = { partitions: 0, free: 0 };
  for (const query of candidates) {
    const counts = countsOf(query, schema.attributes);
    const isNew = counts.partitions !== largest.partitions || counts.free !== largest.free;
    if (isNew && change(counts) > change(largest)) largest = counts;
  }
  return largest;
}

/** What the ledger is charged for an item, at most. */
export const chargeOf = (item: Item): bigint => (item.kind === "selection" ? item.charge : item.noise.charge);

/** σ², exact: its 24 bits fit a double. */
export const sigma2Of = (item: MeasurementItem): number => item.noise.p * 2 ** -item.noise.k;

/** A measurement as plan and release print it; `columns` is null while its query is open. */
export function measurementJson(item: MeasurementItem, { attributes }: SensitivityTerms["schema"]) {
  const { kind, query, cells, partitions, free, noise } = item;
  return {
    kind,
    query: query?.kind ?? null,
    columns: query?.columns.map((column) => attributes[column].name) ?? null,
    ...(query && classOf(query).json(query)),
    cells,
    partitions,
    free,
    sensitivity: Math.sqrt(Number(noise.delta2)),
    sigma2: sigma2Of(item),
    rho: Number(noise.charge) * RHO_UNIT,
  };
}

/**
 * What a row adds to the mean answer of a measurement's partitions, since each counts it in one cell at most. While the
 * query is open, the least. Nothing is known beforehand of free predicates.
 */
function meanOfRow({ columns, partitions, free, cells }: MeasurementJson): number | undefined {
  return partitions ? (columns ? partitions : 1) / (cells - free) : undefined;
}

/** The noise on each answer of a measurement beside the mean of its answers, where the table has so many rows. */
export function noiseJson(item: MeasurementJson, rows: number): { sigma: number; meanCell?: number } {
  const mean = meanOfRow(item);
  return { sigma: Math.sqrt(item.sigma2), ...(mean !== undefined && { meanCell: rows * mean }) };
}

/**
 * The same before any data is seen: `readableFrom` is the least number of rows whose mean answer is no smaller than σ. The mean itself is known
 * where the number of rows is declared.
 */
export function plannedNoiseJson(
  item: MeasurementJson,
  publicRows: number | undefined,
): { sigma: number; readableFrom?: number; meanCell?: number } {
  const sigma = Math.sqrt(item.sigma2);
  const mean = meanOfRow(item);
  if (mean === undefined) return { sigma };
  return { sigma, readableFrom: Math.ceil(sigma / mean), ...(publicRows && { meanCell: publicRows * mean }) };
}

/** A selection as plan and release print it. */
export function selectionJson({
  kind,
  score,
  candidates,
  picks,
  partitions,
  free,
  sensitivity,
  charge,
}: SelectionItem) {
  return {
    ...{ kind, score, candidates, picks, partitions, free },
    sensitivity: Number(sensitivity),
    rho: Number(charge) * RHO_UNIT,
  };
}

export type MeasurementJson = ReturnType<typeof measurementJson>;
export type SelectionJson = ReturnType<typeof selectionJson>;

export const itemJson = (item: Item, schema: SensitivityTerms["schema"]): MeasurementJson | SelectionJson =>
  item.kind === "selection" ? selectionJson(item) : measurementJson(item, schema);

function positive(share: bigint): bigint {
  if (share > 0n) return share;
  throw tooSmall("is too small to be split over so many items", "measure a smaller workload");
}
