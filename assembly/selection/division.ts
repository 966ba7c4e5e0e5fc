// The error that is expected of a divided budget: how wrong tables will be if one-ways, a choice of tables and the
// chosen tables get certain parts. TypeScript compares divisions (src/selection/division.ts, which says where the
// constants come from).
import {
  CLAIM_BYTES,
  CLAIM_COST,
  CLAIM_OPEN,
  CLAIM_QUERY,
  CLAIM_WEIGHT,
  COUNTS_BYTES,
  COUNTS_SIZE,
  COUNTS_SUMS,
  DIVISION_CANDIDATE_WEIGHT,
  DIVISION_CANDIDATES,
  DIVISION_COLUMNS,
  DIVISION_COUNTS_AT,
  DIVISION_FIXED_WEIGHT,
  DIVISION_KEPT,
  DIVISION_KNOWN,
  DIVISION_LEAST_COUNT,
  DIVISION_LEAST_GROUPS,
  DIVISION_MOST_NOISE,
  DIVISION_MOST_WRONG,
  DIVISION_ONE_WAYS,
  DIVISION_ONE_WAYS_AT,
  DIVISION_ONE_WAYS_WEIGHT,
  DIVISION_RANKS,
  DIVISION_RANKS_AT,
  DIVISION_ROWS,
  DIVISION_SCRATCH,
  DIVISION_TABLES,
  DIVISION_TABLES_AT,
  DIVISION_TIMES,
  DIVISION_UNIT,
  RANK_BYTES,
  RANK_FROM,
  RANK_TO,
  RANK_WRONG,
} from "../division-layout";
import { mostGroups } from "../estimate/grouping";
import { columnOf, orderOf, sizeOf } from "../queries/query";

/**
 * The expected L1 error, summed over a workload.
 * @param division a DIVISION
 * @param picks the number of candidates that are chosen
 * @param again the part of the budget that buys more one-ways, 0 to 1
 * @param tables the part that buys tables, 0 to 1; with 0, no table is measured
 */
export function predictError(division: usize, picks: f64, again: f64, tables: f64): f64 {
  const candidates = load<f64>(division, DIVISION_CANDIDATES);
  const part = candidates ? picks / candidates : 0;
  const measured = load<f64>(division, DIVISION_FIXED_WEIGHT) + picks * load<f64>(division, DIVISION_CANDIDATE_WEIGHT);
  oneWayErrors(division, part, again, tables, measured);
  const errors = <usize>load<u32>(division, DIVISION_SCRATCH);
  let sum: f64 = 0;
  for (let index: u32 = 0, count = load<u32>(division, DIVISION_TABLES); index < count; index++) {
    const claim = tableAt(division, index);
    const query = queryOf(claim);
    let ofMargins: f64 = 0;
    for (let axis: u32 = 0; axis < orderOf(query); axis++) {
      const error = load<f64>(errors + (<usize>columnOf(query, axis) << 3));
      ofMargins += error * error;
    }
    const sigma = sigmaOf(division, claim, tables, measured);
    sum += orderOf(query) > 1 ? tableError(division, claim, sigma, part, ofMargins) : sqrt<f64>(ofMargins);
  }
  return load<f64>(division, DIVISION_TIMES) * sum;
}

/**
 * The expected errors of divisions with equally many chosen candidates. Each buys one step more of one-ways, and one
 * step less of tables, than the one before.
 * @param first how many steps the first of them buys of one-ways
 * @param count how many divisions there are
 * @param left how many steps buy one-ways or tables
 * @param steps the steps of the whole budget
 * @param errors f64[count]
 */
export function predictErrors(
  division: usize,
  picks: f64,
  first: u32,
  count: u32,
  left: u32,
  steps: u32,
  errors: usize,
): void {
  for (let again = first; again < first + count; again++, errors += 8) {
    const parts = <f64>steps;
    store<f64>(errors, predictError(division, picks, <f64>again / parts, <f64>(left - again) / parts));
  }
}

