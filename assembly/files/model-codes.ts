// The codes that queries see of the codes that a table stores.
import { alloc } from "../arena";

/** The largest number of equally wide runs of points whose codes are written down. */
const MOST_RUNS: f64 = 65536;
/** Marks a run whose points have several codes. No column has this many codes. */
const SEVERAL: u16 = 0xffff;

/** The points of a grid, cut into equally wide runs. */
@unmanaged
class Runs {
  /** f64[count]: the first point of each code, ascending. */
  starts: usize;
  count: u32;
  /** The stored code of missing; NaN if nothing can be missing. */
  missing: f64;
  /** Runs for a point: the inverse of a power of two, so multiplying by it is exact. */
  scale: f64;
  last: f64;
  /** u16[last + 1]: the code of each run's points. */
  codes: usize;
}

/**
 * Prepares a grid for `modelCodes`.
 * @param starts f64[count]: the first point of each code, ascending from 0; kept
 * @param points 1 … 2^53
 * @param missing the stored code of missing, which reads as the code `count`; NaN if nothing can be missing
 * @returns 0 where the memory does not suffice
 */
export function runsOpen(starts: usize, count: u32, points: f64, missing: f64): usize {
  let width: f64 = 1;
  while (points > MOST_RUNS * width) width *= 2;
  const scale = 1 / width;
  const last = <usize>((points - 1) * scale);
  const pointer = alloc(offsetof<Runs>());
  const codes = alloc((last + 1) << 1);
  if (!pointer || !codes) return 0;
  const runs = changetype<Runs>(pointer);
  runs.starts = starts;
  runs.count = count;
  runs.missing = missing;
  runs.scale = scale;
  runs.last = <f64>last;
  runs.codes = codes;
  memory.fill(codes, 0xff, (last + 1) << 1);
  for (let code: usize = 0; code < count; code++) {
    const end = code + 1 < count ? load<f64>(starts + ((code + 1) << 3)) : points;
    const after = <usize>Math.floor(end * scale);
    for (let run = <usize>Math.ceil(load<f64>(starts + (code << 3)) * scale); run < after; run++)
      store<u16>(codes + (run << 1), <u16>code);
  }
  return pointer;
}

/**
 * Writes the codes that queries see: for categories the stored code itself, for grids the code whose run contains the
 * point. Any code above the last one becomes that one.
 * @param pointer what `runsOpen` returned; 0 for categories
 * @param stored codes of `bytes` bytes: 2 (u16), 4 (u32) or 8 (f64)
 * @param last the column's last code, at most 65,535
 * @param out u16[rows]
 */
export function modelCodes(pointer: usize, stored: usize, bytes: u32, rows: u32, last: u32, out: usize): void {
  const end = out + (<usize>rows << 1);
  if (!pointer) {
    for (; out < end; out += 2, stored += 2) store<u16>(out, min<u32>(load<u16>(stored), last));
    return;
  }
  const runs = changetype<Runs>(pointer);
  if (bytes == 2) codesIn<u16>(runs, stored, last, out, end);
  else if (bytes == 4) codesIn<u32>(runs, stored, last, out, end);
  else codesIn<f64>(runs, stored, last, out, end);
}

function codesIn<T>(runs: Runs, stored: usize, last: u32, out: usize, end: usize): void {
  const missing = runs.missing;
  const scale = runs.scale;
  const lastRun = runs.last;
  const codes = runs.codes;
  for (; out < end; out += 2, stored += sizeof<T>()) {
    const point = <f64>load<T>(stored);
    let code = runs.count;
    if (point != missing) {
      const run = <usize>min(max(point * scale, 0), lastRun);
      code = load<u16>(codes + (run << 1));
      if (code == SEVERAL) code = codeOf(runs, point);
    }
    store<u16>(out, min(code, last));
  }
}

/** The last code that starts at or before a point. */
function codeOf(runs: Runs, point: f64): u32 {
  const starts = runs.starts;
  let low: u32 = 0;
  let high = runs.count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (load<f64>(starts + (<usize>middle << 3)) <= point) low = middle;
    else high = middle - 1;
  }
  return low;
}
