import type { Attribute } from "../domain/attribute.js";
import { SCORE_ABOVE, SCORE_L1, SCORE_MAX } from "../engine/layout.js";
import { scaleOf } from "../queries/interaction.js";
import { cellsOf, classOf, type Query, structureOf } from "../queries/query.js";
import type { Schema } from "../schema/schema.js";
import {
  type ItemStructure,
  type Law,
  type Neighbours,
  type Noise,
  noiseFor,
  RHO_UNIT,
  selectionNoise,
  squaredSensitivity,
  type Unit,
} from "./accounting.js";
import { type CandidateGroup, candidateCount } from "./candidates.js";

// Items: each is what one charge of the ledger pays for. They are listed in the order in which they are drawn, and an
// item's position selects its noise stream.

/** A measurement: noisy answers to a query. */
export interface MeasurementItem {
  readonly kind: "measurement";
  /**
   * Absent in a plan where the preceding selection chooses the query. Structure and noise are then those of the worst
   * candidate.
   */
  readonly query?: Query;
  readonly cells: number;
  /** The query's structure, which determines the sensitivity. */
  readonly partitions: number;
  readonly free: number;
  readonly centred?: readonly number[];
  /** The share of the budget that the item may use, in ledger units; `noise.charge` is at most this. */
  readonly share: bigint;
  readonly noise: Noise;
}

/**
 * How wrong a candidate's targets are: the largest error of any cell (`max`), the sum of the errors (`l1`), or that sum
 * weighted by the candidate's part in the workload, less the error expected from noise alone (`aim`). By `signed`, how
 * far the counts are above the targets or, for a candidate that is a complement, below them.
 */
export type Score = (typeof SCORES)[number];
export const SCORES = ["max", "l1", "aim", "signed"] as const;

/** A selection: the choice of the worst of several queries. */
export interface SelectionItem {
  readonly kind: "selection";
  readonly score: Score;
  readonly law: Law;
  /** Weights of candidates are in units of 2^−scaleBits. */
  readonly scaleBits: number;
  /** The number of candidates, and how many of them are chosen. */
  readonly candidates: number;
  readonly picks: number;
  /** The largest structure of any candidate. */
  readonly partitions: number;
  readonly free: number;
  readonly share: bigint;
  /** The sensitivity Δ of the scores in counts, and what the ledger will be charged: at most the share. */
  readonly sensitivity: bigint;
  readonly charge: bigint;
}

export type Item = MeasurementItem | SelectionItem;

/** Weights that differ are held in units of 2^−16. */
const WEIGHT_BITS = 16;
/** The weight 1 in these units. */
export const WEIGHT_ONE = 2 ** WEIGHT_BITS;

/** The kind of a score as the engine computes it (SCORE_*). */
export const scoreKind = (score: Score): number =>
  ({ max: SCORE_MAX, l1: SCORE_L1, aim: SCORE_L1, signed: SCORE_ABOVE })[score];

/**
 * Everything that determines sensitivities: the columns that queries are asked about, the neighbouring relation and the
 * protected unit.
 */
export interface SensitivityTerms {
  readonly schema: Pick<Schema, "attributes">;
  readonly neighbours: Neighbours;
  readonly unit: Unit;
}

/** A measurement whose query is known. */
export type QueryItem = MeasurementItem & { readonly query: Query };

/**
 * @param shareOf the share of the budget that each query may use, in ledger units
 * @throws {StandinError} `budget/too-small`
 */
export function measurementItems(
  queries: readonly Query[],
  shareOf: (query: Query, at: number) => bigint,
  terms: SensitivityTerms,
): QueryItem[] {
  const { attributes } = terms.schema;
  const priced = queries.map((query, at) => ({ ...countsOf(query, attributes), share: shareOf(query, at) }));
  const noises = noiseFor(priced, terms.neighbours, terms.unit);
  return queries.map((query, at) => ({
    ...{ kind: "measurement", query, cells: cellsOf(query, attributes), ...priced[at], noise: noises[at] },
  }));
}

/** @throws {StandinError} `budget/too-small` */
export function measurementItem(query: Query, share: bigint, terms: SensitivityTerms): QueryItem {
  return measurementItems([query], () => share, terms)[0];
}

/**
 * A measurement whose query will be one of the candidates. Whatever the structure of that query, the charge is at most
 * the share, so this is what the plan states. The noise is that of the largest structure.
 * @throws {StandinError} `budget/too-small`
 */
export function openItem(
  candidates: readonly CandidateGroup[],
  share: bigint,
  terms: SensitivityTerms,
): MeasurementItem {
  const { attributes } = terms.schema;
  const { partitions, free } = largestStructure(candidates, terms);
  const [noise] = noiseFor([{ share, partitions, free }], terms.neighbours, terms.unit);
  const cells = candidates.reduce((most, { one }) => Math.max(most, cellsOf(one, attributes)), 0);
  return { kind: "measurement", cells, partitions, free, share, noise: { ...noise, charge: share } };
}

/** How a selection chooses `picks` candidates; `isWeighted`: these have different weights, of at most 1. */
export interface Choosing {
  readonly score: Score;
  readonly law?: Law;
  readonly picks: number;
  readonly isWeighted?: boolean;
}

/**
 * The choice of `picks` of the candidates. Where their structures differ, the largest sensitivity applies.
 * @throws {StandinError} `budget/too-small`
 */
