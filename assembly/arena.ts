// One arena, growing upwards from the end of the static data. It is the engine's only allocator. Hosts allocate before
// they call, and re-create their views after any call that may grow the memory. No kernel allocates in a loop.
import { MOST_BYTES } from "./layout";

/** The memory grows by at least this many pages: every growth has a cost for the host. */
const STEP_PAGES = 16;
const MOST_PAGES: i32 = <i32>(MOST_BYTES >>> 16);

let top: usize = __heap_base;
/** Memory up to here may have been written to; above it, it is still zero. */
let used: usize = __heap_base;

/** Reserves `bytes` zeroed bytes, 16-byte aligned. Returns the pointer, or 0 where the memory cannot grow that far. */
export function alloc(bytes: usize): usize {
  const start = (top + 15) & ~15;
  const end = <u64>start + <u64>bytes;
  if (end > MOST_BYTES) return 0; // pointers near 2^32 would wrap
  const have = (<u64>memory.size()) << 16;
  if (end > have) {
    const pages = <i32>((end - have + 0xffff) >> 16);
    const step = min(max(pages, STEP_PAGES), MOST_PAGES - memory.size());
    if (memory.grow(step) < 0 && memory.grow(pages) < 0) return 0;
  }
  top = <usize>end;
  if (start < used) memory.fill(start, 0, min(top, used) - start);
  used = max(used, top);
  return start;
}

/** The current top of the arena, for `rewind`. */
export function mark(): usize {
  return top;
}

/** Frees everything reserved since `mark` returned `to`. */
export function rewind(to: usize): void {
  top = to;
}

/** Overwrites `bytes` bytes with zeros. */
export function clear(pointer: usize, bytes: usize): void {
  memory.fill(pointer, 0, bytes);
}

/** Copies `bytes` bytes from one place to another. The two may overlap. */
export function copy(from: usize, to: usize, bytes: usize): void {
  memory.copy(to, from, bytes);
}

/** Overwrites the whole arena with zeros, up to the end of the memory, and empties it, so that no row remains. */
export function wipe(): void {
  memory.fill(__heap_base, 0, ((<usize>memory.size()) << 16) - __heap_base);
  top = __heap_base;
  used = __heap_base;
}
