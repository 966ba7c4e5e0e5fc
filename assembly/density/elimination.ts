// Marginals of a box of weights, by summing out one axis after the other. What several marginals need is summed once.
import { DENSITY_SIZES, DENSITY_WIDTH, TABLE_AT, TABLE_AXIS_BYTES, TABLE_BYTES, TABLE_FREE } from "../density-layout";
import { TABLE_OFFSET, TABLE_ORDER } from "../density-layout";

let sizes: usize = 0;
let width: u32 = 0;
/** What sums are multiplied by before they are added to a table. */
let factor: f64 = 1;
/** The next sum that is added to a table. */
let source: usize = 0;

/**
 * Adds a box's marginals, times a factor, to tables (TABLE_FREE, TABLE_OFFSET).
 * @param box f64[], a weight for each combination of codes of its axes
 * @param axes the axes of the box, as bits
 * @param free scratch for as many weights
 * @param list u32[]: pointers to the TABLEs; `end` is their end, and scratch for `width` more such lists
 */
export function addMarginals(
  density: usize,
  box: usize,
  axes: u32,
  times: f64,
  free: usize,
  list: usize,
  end: usize,
): void {
  sizes = <usize>load<u32>(density, DENSITY_SIZES);
  width = load<u32>(density, DENSITY_WIDTH);
  factor = times;
  if (list < end) visit(box, axes, 0, free, list, end);
}

/**
 * Each set of axes is reached in one way: by summing out what is not in it in ascending order, after all that is in
 * none of the sets.
 * @param from the first axis that may be summed out
 * @param list the tables that can be reached from here
 */
function visit(box: usize, axes: u32, from: u32, free: usize, list: usize, end: usize): void {
  for (let at = list; at < end; at += 4) {
    const table = <usize>load<u32>(at);
    if (load<u32>(table, TABLE_FREE) != axes) continue;
    source = box;
    addTo(table, 0, axes, <usize>load<u32>(table, TABLE_AT) + ((<usize>load<u32>(table, TABLE_OFFSET)) << 3));
  }
  const unwanted = axes & ~wantedOf(list, end);
  if (unwanted) {
    const axis = ctz(unwanted);
    const rest = axes & ~(1 << axis);
    const bytes = sumOut(box, product(axes & ((1 << axis) - 1), 0), sizeOf(axis), product(axes, axis + 1), free);
    return visit(free, rest, from, free + bytes, list, end);
  }
  for (let axis = from; axis < width; axis++) {
    const bit: u32 = 1 << axis;
    if (!(axes & bit)) continue;
    const kept = axes & (bit - 1);
    let last = end;
    for (let at = list; at < end; at += 4) {
      const wanted = load<u32>(<usize>load<u32>(at), TABLE_FREE);
      if (wanted & bit || kept & ~wanted) continue;
      store<u32>(last, load<u32>(at));
      last += 4;
    }
    if (last == end) continue;
    const rest = axes ^ bit;
    const bytes = sumOut(box, product(kept, 0), sizeOf(axis), product(rest, axis), free);
    visit(free, rest, axis + 1, free + bytes, end, last);
  }
}

/** The axes that any of these tables has free. */
function wantedOf(list: usize, end: usize): u32 {
  let axes: u32 = 0;
  for (; list < end; list += 4) axes |= load<u32>(<usize>load<u32>(list), TABLE_FREE);
  return axes;
}

@inline
function sizeOf(axis: u32): usize {
  return <usize>load<u32>(sizes + (<usize>axis << 2));
}

/** The number of combinations of codes of those of these axes that are `from` or later. */
function product(axes: u32, from: u32): usize {
  let cells: usize = 1;
  for (let axis = from; axis < width; axis++) if (axes & (1 << axis)) cells *= sizeOf(axis);
  return cells;
}

/** Sums out the middle one of three axes. Returns the bytes of the sums. */
function sumOut(box: usize, outer: usize, size: usize, inner: usize, out: usize): usize {
  const line = inner << 3;
  const slab = size * line;
  const start = out;
  for (let left = outer; left; left--, box += slab) {
    const end = box + line;
    let first = box;
    if (ASC_FEATURE_SIMD)
      for (; first + 16 <= end; first += 16, out += 16) {
        let sum = v128.load(first);
        for (let at = first + line; at < first + slab; at += line) sum = f64x2.add(sum, v128.load(at));
        v128.store(out, sum);
      }
    for (; first < end; first += 8, out += 8) {
      let sum = load<f64>(first);
      for (let at = first + line; at < first + slab; at += line) sum += load<f64>(at);
      store<f64>(out, sum);
    }
  }
  return out - start;
}

/** Adds sums to the cells of a table, from its place-th axis on. */
function addTo(table: usize, place: u32, axes: u32, to: usize): void {
  const order = load<u32>(table, TABLE_ORDER);
  let axis = table + TABLE_BYTES + <usize>place * TABLE_AXIS_BYTES;
  while (place < order && !(axes & (1 << load<u32>(axis)))) {
    place++;
    axis += TABLE_AXIS_BYTES;
  }
  if (place == order) {
    store<f64>(to, load<f64>(to) + factor * load<f64>(source));
    source += 8;
    return;
  }
  const step = (<usize>load<u32>(axis, 4)) << 3;
  const end = to + sizeOf(load<u32>(axis)) * step;
  const isLast = !((axes >> load<u32>(axis)) >> 1);
  if (isLast) for (; to < end; to += step, source += 8) store<f64>(to, load<f64>(to) + factor * load<f64>(source));
  else for (; to < end; to += step) addTo(table, place + 1, axes, to);
}
