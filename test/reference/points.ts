import { word } from "./philox.js";

/** One point per code, uniform among those from the code's start up to the next one's; `missing` for further codes. */
export function points(
  codes: readonly number[],
  starts: readonly number[],
  count: number,
  missing: number,
  seed: number,
  purpose: number,
  stream: number,
): number[] {
  const ends = [...starts.slice(1), count];
  return codes.map((code, row) => {
    if (code >= starts.length) return missing;
    // word · width may have more bits than a double holds; it is rounded there, as the definition is in doubles.
    const within = Math.floor((word(seed, purpose, stream, row) * (ends[code] - starts[code])) / 2 ** 32);
    return Math.min(count - 1, starts[code] + within);
  });
}