export function selectionItem(
  candidates: readonly CandidateGroup[],
  how: Choosing,
  share: bigint,
  terms: SensitivityTerms,
): SelectionItem {
  return selectionItems(candidates, how, [share], terms)[0];
}

/** Several such choices, with a share each. @throws {StandinError} `budget/too-small` */
export function selectionItems(
  candidates: readonly CandidateGroup[],
  { score, law = "exponential", picks, isWeighted = false }: Choosing,
  shares: readonly bigint[],
  terms: SensitivityTerms,
): SelectionItem[] {
  const { partitions, free } = largestStructure(candidates, terms);
  const scaleBits = isWeighted ? WEIGHT_BITS : 0;
  return shares.map((share) => {
    const { sensitivity, charge } = selectionNoise(
      ...([share, picks, { kind: scoreKind(score), scaleBits, law }] as const),
      ...([partitions, free, terms.neighbours, terms.unit] as const),
    );
    return {
      kind: "selection",
      ...{ score, law, scaleBits, candidates: candidateCount(candidates), picks },
      ...{ partitions, free, share, sensitivity, charge },
    };
  });
}

/** The structure of a query, as far as sensitivities depend on it. */
export function countsOf(query: Query, attributes: readonly Attribute[]): ItemStructure {
  const { partitions, free, centred } = structureOf(query, attributes);
  return { partitions: partitions.length, free, ...(centred && { centred }) };
}

/** The structure that one unit can change the most. */
function largestStructure(candidates: readonly CandidateGroup[], terms: SensitivityTerms): ItemStructure {
  const { schema, neighbours, unit } = terms;
  const change = (structure: ItemStructure) => squaredSensitivity(structure, neighbours, unit);
  let largest: ItemStructure = { partitions: 0, free: 0 };
  for (const { one } of candidates) {
    const counts = countsOf(one, schema.attributes);
    const isNew = counts.partitions !== largest.partitions || counts.free !== largest.free;
    if (isNew && change(counts) > change(largest)) largest = counts;
  }
  return largest;
}

/** The most that the ledger is charged for an item. */
export const chargeOf = (item: Item): bigint => (item.kind === "selection" ? item.charge : item.noise.charge);

/** σ², exactly: its 24 bits fit in a double. */
export const sigma2Of = (item: MeasurementItem): number => item.noise.p * 2 ** -item.noise.k;

/**
 * A measurement as plan and release print it. `columns` is null while its query is open. If answers are in units of
 * less than a row, `scale` is how many of them make a row, and sensitivity and sigma2 are in these units, too.
 */
export function measurementJson(item: MeasurementItem, { attributes }: SensitivityTerms["schema"]) {
  const { kind, query, cells, partitions, free, noise } = item;
  const scale = scaleOf(item);
  return {
    kind,
    query: query?.kind ?? null,
    columns: query?.columns.map((column) => attributes[column].name) ?? null,
    ...(query && classOf(query).json(query)),
    cells,
    partitions,
    free,
    ...(scale > 1 && { scale }),
    sensitivity: Math.sqrt(Number(noise.delta2)),
    sigma2: sigma2Of(item),
    rho: Number(noise.charge) * RHO_UNIT,
  };
}

/**
 * How much one row adds to the mean answer of a measurement's partitions. Each partition counts the row in at most one
 * cell. While the query is open, this is the smallest possible value. For free predicates, nothing is known in advance.
 */
function meanOfRow({ columns, partitions, free, cells }: MeasurementJson): number | undefined {
  return partitions ? (columns ? partitions : 1) / (cells - free) : undefined;
}

/** The standard deviation of the noise on each answer, in rows. */
const sigmaOf = ({ sigma2, scale = 1 }: MeasurementJson): number => Math.sqrt(sigma2) / scale;

/** The noise on each answer of a measurement, next to the mean of its answers in a table with this many rows. */
export function noiseJson(item: MeasurementJson, rows: number): { sigma: number; meanCell?: number } {
  const mean = meanOfRow(item);
  return { sigma: sigmaOf(item), ...(mean !== undefined && { meanCell: rows * mean }) };
}

/**
 * The same before any data is seen. `readableFrom` is the smallest number of rows for which the mean answer is at least
 * σ. The mean itself is given where the number of rows is declared.
 */
export function plannedNoiseJson(
  item: MeasurementJson,
  publicRows: number | undefined,
): { sigma: number; readableFrom?: number; meanCell?: number } {
  const sigma = sigmaOf(item);
  const mean = meanOfRow(item);
  if (mean === undefined) return { sigma };
  return { sigma, readableFrom: Math.ceil(sigma / mean), ...(publicRows && { meanCell: publicRows * mean }) };
}

/** A selection as plan and release print it. */
export function selectionJson({
  kind,
  score,
  law,
  candidates,
  picks,
  partitions,
  free,
  sensitivity,
  charge,
}: SelectionItem) {
  return {
    ...{ kind, score, ...(law !== "exponential" && { law }), candidates, picks, partitions, free },
    sensitivity: Number(sensitivity),
    rho: Number(charge) * RHO_UNIT,
  };
}

export type MeasurementJson = ReturnType<typeof measurementJson>;
export type SelectionJson = ReturnType<typeof selectionJson>;

export const itemJson = (item: Item, schema: SensitivityTerms["schema"]): MeasurementJson | SelectionJson =>
  item.kind === "selection" ? selectionJson(item) : measurementJson(item, schema);
