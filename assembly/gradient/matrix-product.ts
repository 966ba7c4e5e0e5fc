// Products of matrices of f32. A part of the right matrix is packed into panels of 8 columns, and 4 rows at a time of
// the left one into a strip, so that the inner loop reads both from one end to the other. The sums of a tile, 4 rows of
// 8 columns, stay in registers.
import { storeColumns } from "../lanes";

/** The rows and the columns of a tile. */
const TALL: u32 = 4;
const WIDE: u32 = 8;

/** What is packed at a time, of the inner dimension and of the columns: PRODUCT_SCRATCH follows from these four. */
const STEPS: u32 = 256;
const COLUMNS: u32 = 512;

/**
 * out = a · b, or out + a · b. Sums go along `inner`, in parts of `STEPS` that are added one after the other.
 * @param a f32[rows][inner], or f32[inner][rows] if `transposedA`
 * @param b f32[inner][columns], or f32[columns][inner] if `transposedB`
 * @param out f32[rows][columns], apart from the others
 * @param scratch `PRODUCT_SCRATCH` bytes
 */
export function matrixProduct(
  a: usize,
  b: usize,
  out: usize,
  rows: u32,
  inner: u32,
  columns: u32,
  transposedA: bool,
  transposedB: bool,
  adds: bool,
  scratch: usize,
): void {
  const line = <usize>columns << 2;
  if (!inner && !adds) memory.fill(out, 0, rows * line);
  const downA: usize = transposedA ? 4 : <usize>inner << 2;
  const acrossA: usize = transposedA ? <usize>rows << 2 : 4;
  const downB: usize = transposedB ? 4 : line;
  const acrossB: usize = transposedB ? <usize>inner << 2 : 4;
  const strip = scratch + ((<usize>COLUMNS * STEPS) << 2);
  const tile = strip + ((<usize>TALL * STEPS) << 2);
  for (let column: u32 = 0; column < columns; column += COLUMNS) {
    const width = min<u32>(columns - column, COLUMNS);
    for (let step: u32 = 0; step < inner; step += STEPS) {
      const steps = min<u32>(inner - step, STEPS);
      const bytes = <usize>steps << 5;
      const fromB = b + step * downB + column * acrossB;
      for (let at: u32 = 0, to = scratch; at < width; at += WIDE, to += bytes)
        pack(fromB + at * acrossB, acrossB, downB, min(width - at, WIDE), WIDE, steps, to);
      for (let row: u32 = 0; row < rows; row += TALL) {
        const tall = min(rows - row, TALL);
        pack(a + row * downA + step * acrossA, downA, acrossA, tall, TALL, steps, strip);
        let to = out + row * line + (<usize>column << 2);
        for (let at: u32 = 0, panel = scratch; at < width; at += WIDE, panel += bytes, to += WIDE << 2) {
          if (tall == TALL && width - at >= WIDE) {
            multiply(strip, panel, steps, to, line, adds || step > 0);
          } else {
            multiply(strip, panel, steps, tile, WIDE << 2, false);
            copyTile(tile, to, line, tall, min(width - at, WIDE), adds || step > 0);
          }
        }
      }
    }
  }
}

/**
 * Interleaves lines: for each step, one number of each of them.
 * @param across the bytes from one line to the next
 * @param along the bytes from one step to the next
 * @param lines how many there are; the rest of `width` becomes 0
 */
function pack(from: usize, across: usize, along: usize, lines: u32, width: u32, steps: u32, to: usize): void {
  const wide = <usize>width << 2;
  let step: u32 = 0;
  if (ASC_FEATURE_SIMD) {
    if (lines == width) {
      if (across == 4) {
        for (; step < steps; step++, from += along, to += wide)
          for (let at: usize = 0; at < wide; at += 16) v128.store(to + at, v128.load(from + at));
      } else {
        for (; step + 4 <= steps; step += 4, from += 16, to += wide << 2)
          for (let at: usize = 0, line = from; at < wide; at += 16, line += across << 2) {
            const other = line + (across << 1);
            storeColumns(
              to + at,
              wide,
              v128.load(line),
              v128.load(line + across),
              v128.load(other),
              v128.load(other + across),
            );
          }
      }
    }
  }
  for (; step < steps; step++, from += along)
    for (let at: u32 = 0, line = from; at < width; at++, line += across, to += 4)
      store<f32>(to, at < lines ? load<f32>(line) : 0);
}

/** Writes the products of a strip and a panel to a tile whose rows are `line` bytes apart; or `adds` them. */
function multiply(strip: usize, panel: usize, steps: u32, tile: usize, line: usize, adds: bool): void {
  let end = strip + (<usize>steps << 4);
  if (ASC_FEATURE_SIMD) {
    const zero = f32x4.splat(0);
    let a0 = zero,
      a1 = zero,
      b0 = zero,
      b1 = zero,
      c0 = zero,
      c1 = zero,
      d0 = zero,
      d1 = zero;
    for (; strip < end; strip += 16, panel += 32) {
      const left = v128.load(panel),
        right = v128.load(panel, 16);
      const a = v128.load32_splat(strip);
      a0 = f32x4.add(a0, f32x4.mul(a, left));
      a1 = f32x4.add(a1, f32x4.mul(a, right));
      const b = v128.load32_splat(strip, 4);
      b0 = f32x4.add(b0, f32x4.mul(b, left));
      b1 = f32x4.add(b1, f32x4.mul(b, right));
      const c = v128.load32_splat(strip, 8);
      c0 = f32x4.add(c0, f32x4.mul(c, left));
      c1 = f32x4.add(c1, f32x4.mul(c, right));
      const d = v128.load32_splat(strip, 12);
      d0 = f32x4.add(d0, f32x4.mul(d, left));
      d1 = f32x4.add(d1, f32x4.mul(d, right));
    }
    storeRow(tile, a0, a1, adds);
    storeRow(tile + line, b0, b1, adds);
    storeRow(tile + 2 * line, c0, c1, adds);
    storeRow(tile + 3 * line, d0, d1, adds);
  } else {
    for (let row: u32 = 0; row < TALL; row++, tile += line, strip += 4, end += 4) {
      for (let at: usize = 0; at < 32; at += 16) {
        let a: f32 = 0,
          b: f32 = 0,
          c: f32 = 0,
          d: f32 = 0;
        for (let from = strip, other = panel + at; from < end; from += 16, other += 32) {
          const factor = load<f32>(from);
          a += factor * load<f32>(other);
          b += factor * load<f32>(other, 4);
          c += factor * load<f32>(other, 8);
          d += factor * load<f32>(other, 12);
        }
        put(tile + at, a, adds);
        put(tile + at + 4, b, adds);
        put(tile + at + 8, c, adds);
        put(tile + at + 12, d, adds);
      }
    }
  }
}

@inline
function storeRow(to: usize, left: v128, right: v128, adds: bool): void {
  v128.store(to, adds ? f32x4.add(v128.load(to), left) : left);
  v128.store(to, adds ? f32x4.add(v128.load(to, 16), right) : right, 16);
}

@inline
function put(to: usize, sum: f32, adds: bool): void {
  store<f32>(to, adds ? load<f32>(to) + sum : sum);
}

/** Writes the first rows and columns of a tile of its own; or `adds` them. */
function copyTile(tile: usize, to: usize, line: usize, rows: u32, columns: u32, adds: bool): void {
  for (let row: u32 = 0; row < rows; row++, tile += WIDE << 2, to += line)
    for (let at: usize = 0; at < <usize>columns << 2; at += 4) put(to + at, load<f32>(tile + at), adds);
}
