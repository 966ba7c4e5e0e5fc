// The release's key, and the streams of random words drawn under it. One stream is open at a time, and none is ever
// opened twice.
import { ITEM_REFUSED, KEY_BYTES, NO_KEY, OK, PURPOSE_RESERVOIR } from "../layout";
import { chachaBlocks } from "./chacha20";

const KEY = memory.data(32, 16);
const BUFFER_BLOCKS: u32 = 4;
const BUFFER_BYTES: usize = 256;
const BUFFER = memory.data(256, 16);

let keyed: bool = false;
let nextItem: u64 = 0;
let reservoirDrawn: bool = false;
let streamPurpose: u32 = 0;
let streamItem: u32 = 0;
let counter: u32 = 0;
let cursor: usize = 0;

/**
 * Moves the 32 bytes at `source` into the module, unless they are all zero, a second key, or not `admitted`. Zeros the
 * source.
 */
export function takeKey(source: usize, admitted: bool): bool {
  let any: u64 = 0;
  for (let at: usize = 0; at < <usize>KEY_BYTES; at += 8) any |= load<u64>(source + at);
  const taken = admitted && any != 0 && !keyed;
  if (taken) memory.copy(KEY, source, KEY_BYTES);
  memory.fill(source, 0, KEY_BYTES);
  keyed = keyed || taken;
  return taken;
}

/** Overwrites the key and the words that have not been drawn yet. */
export function eraseKey(): void {
  memory.fill(KEY, 0, KEY_BYTES);
  memory.fill(BUFFER, 0, BUFFER_BYTES);
  keyed = false;
  nextItem = 0;
  reservoirDrawn = false;
}

/**
 * Whether the stream of this item may be opened: OK, NO_KEY, or ITEM_REFUSED. Under one key, item numbers must
 * increase, whatever the items are for, so no two items share a stream.
 */
export function itemRefusal(item: u32): i32 {
  if (!keyed) return NO_KEY;
  return <u64>item < nextItem ? ITEM_REFUSED : OK;
}

/** Begins the stream of an item that `itemRefusal` has accepted. */
export function openItem(purpose: u32, item: u32): void {
  nextItem = <u64>item + 1;
  openStream(purpose, item);
}

/** Begins the reservoir's stream, which exists once per key: OK, NO_KEY, or ITEM_REFUSED. */
export function openReservoir(): i32 {
  if (!keyed) return NO_KEY;
  if (reservoirDrawn) return ITEM_REFUSED;
  reservoirDrawn = true;
  openStream(PURPOSE_RESERVOIR, 0);
  return OK;
}

function openStream(purpose: u32, item: u32): void {
  streamPurpose = purpose;
  streamItem = item;
  counter = 0;
  cursor = BUFFER + BUFFER_BYTES;
}

function refill(): void {
  chachaBlocks(KEY, streamPurpose, streamItem, counter, BUFFER_BLOCKS, BUFFER);
  counter += BUFFER_BLOCKS;
  if (counter == 0) unreachable(); // 256 GiB drawn: the block counter would repeat
  cursor = BUFFER;
}

/** A uniform word of the open stream. */
// @ts-ignore: decorator
@inline
export function word(): u32 {
  if (cursor == BUFFER + BUFFER_BYTES) refill();
  const drawn = load<u32>(cursor);
  cursor += 4;
  return drawn;
}

/**
 * A uniform integer in [0, bound), bound ≥ 1.
 *
 * Proof definition: exactly uniform if the words are. Each result is the high half of ⌊2^32/bound⌋ products, or of one
 * more. The (2^32 mod bound) words whose product has a low half below 2^32 mod bound are the surplus, and are drawn
 * again.
 * Source: Lemire, "Fast random integer generation in an interval", 2019, algorithm 5.
 */
// @ts-ignore: decorator
@inline
export function below(bound: u32): u32 {
  let product = <u64>word() * bound;
  if (<u32>product < bound) {
    const surplus = (<u32>0 - bound) % bound;
    while (<u32>product < surplus) product = <u64>word() * bound;
  }
  return <u32>(product >> 32);
}