/**
 * Leaves in the scratch the error of each column's one-way, averaged over all measurements of its codes by inverse
 * variance. The error of a code is at most its count.
 * @param part the fraction of the candidates that is chosen
 * @param measured the weight of all tables that are measured
 */
function oneWayErrors(division: usize, part: f64, again: f64, tables: f64, measured: f64): void {
  const columns = load<u32>(division, DIVISION_COLUMNS);
  const precisions = <usize>load<u32>(division, DIVISION_SCRATCH);
  memory.fill(precisions, 0, <usize>columns << 3);
  const unit = load<f64>(division, DIVISION_UNIT);
  const weights = load<f64>(division, DIVISION_ONE_WAYS_WEIGHT);
  const bought = load<f64>(division, DIVISION_KNOWN) + again;
  for (let index: u32 = 0, count = load<u32>(division, DIVISION_ONE_WAYS); index < count; index++) {
    const claim = <usize>load<u32>(division, DIVISION_ONE_WAYS_AT) + index * CLAIM_BYTES;
    const precision = (bought * load<f64>(claim, CLAIM_WEIGHT)) / (weights * costOf(claim) * unit);
    add(precisions, columnOf(queryOf(claim), 0), precision);
  }
  for (let index: u32 = 0, count = load<u32>(division, DIVISION_TABLES); index < count; index++) {
    const claim = tableAt(division, index);
    if (costOf(claim) < 1) continue; // an interaction says nothing about single columns
    const query = queryOf(claim);
    const sigma = sigmaOf(division, claim, tables, measured);
    const most = mostOf(division, query, sigma);
    const alike = load<f64>(division, DIVISION_TIMES) * (load<u32>(claim, CLAIM_OPEN) ? part : 1);
    let cells: f64 = 1;
    for (let axis: u32 = 0; axis < orderOf(query); axis++) cells *= min<f64>(<f64>sizeOf(query, axis), most);
    for (let axis: u32 = 0; axis < orderOf(query); axis++) {
      const size = <f64>sizeOf(query, axis);
      if (size <= most) add(precisions, columnOf(query, axis), (alike * size) / (cells * (sigma * sigma)));
    }
  }
  for (let column: u32 = 0; column < columns; column++) {
    const place = precisions + (<usize>column << 3);
    const sigma = 1 / sqrt<f64>(load<f64>(place));
    const counts = countsOf(division, column);
    const below = codesBelow(counts, sigma);
    store<f64>(place, sigma * <f64>(load<u32>(counts, COUNTS_SIZE) - below) + rowsOf(counts, below));
  }
}

/**
 * The error of a table: the error of its margins and that of its interaction, added in quadrature. In codes above the
 * noise, the error of the interaction is the noise in as many directions as their margins have cells, or the
 * interaction itself if that is smaller. Elsewhere it is the interaction itself, as it is for candidates that are not
 * chosen.
 * @param part the fraction of the candidates that is chosen: those with the largest interactions
 * @param ofMargins the squared error of the margins
 */
function tableError(division: usize, claim: usize, sigma: f64, part: f64, ofMargins: f64): f64 {
  const query = queryOf(claim);
  const rows = load<f64>(division, DIVISION_ROWS);
  const least = load<f64>(division, DIVISION_LEAST_COUNT) * sigma;
  const most = mostOf(division, query, sigma);
  let told: f64 = 1;
  let cells: f64 = 1;
  for (let axis: u32 = 0; axis < orderOf(query); axis++) {
    const seen = seenOf(division, query, axis, most, least);
    cells *= seen;
    if (<f64>sizeOf(query, axis) > most) continue;
    const counts = countsOf(division, columnOf(query, axis));
    told *= 1 - rowsOf(counts, codesBelow(counts, least)) / rows;
  }
  let noise: f64 = 0;
  if (cells) {
    let directions: f64 = 0;
    for (let axis: u32 = 0; axis < orderOf(query); axis++)
      directions += cells / seenOf(division, query, axis, most, least);
    noise = load<f64>(division, DIVISION_KEPT) * sigma * sqrt<f64>(cells * directions);
  } else told = 0;
  if (!load<u32>(claim, CLAIM_OPEN))
    return whole(ofMargins, interactionError(load<f64>(division, DIVISION_MOST_WRONG) * rows, noise, told));
  let sum: f64 = 0;
  for (let index: u32 = 0, count = load<u32>(division, DIVISION_RANKS); index < count; index++) {
    const rank = <usize>load<u32>(division, DIVISION_RANKS_AT) + index * RANK_BYTES;
    const from = load<f64>(rank, RANK_FROM);
    const width = load<f64>(rank, RANK_TO) - from;
    const wrong = load<f64>(rank, RANK_WRONG) * rows;
    const chosen = max<f64>(0, min<f64>(1, (part - from) / width));
    const measured = chosen ? chosen * whole(ofMargins, interactionError(wrong, noise, told)) : 0;
    sum += width * (measured + (1 - chosen) * whole(ofMargins, wrong));
  }
  return sum;
}

