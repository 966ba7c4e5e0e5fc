// The updates of MWEM (Hardt, Ligett and McSherry, NIPS 2012), with or without past answers (Liu, Vietri and Wu,
// NeurIPS 2021): weights grow where more was measured than they answer. (The text of the second paper has this sign
// wrong, and its code makes the newest update twice.)
import { MEASURED_NEXT } from "../density-layout";
import { STREAM_DENSITY } from "../layout";
import { below, drawWords, word } from "../philox";
import { addIterate, compareIterate, errorOf, measuredAt, multiply } from "./measured";
import { freshenAll } from "./weights";

/** Streams by id: those from here on are for the order of past answers. */
const ORDERS: u32 = 1 << 31;

/**
 * Updates a density by what was measured last, and then, in random order, by everything before about which it was at
 * least half as wrong.
 * @param index the number of what was measured last
 * @param hasPast whether to repeat updates of the past
 * @param repeats how often each update is made, with what is left of its error
 */
export function multiplyWeights(density: usize, index: u32, hasPast: bool, repeats: u32, seed: u32): void {
  const newest = measuredAt(density, index);
  freshenAll(density, true);
  const error = errorOf(density, newest);
  compareIterate(density, error);
  let count: u32 = 0;
  if (hasPast)
    for (let past: u32 = 0; past < index; past++)
      if (errorOf(density, measuredAt(density, past)) >= error / 2) setNext(density, count++, past);
  multiply(density, newest, repeats);
  // Fisher–Yates from the end: the i-th left is drawn by the i-th word of the stream.
  let drawn: u32 = -1;
  for (let left = count; left-- > 0; ) {
    if (left >> 4 != drawn) drawWords(seed, STREAM_DENSITY, ORDERS + index, (drawn = left >> 4));
    const place = below(left + 1, word(left));
    const past = nextAt(density, place);
    setNext(density, place, nextAt(density, left));
    multiply(density, measuredAt(density, past), repeats);
  }
  addIterate(density);
}

@inline
function setNext(density: usize, place: u32, past: u32): void {
  store<u32>(measuredAt(density, place), past, MEASURED_NEXT);
}

@inline
function nextAt(density: usize, place: u32): u32 {
  return load<u32>(measuredAt(density, place), MEASURED_NEXT);
}
