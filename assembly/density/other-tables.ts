// Tables that are scaled by the factors of a smaller one.
import { MOST_AXES, TABLE_AT } from "../density-layout";
import { axisOf, orderOf, sizeOf, strideOf } from "./density";

// u32[order of the larger one]: how far a step of each axis' code moves in the smaller one, in bytes.
const STEPS = memory.data(4 * MOST_AXES, 4);

/** Multiplies each cell by the factor of its codes in another table. Returns whether it has all axes of that. */
export function scaleOther(density: usize, table: usize, by: usize, factors: usize): bool {
  let found: u32 = 0;
  for (let place: u32 = 0; place < orderOf(table); place++) {
    const isShared = found < orderOf(by) && axisOf(by, found) == axisOf(table, place);
    store<u32>(STEPS + (<usize>place << 2), isShared ? strideOf(by, found++) << 3 : 0);
  }
  if (found < orderOf(by)) return false;
  scaleLine(density, table, 0, <usize>load<u32>(table, TABLE_AT), factors);
  return true;
}

function scaleLine(density: usize, table: usize, place: u32, to: usize, factors: usize): void {
  const step = <usize>load<u32>(STEPS + (<usize>place << 2));
  const stride = <usize>strideOf(table, place) << 3;
  const isLast = place + 1 == orderOf(table);
  for (let left = sizeOf(density, axisOf(table, place)); left; left--, to += stride, factors += step)
    if (isLast) store<f64>(to, load<f64>(to) * load<f64>(factors));
    else scaleLine(density, table, place + 1, to, factors);
}
