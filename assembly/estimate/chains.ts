// What third columns say about a pair. If two columns are independent given a third one, the chain's tables imply
// theirs. Real columns follow several chains in part, so a pair is compared with a weighted sum of them.
import { addScaled, dot } from "../lanes";
import { TREE_LEVELS } from "../layout";
import { finestCells, isTree, orderOf } from "../queries/query";
import { changeTreeBasis } from "./hierarchy";
import { silence } from "./shrinkage";

/** The most chains that a pair is compared with. */
const MOST_CHAINS = 8;
/** Weights are expected to be 0, give or take ½: this is the inverse of their variance (a ridge penalty). */
const RIDGE: f64 = 4;

// f64[MOST_CHAINS][MOST_CHAINS + 1] each: inner products of chains, and of each with what was measured; and the
// equations that are left.
const PRODUCTS = memory.data((MOST_CHAINS * (MOST_CHAINS + 1)) << 3, 8);
const EQUATIONS = memory.data((MOST_CHAINS * (MOST_CHAINS + 1)) << 3, 8);

/**
 * The dependence of a pair, φ²: Σ (count − expected)² ÷ expected as a fraction of the total, where expected counts are
 * those of independent columns. Counts below 0 or above those of a code are taken for these: in cells where next to
 * nothing is expected, even little noise would be a strong dependence.
 * @param table f64[rows][columns]
 * @param first f64[rows]: the counts of the first column's codes, 0 or more
 * @param second f64[columns]: those of the second
 */
export function dependenceOf(table: usize, first: usize, rows: u32, second: usize, columns: u32, total: f64): f64 {
  const line = <usize>columns << 3;
  let sum: f64 = 0;
  for (const end = first + (<usize>rows << 3); first < end; first += 8, table += line)
    for (let at: usize = 0; at < line; at += 8) {
      const most = min<f64>(load<f64>(first), load<f64>(second + at));
      const expected = (load<f64>(first) * load<f64>(second + at)) / total;
      const beyond = max<f64>(0, min<f64>(load<f64>(table + at), most)) - expected;
      if (expected > 0) sum += (beyond * beyond) / expected;
    }
  return sum / total;
}

/**
 * The interaction, count − expected, that the ends of a chain of three columns have if they are independent given the
 * middle one. Estimates of a rare code's rows may say more than as many rows could: then all they say of it is scaled
 * down to that.
 * @param left f64[codes][rows]: the table of the middle and the first end, or f64[rows][codes] if `isLeftLast`
 * @param right f64[codes][columns]: that of the middle and the second end, or its transpose if `isRightLast`
 * @param middle f64[codes]: the counts of the middle column's codes, 0 or more
 * @param first f64[rows]: those of the first end
 * @param second f64[columns]: those of the second
 * @param out f64[rows][columns], replaced
 * @param scratch f64[codes·(rows + columns)]
 */
export function chainInteraction(
  left: usize,
  isLeftLast: bool,
  right: usize,
  isRightLast: bool,
  middle: usize,
  codes: u32,
  first: usize,
  rows: u32,
  second: usize,
  columns: u32,
  total: f64,
  out: usize,
  scratch: usize,
): void {
  const line = <usize>columns << 3;
  const others = scratch + ((<usize>codes * rows) << 3);
  layInteraction(left, isLeftLast, middle, codes, first, rows, total, scratch);
  layInteraction(right, isRightLast, middle, codes, second, columns, total, others);
  memory.fill(out, 0, rows * line);
  for (let code: u32 = 0; code < codes; code++) {
    const count = load<f64>(middle + (<usize>code << 3));
    if (!(count > 0)) continue;
    for (let row: u32 = 0; row < rows; row++) {
      const part = load<f64>(scratch + ((<usize>(code * rows + row)) << 3)) / count;
      if (part != 0) addScaled(out + row * line, others + code * line, part, columns);
    }
  }
}

/**
 * Writes f64[codes][size]: count − expected, with the middle column first. A code's numbers are scaled down so that
 * their magnitudes add up to twice its rows at most: so many there are if all rows are where none is expected.
 */
function layInteraction(
  table: usize,
  isLast: bool,
  middle: usize,
  codes: u32,
  counts: usize,
  size: u32,
  total: f64,
  out: usize,
): void {
  const across: usize = isLast ? <usize>codes << 3 : 8;
  const down: usize = isLast ? 8 : <usize>size << 3;
  for (let code: u32 = 0; code < codes; code++, table += down) {
    const count = load<f64>(middle + (<usize>code << 3));
    const end = out + (<usize>size << 3);
    let sum: f64 = 0;
    for (let at: usize = 0; out + at < end; at += 8) {
      const beyond = load<f64>(table + (at >> 3) * across) - (count / total) * load<f64>(counts + at);
      store<f64>(out + at, beyond);
      sum += abs<f64>(beyond);
    }
    const scale = sum > 2 * count ? (2 * count) / sum : 1;
    for (; out < end; out += 8) store<f64>(out, load<f64>(out) * scale);
  }
}

/**
 * Weights of chains, none below 0, so that their sum is closest to what was measured: least squares, where a cell
 * counts by the inverse of its variance from noise and chance. Cells whose margins leave them too little room do not.
 * @param query a QUERY with two axes
 * @param implied f64[cells]: the counts of independent columns
 * @param chains f64[count][cells]: interactions; unchanged, up to rounding for trees
 * @param count at most MOST_CHAINS
 * @param sums f64[cells] and
 * @param precisions f64[cells]: what was measured, in the form that `addMargin` produces
 * @param weights f64[count], replaced
 * @param scratch f64[3·cells]
 */