/**
 * The error of a measured interaction.
 * @param most the interaction itself
 * @param told the fraction of the rows in codes above the noise; 0 where there are none
 */
function interactionError(most: f64, noise: f64, told: f64): f64 {
  if (!told) return most;
  const ratio = noise / (told * most);
  return (1 - told) * most + noise / sqrt<f64>(1 + ratio * ratio);
}

function whole(ofMargins: f64, error: f64): f64 {
  return sqrt<f64>(ofMargins + error * error);
}

/** How many codes, or groups of codes, of an axis are above the noise; groups all are. */
function seenOf(division: usize, query: usize, axis: u32, most: f64, least: f64): f64 {
  if (<f64>sizeOf(query, axis) > most) return most;
  const counts = countsOf(division, columnOf(query, axis));
  return <f64>(load<u32>(counts, COUNTS_SIZE) - codesBelow(counts, least));
}

/** The standard deviation of the noise on each answer of a table; infinite where no table is measured. */
function sigmaOf(division: usize, claim: usize, tables: f64, measured: f64): f64 {
  if (!tables) return Infinity;
  const variance = load<f64>(division, DIVISION_UNIT) * costOf(claim) * measured;
  return sqrt<f64>(variance / (tables * load<f64>(claim, CLAIM_WEIGHT)));
}

/** The most codes, or groups of codes, that an axis of a table has; infinite where nothing limits them. */
function mostOf(division: usize, query: usize, sigma: f64): f64 {
  if (sigma == Infinity) return Infinity;
  const cells = (load<f64>(division, DIVISION_MOST_NOISE) * load<f64>(division, DIVISION_ROWS)) / sigma;
  return mostGroups(query, cells, <f64>load<u32>(division, DIVISION_LEAST_GROUPS));
}

/** The number of a column's codes with fewer than `count` rows. */
function codesBelow(counts: usize, count: f64): u32 {
  const ascending = <usize>load<u32>(counts, COUNTS_SUMS);
  let low: u32 = 0;
  let high = load<u32>(counts, COUNTS_SIZE);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<f64>(ascending + (<usize>middle << 3)) < count) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The rows in a column's `codes` smallest codes. */
function rowsOf(counts: usize, codes: u32): f64 {
  return load<f64>(<usize>load<u32>(counts, COUNTS_SUMS) + ((<usize>(load<u32>(counts, COUNTS_SIZE) + codes)) << 3));
}

@inline
function countsOf(division: usize, column: u32): usize {
  return <usize>load<u32>(division, DIVISION_COUNTS_AT) + column * COUNTS_BYTES;
}

@inline
function tableAt(division: usize, index: u32): usize {
  return <usize>load<u32>(division, DIVISION_TABLES_AT) + index * CLAIM_BYTES;
}

@inline
function costOf(claim: usize): f64 {
  return load<f64>(claim, CLAIM_COST);
}

@inline
function queryOf(claim: usize): usize {
  return load<u32>(claim, CLAIM_QUERY);
}

@inline
function add(precisions: usize, column: u32, precision: f64): void {
  const place = precisions + (<usize>column << 3);
  store<f64>(place, load<f64>(place) + precision);
}
