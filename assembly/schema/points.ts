// Where the values of decoded rows lie inside the bins and leaves that the search chose.
import { STREAM_DECODE } from "../layout";
import { drawWords, word } from "../philox";

/**
 * A column of grid points, each uniform in its code's run (of an empty leaf, the nearest run's). The i-th is drawn with
 * the i-th word of a stream of STREAM_DECODE.
 * @param out rows of u16, u32 or f64
 * @param width bytes per point: 2, 4 or 8
 * @param codes u16[rows]
 * @param starts f64[count]: the first point of each code's run, ascending; codes from `count` on are missing
 * @param points how many points the grid has, at most 2^53
 * @param missing what is stored for a missing cell
 * @param stream the stream's number
 */
export function drawPoints(
  out: usize,
  width: u32,
  codes: usize,
  rows: u32,
  starts: usize,
  count: u32,
  points: f64,
  missing: f64,
  seed: u32,
  stream: u32,
): void {
  for (let row: u32 = 0; row < rows; row++) {
    if (!(row & 15)) drawWords(seed, STREAM_DECODE, stream, row >> 4);
    const code = <u32>load<u16>(codes + (<usize>row << 1));
    let stored = missing;
    if (code < count) {
      const run = starts + (<usize>code << 3);
      const start = load<f64>(run);
      const end = code + 1 < count ? load<f64>(run, 8) : points;
      stored = min(points - 1, start + Math.floor((<f64>word(row) * (end - start)) / 4294967296));
    }
    if (width == 2) store<u16>(out + (<usize>row << 1), <u16>(<u32>stored));
    else if (width == 4) store<u32>(out + (<usize>row << 2), <u32>stored);
    else store<f64>(out + (<usize>row << 3), stored);
  }
}