export function fitChains(
  query: usize,
  implied: usize,
  chains: usize,
  count: u32,
  sums: usize,
  precisions: usize,
  weights: usize,
  scratch: usize,
): void {
  const cells = finestCells(query);
  const bytes = <usize>cells << 3;
  const beyond = scratch;
  const parts = beyond + bytes;
  const other = parts + bytes;
  memory.copy(beyond, implied, bytes);
  changeTreeBasis(query, TREE_LEVELS, beyond, false);
  const byChance = !hasTree(query);
  for (let at: usize = 0; at < bytes; at += 8) {
    const precision = load<f64>(precisions + at);
    const expected = load<f64>(beyond + at);
    const variance = 1 / precision;
    store<f64>(beyond + at, load<f64>(sums + at) * variance - expected);
    store<f64>(parts + at, 1 / (variance + (byChance ? max<f64>(expected, 0) : 0)));
    store<f64>(other + at, sqrt<f64>(variance));
  }
  silence(query, implied, parts, other);
  for (let chain: u32 = 0; chain < count; chain++) changeTreeBasis(query, TREE_LEVELS, chains + chain * bytes, false);
  for (let chain: u32 = 0; chain < count; chain++) {
    const own = chains + chain * bytes;
    for (let at: usize = 0; at < bytes; at += 8) store<f64>(other + at, load<f64>(parts + at) * load<f64>(own + at));
    for (let next: u32 = 0; next < count; next++)
      store<f64>(entry(PRODUCTS, chain, next), dot(other, chains + next * bytes, cells) + (chain == next ? RIDGE : 0));
    store<f64>(entry(PRODUCTS, chain, MOST_CHAINS), dot(other, beyond, cells));
  }
  for (let chain: u32 = 0; chain < count; chain++) changeTreeBasis(query, TREE_LEVELS, chains + chain * bytes, true);
  solveAbove(count, weights);
}

function hasTree(query: usize): bool {
  for (let axis: u32 = 0; axis < orderOf(query); axis++) if (isTree(query, axis)) return true;
  return false;
}

@inline
function entry(matrix: usize, row: u32, column: u32): usize {
  return matrix + ((<usize>(row * (MOST_CHAINS + 1) + column)) << 3);
}

/** Solves the equations of PRODUCTS, without those chains that would have weights below 0. These get 0. */
function solveAbove(count: u32, weights: usize): void {
  let used: u32 = (1 << count) - 1;
  while (true) {
    solve(used, count, weights);
    let below: u32 = 0;
    for (let chain: u32 = 0; chain < count; chain++)
      if (load<f64>(weights + (<usize>chain << 3)) < 0) below |= 1 << chain;
    if (!below) return;
    used &= ~below;
  }
}

/** Gaussian elimination. The matrix is positive definite, so no rows need to be exchanged. */
function solve(used: u32, count: u32, weights: usize): void {
  memory.copy(EQUATIONS, PRODUCTS, (MOST_CHAINS * (MOST_CHAINS + 1)) << 3);
  memory.fill(weights, 0, <usize>count << 3);
  for (let pivot: u32 = 0; pivot < count; pivot++) {
    if (!((used >> pivot) & 1)) continue;
    for (let row = pivot + 1; row < count; row++) {
      const factor = load<f64>(entry(EQUATIONS, row, pivot)) / load<f64>(entry(EQUATIONS, pivot, pivot));
      addScaled(entry(EQUATIONS, row, 0), entry(EQUATIONS, pivot, 0), -factor, MOST_CHAINS + 1);
    }
  }
  for (let row = <i32>count - 1; row >= 0; row--) {
    if (!((used >> row) & 1)) continue;
    let rest = load<f64>(entry(EQUATIONS, row, MOST_CHAINS));
    for (let next = <u32>row + 1; next < count; next++)
      rest -= load<f64>(entry(EQUATIONS, row, next)) * load<f64>(weights + (<usize>next << 3));
    store<f64>(weights + (<usize>row << 3), rest / load<f64>(entry(EQUATIONS, row, row)));
  }
}

/**
 * Weights of chains for a pair that was not measured: in proportion to the dependence that each implies, 1 in total.
 * All are 0 if none implies any.
 * @param implied f64[cells]: the counts of independent columns
 * @param chains f64[count][cells]: interactions
 * @param weights f64[count], replaced
 */
export function weighChains(implied: usize, chains: usize, count: u32, cells: u32, weights: usize): void {
  const bytes = <usize>cells << 3;
  let all: f64 = 0;
  for (let chain: u32 = 0; chain < count; chain++, chains += bytes) {
    let sum: f64 = 0;
    for (let at: usize = 0; at < bytes; at += 8) {
      const expected = load<f64>(implied + at);
      const beyond = load<f64>(chains + at);
      if (expected > 0) sum += (beyond * beyond) / expected;
    }
    store<f64>(weights + (<usize>chain << 3), sum);
    all += sum;
  }
  if (all > 0)
    for (const end = weights + (<usize>count << 3); weights < end; weights += 8)
      store<f64>(weights, load<f64>(weights) / all);
}

/** table += Σ weight·chain. @param table f64[cells] @param chains f64[count][cells] */
export function addChains(table: usize, chains: usize, count: u32, cells: u32, weights: usize): void {
  for (let chain: u32 = 0; chain < count; chain++)
    addScaled(table, chains + ((<usize>chain * cells) << 3), load<f64>(weights + (<usize>chain << 3)), cells);
}
