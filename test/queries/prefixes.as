// The engine's side of the class: AssemblyScript, compiled by the test as assembly/queries/prefixes.ts.
import { QUERY_KIND_BYTES, noBytes, openNoState, queryKind } from "./kind";
import { columnOf, orderOf, parametersOf, sizeOf } from "./query";

@inline
function countOf(query: usize): u32 {
  return load<u32>(parametersOf(query));
}

@inline
function cornerOf(query: usize, index: u32, axis: u32): u32 {
  return load<u32>(parametersOf(query) + ((1 + <usize>index * orderOf(query) + axis) << 2));
}

function answerRows(query: usize, columns: usize, rows: u32, out: usize): void {
  for (let row: usize = 0; row < rows; row++)
    for (let index: u32 = 0; index < countOf(query); index++) {
      let holds: i32 = 1;
      for (let axis: u32 = 0; axis < orderOf(query); axis++) {
        const codes = <usize>load<u32>(columns + (<usize>columnOf(query, axis) << 2));
        if (<u32>load<u16>(codes + (row << 1)) >= cornerOf(query, index, axis)) holds = 0;
      }
      const count = out + (<usize>index << 2);
      store<i32>(count, load<i32>(count) + holds);
    }
}

/** 1 if the row gets below a corner, −1 if it leaves it, when its code on the axis becomes `value`. */
function stepOf(query: usize, index: u32, codes: usize, axis: u32, value: u32): i32 {
  for (let other: u32 = 0; other < orderOf(query); other++) {
    const code = <u32>load<u16>(codes + (<usize>columnOf(query, other) << 1));
    if (other != axis && code >= cornerOf(query, index, other)) return 0;
  }
  const code = <u32>load<u16>(codes + (<usize>columnOf(query, axis) << 1));
  const corner = cornerOf(query, index, axis);
  return i32(value < corner) - i32(code < corner);
}

function lossOfChange(
  query: usize,
  residuals: usize,
  _state: usize,
  codes: usize,
  axis: u32,
  value: u32,
  unit: i32,
): i64 {
  let change: i64 = 0;
  for (let index: u32 = 0; index < countOf(query); index++) {
    const step = <i64>unit * stepOf(query, index, codes, axis, value);
    change += step * (step - 2 * <i64>load<i32>(residuals + (<usize>index << 2)));
  }
  return change;
}

function markCodes(query: usize, axis: u32, marks: usize): void {
  for (let index: u32 = 0; index < countOf(query); index++)
    store<u16>(marks + (<usize>cornerOf(query, index, axis) << 1), 1);
}

function scoreCodes(
  query: usize,
  residuals: usize,
  _state: usize,
  codes: usize,
  axis: u32,
  unit: i32,
  runOf: usize,
  steps: usize,
): void {
  let before: i32 = 0;
  for (let value: u32 = 0; value < sizeOf(query, axis); value++) {
    const step = steps + (<usize>load<u16>(runOf + (<usize>value << 1)) << 2);
    const score = -(<i32>(lossOfChange(query, residuals, 0, codes, axis, value, unit) / (2 * unit)));
    store<i32>(step, load<i32>(step) + score - before);
    before = score;
  }
}

function moveResiduals(
  query: usize,
  residuals: usize,
  _state: usize,
  codes: usize,
  axis: u32,
  value: u32,
  unit: i32,
): void {
  for (let index: u32 = 0; index < countOf(query); index++) {
    const residual = residuals + (<usize>index << 2);
    store<i32>(residual, load<i32>(residual) - unit * stepOf(query, index, codes, axis, value));
  }
}

export const PREFIXES = queryKind(
  memory.data(QUERY_KIND_BYTES, 4),
  answerRows,
  noBytes,
  noBytes,
  openNoState,
  lossOfChange,
  markCodes,
  scoreCodes,
  moveResiduals,
);
