// Reads the parameters of queries of boxes.
import { RANGES_BOUNDS, RANGES_BOXES, RANGES_CELLS, RANGES_DIVIDED, RANGES_SIDES } from "../layout";
import { columnOf, orderOf, parametersOf, sizeOf } from "./query";

@inline
export function boxesOf(query: usize): u32 {
  return load<u32>(parametersOf(query), RANGES_BOXES);
}

/** The number of cells of a box. */
@inline
export function cellsIn(query: usize): u32 {
  return load<u32>(parametersOf(query), RANGES_CELLS);
}

/** The number of sides of a box. */
@inline
export function sidesIn(query: usize): u32 {
  return load<u32>(parametersOf(query), RANGES_SIDES);
}

/**
 * The first box. A box has `sidesIn` sides of two u32: an axis, and a bound, which is the first code of a range and,
 * above it, its width, u16 each. Sides of the same axis are equal.
 */
@inline
export function firstBox(query: usize): usize {
  return parametersOf(query) + RANGES_BOUNDS;
}

@inline
export function boxBytes(query: usize): usize {
  return <usize>sidesIn(query) << 3;
}

@inline
export function endOfBoxes(query: usize): usize {
  return firstBox(query) + <usize>boxesOf(query) * boxBytes(query);
}

@inline
export function axisOf(side: usize): u32 {
  return load<u32>(side);
}

@inline
export function boundOf(side: usize): u32 {
  return load<u32>(side, 4);
}

/** The first code of a range. */
@inline
export function startOf(bound: u32): u32 {
  return bound & 0xffff;
}

/** The code after the last one of a range. */
@inline
export function endOf(bound: u32): u32 {
  return (bound & 0xffff) + (bound >> 16);
}

@inline
export function isIn(code: u32, bound: u32): bool {
  return code - (bound & 0xffff) < bound >> 16;
}

/** The axes that the boxes divide, as bits. */
@inline
export function dividedOf(query: usize): u32 {
  return load<u32>(parametersOf(query), RANGES_DIVIDED);
}

@inline
export function isDivided(query: usize, axis: u32): bool {
  return ((dividedOf(query) >> axis) & 1) != 0;
}

/** The size of the part of a box that has one code on a divided axis and the first code on all before it. */
export function strideOf(query: usize, axis: u32): u32 {
  let stride: u32 = 1;
  for (let other = axis + 1; other < orderOf(query); other++)
    if (isDivided(query, other)) stride *= sizeOf(query, other);
  return stride;
}

/** The codes of an axis in a table of columns. */
@inline
export function columnAt(query: usize, columns: usize, axis: u32): usize {
  return load<usize>(columns + (<usize>columnOf(query, axis) << 2));
}
