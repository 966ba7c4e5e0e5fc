// The one block of memory that a search takes, and its parts, one after the other.
import { alloc } from "../arena";
import { MOST_BYTES } from "../layout";

// Where the next part goes.
let cursor: usize = 0;

/** Reserves the block, zeroed. Returns whether the memory suffices. */
export function takeFrom(bytes: f64): bool {
  cursor = bytes > <f64>MOST_BYTES ? 0 : alloc(<usize>bytes);
  return cursor != 0;
}

/** The next part of the block. */
export function take(bytes: usize): usize {
  const part = cursor;
  cursor += (bytes + 15) & ~15;
  return part;
}

/** The bytes that a part takes, in a sum that may exceed what a pointer holds. */
@inline
export function block(bytes: f64): f64 {
  return Math.ceil(bytes / 16) * 16;
}
