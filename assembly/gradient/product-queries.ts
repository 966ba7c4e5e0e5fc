// Queries of relaxed rows whose answers are the mean product of some lines' numbers, and how answers change with them.
// Rows are taken 16 at a time, so that what is looked up for a query is used often.
import { sumOfLanes } from "../lanes";

/** The bytes of 16 rows' numbers. */
const TOGETHER: usize = 64;

/** The product of the numbers of a row in some lines, times a factor; the line at `but` is left out. */
@inline
function productAt(x: usize, line: usize, lines: usize, end: usize, but: usize, factor: f32): f32 {
  for (; lines < end; lines += 4) if (lines != but) factor *= load<f32>(x + load<u32>(lines) * line);
  return factor;
}

/**
 * Writes the answers.
 * @param x f32[lines][rows], 1 row or more
 * @param lines u32[count][order], with an order of 1 or more
 * @param answers f32[count]
 */
export function productQueries(x: usize, rows: u32, lines: usize, order: u32, count: u32, answers: usize): void {
  const line = <usize>rows << 2;
  for (const last = answers + (<usize>count << 2); answers < last; answers += 4) {
    const end = lines + (<usize>order << 2);
    let row: usize = 0,
      sum: f32 = 0;
    if (ASC_FEATURE_SIMD) {
      let sums = f32x4.splat(0);
      for (; row + TOGETHER <= line; row += TOGETHER) {
        const first = x + row + load<u32>(lines) * line;
        let a = v128.load(first),
          b = v128.load(first, 16),
          c = v128.load(first, 32),
          d = v128.load(first, 48);
        for (let next = lines + 4; next < end; next += 4) {
          const other = x + row + load<u32>(next) * line;
          a = f32x4.mul(a, v128.load(other));
          b = f32x4.mul(b, v128.load(other, 16));
          c = f32x4.mul(c, v128.load(other, 32));
          d = f32x4.mul(d, v128.load(other, 48));
        }
        sums = f32x4.add(sums, f32x4.add(f32x4.add(a, b), f32x4.add(c, d)));
      }
      sum = sumOfLanes(sums);
    } else {
      let a: f32 = 0,
        b: f32 = 0,
        c: f32 = 0,
        d: f32 = 0;
      for (; row + TOGETHER <= line; row += TOGETHER) {
        a += fourProducts(x + row, line, lines, end);
        b += fourProducts(x + row + 4, line, lines, end);
        c += fourProducts(x + row + 8, line, lines, end);
        d += fourProducts(x + row + 12, line, lines, end);
      }
      sum = a + c + (b + d);
    }
    for (; row < line; row += 4) sum += productAt(x + row, line, lines, end, 0, 1);
    store<f32>(answers, sum / <f32>rows);
    lines = end;
  }
}

/** Those of four rows, four apart, added up. */
function fourProducts(x: usize, line: usize, lines: usize, end: usize): f32 {
  const first = productAt(x, line, lines, end, 0, 1) + productAt(x + 16, line, lines, end, 0, 1);
  return first + (productAt(x + 32, line, lines, end, 0, 1) + productAt(x + 48, line, lines, end, 0, 1));
}

/**
 * Adds to the slopes at the numbers, line after line, in the order of the places where the line occurs.
 * @param x f32[lines][rows], 1 row or more
 * @param lines u32[count][order], with an order of 1 or more
 * @param starts u32[width + 1]: line l occurs at `places[starts[l]]` to below `places[starts[l + 1]]` of `lines`
 * @param width the number of lines
 * @param slope f32[count], the slopes at the answers
 * @param into f32[lines][rows]
 */
export function productQueriesGradient(
  x: usize,
  rows: u32,
  lines: usize,
  order: u32,
  starts: usize,
  width: u32,
  places: usize,
  slope: usize,
  into: usize,
): void {
  const line = <usize>rows << 2;
  for (const last = starts + (<usize>width << 2); starts < last; starts += 4, into += line) {
    const end = places + ((<usize>load<u32>(starts, 4)) << 2);
    for (let at = places + ((<usize>load<u32>(starts)) << 2); at < end; at += 4) {
      const place = load<u32>(at);
      const query = place / order;
      const factor = load<f32>(slope + (<usize>query << 2)) / <f32>rows;
      addProducts(x, line, lines + ((<usize>(query * order)) << 2), order, lines + (<usize>place << 2), factor, into);
    }
  }
}

/** Adds a factor times the product of a query's lines but one to the numbers of a line. */
function addProducts(x: usize, line: usize, lines: usize, order: u32, but: usize, factor: f32, into: usize): void {
  const end = lines + (<usize>order << 2);
  let row: usize = 0;
  if (ASC_FEATURE_SIMD) {
    for (; row + TOGETHER <= line; row += TOGETHER) {
      let a = f32x4.splat(factor),
        b = a,
        c = a,
        d = a;
      for (let next = lines; next < end; next += 4) {
        if (next == but) continue;
        const other = x + row + load<u32>(next) * line;
        a = f32x4.mul(a, v128.load(other));
        b = f32x4.mul(b, v128.load(other, 16));
        c = f32x4.mul(c, v128.load(other, 32));
        d = f32x4.mul(d, v128.load(other, 48));
      }
      const to = into + row;
      v128.store(to, f32x4.add(v128.load(to), a));
      v128.store(to, f32x4.add(v128.load(to, 16), b), 16);
      v128.store(to, f32x4.add(v128.load(to, 32), c), 32);
      v128.store(to, f32x4.add(v128.load(to, 48), d), 48);
    }
  }
  for (; row < line; row += 4) {
    const to = into + row;
    store<f32>(to, load<f32>(to) + productAt(x + row, line, lines, end, but, factor));
  }
}
