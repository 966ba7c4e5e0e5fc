// Expressions over the codes of a row, each true or false. A small machine runs an expression for LANES rows at a time,
// or for LANES codes of one axis in an otherwise unchanged row, so that it decodes an instruction once for all of them.
// Truths are bytes, 0 or 1, combined eight at a time. Values are doubles, with which all engines calculate alike.
import {
  EXPRESSION_ADD,
  EXPRESSION_AND,
  EXPRESSION_BITS,
  EXPRESSION_CONSTANT,
  EXPRESSION_DEPTH,
  EXPRESSION_DIVIDE,
  EXPRESSION_EQUAL,
  EXPRESSION_LESS,
  EXPRESSION_LESS_OR_EQUAL,
  EXPRESSION_MULTIPLY,
  EXPRESSION_NOT,
  EXPRESSION_OR,
  EXPRESSION_SUBTRACT,
  EXPRESSION_UNEQUAL,
  EXPRESSION_VALUES,
} from "../instructions";
import { MAX_ORDER } from "../layout";
import { QUERY_KIND_BYTES, noBytes, openNoState, queryKind } from "./kind";
import { codesOf, columnOf, orderOf, parametersOf } from "./query";

const LANES = 128;
const ONES: u64 = 0x0101010101010101;

const TRUTHS = memory.data(LANES * EXPRESSION_DEPTH, 16);
const VALUES = memory.data(8 * LANES * EXPRESSION_DEPTH, 16);
/** u32[LANES]: the cell of each lane. */
const CELLS = memory.data(4 * LANES, 16);
/** For each axis a pointer to the lanes' codes, and the bytes from one to the next: 2, or 0 if all are the same. */
const SOURCES = memory.data(8 * MAX_ORDER, 16);
/** i32[LANES]: what the code of each lane scores. */
const SCORES = memory.data(4 * LANES, 16);
/** u16[LANES]: codes of the axis that changes. */
const CODES = memory.data(2 * LANES, 16);

@inline
function countOf(query: usize): u32 {
  return load<u32>(parametersOf(query));
}

@inline
function isPartition(query: usize): bool {
  return load<u32>(parametersOf(query), 4) != 0;
}

@inline
function firstOf(query: usize): usize {
  return parametersOf(query) + 8;
}

@inline
function nextOf(expression: usize): usize {
  return expression + ((<usize>load<u32>(expression)) << 2);
}

/** Whether an expression's truth may change with the code of an axis. */
@inline
function dependsOn(expression: usize, axis: u32): bool {
  return ((load<u32>(expression, 4) >> axis) & 1) != 0;
}

@inline
function setSource(axis: u32, codes: usize, stride: usize): void {
  const source = SOURCES + (<usize>axis << 3);
  store<usize>(source, codes);
  store<usize>(source, stride, 4);
}

/** The lanes are rows from this one on. */
function readRows(query: usize, columns: usize, first: u32): void {
  for (let axis: u32 = 0; axis < orderOf(query); axis++)
    setSource(axis, load<usize>(columns + (<usize>columnOf(query, axis) << 2)) + (<usize>first << 1), 2);
}

/** The lanes are the row with the codes at CODES on an axis. */
function readCodes(query: usize, codes: usize, axis: u32): void {
  for (let other: u32 = 0; other < orderOf(query); other++)
    setSource(other, codes + (<usize>columnOf(query, other) << 1), 0);
  setSource(axis, CODES, 2);
}

/** Writes the truth of an expression in each of so many lanes to TRUTHS; what follows up to a multiple of 8 is 0. */
function run(query: usize, expression: usize, lanes: u32): void {
  const tables = parametersOf(query);
  const end = nextOf(expression);
  let truths = TRUTHS - LANES;
  let values = VALUES - 8 * LANES;
  for (let at = expression + 8; at < end; ) {
    const instruction = load<i32>(at);
    at += 4;
    if (instruction == EXPRESSION_CONSTANT) {
      values += 8 * LANES;
      fill(values, load<f64>(at), lanes);
      at += 8;
    } else if (instruction <= EXPRESSION_VALUES) {
      const source = SOURCES + ((<usize>load<u32>(at)) << 3);
      const table = tables + ((<usize>load<u32>(at, 4)) << 2);
      at += 8;
      if (instruction == EXPRESSION_BITS) {
        truths += LANES;
        lookUpBits(truths, source, table, lanes);
      } else {
        values += 8 * LANES;
        lookUpValues(values, source, table, lanes);
      }
    } else if (instruction <= EXPRESSION_DIVIDE) {
      values -= 8 * LANES;
      calculate(instruction, values, lanes);
    } else if (instruction <= EXPRESSION_UNEQUAL) {
      truths += LANES;
      values -= 16 * LANES;
      compare(instruction, truths, values + 8 * LANES, lanes);
    } else if (instruction == EXPRESSION_NOT) negate(truths, lanes);
    else {
      truths -= LANES;
      combine(instruction, truths, lanes);
    }
  }
  memory.fill(TRUTHS + lanes, 0, (8 - (lanes & 7)) & 7);
}

function fill(values: usize, value: f64, lanes: u32): void {
  for (const end = values + (<usize>lanes << 3); values < end; values += 8) store<f64>(values, value);
}

function lookUpBits(truths: usize, source: usize, table: usize, lanes: u32): void {
  const stride = load<usize>(source, 4);
  let codes = load<usize>(source);
  for (const end = truths + lanes; truths < end; truths++, codes += stride)
    store<u8>(truths, bitOf(table, load<u16>(codes)));
}

@inline
function bitOf(table: usize, code: usize): u8 {
  return (load<u8>(table + (code >> 3)) >> <u8>(code & 7)) & 1;
}

function lookUpValues(values: usize, source: usize, table: usize, lanes: u32): void {
  const stride = load<usize>(source, 4);
  let codes = load<usize>(source);
  for (const end = values + (<usize>lanes << 3); values < end; values += 8, codes += stride)
    store<f64>(values, load<f64>(table + ((<usize>load<u16>(codes)) << 3)));
}

/** Replaces the values by what an instruction makes of them and of the values on top of them. */
function calculate(instruction: i32, values: usize, lanes: u32): void {
  const end = values + (<usize>lanes << 3);
  if (instruction == EXPRESSION_ADD)
    for (; values < end; values += 8) store<f64>(values, load<f64>(values) + load<f64>(values, 8 * LANES));
  else if (instruction == EXPRESSION_SUBTRACT)
    for (; values < end; values += 8) store<f64>(values, load<f64>(values) - load<f64>(values, 8 * LANES));
  else if (instruction == EXPRESSION_MULTIPLY)
    for (; values < end; values += 8) store<f64>(values, load<f64>(values) * load<f64>(values, 8 * LANES));
  else
    for (; values < end; values += 8) {
      const divisor = load<f64>(values, 8 * LANES);
      store<f64>(values, divisor == 0 ? NaN : load<f64>(values) / divisor);
    }
}

/** Compares the values with those on top of them. */
function compare(instruction: i32, truths: usize, values: usize, lanes: u32): void {
  const end = truths + lanes;
  if (instruction == EXPRESSION_LESS)
    for (; truths < end; truths++, values += 8) store<u8>(truths, u8(load<f64>(values) < load<f64>(values, 8 * LANES)));
  else if (instruction == EXPRESSION_LESS_OR_EQUAL)
    for (; truths < end; truths++, values += 8)
      store<u8>(truths, u8(load<f64>(values) <= load<f64>(values, 8 * LANES)));
  else if (instruction == EXPRESSION_EQUAL)
    for (; truths < end; truths++, values += 8)
      store<u8>(truths, u8(load<f64>(values) == load<f64>(values, 8 * LANES)));
  else
    for (; truths < end; truths++, values += 8) {
      const left = load<f64>(values);
      const right = load<f64>(values, 8 * LANES);
      store<u8>(truths, u8(left < right) | u8(left > right));
    }
}

/** Replaces truths by what an instruction makes of them and of the truths on top of them, eight at a time. */
function combine(instruction: i32, truths: usize, lanes: u32): void {
  const end = truths + lanes;
  if (instruction == EXPRESSION_AND)
    for (; truths < end; truths += 8) store<u64>(truths, load<u64>(truths) & load<u64>(truths, LANES));
  else for (; truths < end; truths += 8) store<u64>(truths, load<u64>(truths) | load<u64>(truths, LANES));
}

function negate(truths: usize, lanes: u32): void {
  for (const end = truths + lanes; truths < end; truths += 8) store<u64>(truths, load<u64>(truths) ^ ONES);
}

/** Writes to CELLS the cell of a partition that each lane is in: the last one where no expression is true. */
function findCells(query: usize, lanes: u32): void {
  const count = countOf(query);
  const end = CELLS + (<usize>lanes << 2);
  for (let cell = CELLS; cell < end; cell += 4) store<u32>(cell, count);
  let expression = firstOf(query);
  for (let index: u32 = 0; index < count; index++, expression = nextOf(expression)) {
    run(query, expression, lanes);
    for (let cell = CELLS, truth = TRUTHS; cell < end; cell += 4, truth++)
      if (load<u8>(truth)) store<u32>(cell, min(load<u32>(cell), index));
  }
}

@inline
function cellOf(lane: u32): u32 {
  return load<u32>(CELLS + (<usize>lane << 2));
}

@inline
function truthOf(lane: u32): u32 {
  return load<u8>(TRUTHS + lane);
}

function answerRows(query: usize, columns: usize, rows: u32, out: usize): void {
  for (let first: u32 = 0; first < rows; first += LANES) {
    const lanes = min<u32>(LANES, rows - first);
    readRows(query, columns, first);
    if (isPartition(query)) {
      findCells(query, lanes);
      for (let lane: u32 = 0; lane < lanes; lane++) addTo(out, cellOf(lane), 1);
      continue;
    }
    let expression = firstOf(query);
    for (let index: u32 = 0, count = countOf(query); index < count; index++, expression = nextOf(expression)) {
      run(query, expression, lanes);
      addTo(out, index, sumOfTruths(lanes));
    }
  }
  // What is left here says something about the rows, which may be private.
  memory.fill(TRUTHS, 0, LANES * EXPRESSION_DEPTH);
  memory.fill(VALUES, 0, 8 * LANES * EXPRESSION_DEPTH);
  memory.fill(CELLS, 0, 4 * LANES);
}

/** The sum of the bytes of a number is its product's highest byte. */
function sumOfTruths(lanes: u32): i32 {
  let sum: u64 = 0;
  for (let at = TRUTHS, end = TRUTHS + lanes; at < end; at += 8) sum += (load<u64>(at) * ONES) >> 56;
  return <i32>sum;
}

@inline
function addTo(counts: usize, index: u32, amount: i32): void {
  const count = counts + (<usize>index << 2);
  store<i32>(count, load<i32>(count) + amount);
}

@inline
function residualOf(residuals: usize, index: u32): i32 {
  return load<i32>(residuals + (<usize>index << 2));
}

/** Two lanes: a row as it is, and with another code on an axis. */
function readChange(query: usize, codes: usize, axis: u32, value: u32): void {
  readCodes(query, codes, axis);
  store<u16>(CODES, load<u16>(codes + (<usize>columnOf(query, axis) << 1)));
  store<u16>(CODES, <u16>value, 2);
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
  readChange(query, codes, axis, value);
  if (isPartition(query)) {
    findCells(query, 2);
    const left = cellOf(0);
    const entered = cellOf(1);
    if (left == entered) return 0;
    return 2 * <i64>unit * (<i64>residualOf(residuals, left) - residualOf(residuals, entered) + unit);
  }
  let change: i64 = 0;
  let expression = firstOf(query);
  for (let index: u32 = 0, count = countOf(query); index < count; index++, expression = nextOf(expression)) {
    if (!dependsOn(expression, axis)) continue;
    run(query, expression, 2);
    const step = <i64>unit * (<i32>truthOf(1) - <i32>truthOf(0));
    change += step * (step - 2 * <i64>residualOf(residuals, index));
  }
  return change;
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
  readChange(query, codes, axis, value);
  if (isPartition(query)) {
    findCells(query, 2);
    addTo(residuals, cellOf(0), unit);
    addTo(residuals, cellOf(1), -unit);
    return;
  }
  let expression = firstOf(query);
  for (let index: u32 = 0, count = countOf(query); index < count; index++, expression = nextOf(expression)) {
    if (!dependsOn(expression, axis)) continue;
    run(query, expression, 2);
    addTo(residuals, index, unit * (<i32>truthOf(0) - <i32>truthOf(1)));
  }
}

/** Marks the codes of an axis that differ from those before them in a table of an expression. */
function markCodes(query: usize, axis: u32, marks: usize): void {
  const codes = codesOf(query, axis);
  let expression = firstOf(query);
  for (let index: u32 = 0, count = countOf(query); index < count; index++) {
    const next = nextOf(expression);
    for (let at = expression + 8; at < next; at += 4) {
      const instruction = load<i32>(at);
      if (instruction > EXPRESSION_CONSTANT) continue;
      if (instruction != EXPRESSION_CONSTANT && load<u32>(at, 4) == axis) {
        const table = parametersOf(query) + ((<usize>load<u32>(at, 8)) << 2);
        for (let code: u32 = 1; code < codes; code++)
          if (differs(instruction, table, code)) store<u16>(marks + (<usize>code << 1), 1);
      }
      at += 8;
    }
    expression = next;
  }
}

/** Whether a code's entry of a table is another than that of the code before it. */
function differs(instruction: i32, table: usize, code: usize): bool {
  if (instruction == EXPRESSION_BITS) return bitOf(table, code) != bitOf(table, code - 1);
  const value = load<f64>(table + (code << 3));
  const before = load<f64>(table + (code << 3) - 8);
  // Machines make different NaNs.
  return value != before && (value == value || before == before);
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
  readCodes(query, codes, axis);
  // The first lane is the row as it is, and each other one has the first code of a run.
  store<u16>(CODES, load<u16>(codes + (<usize>columnOf(query, axis) << 1)));
  let lanes: u32 = 1;
  let before: i32 = 0;
  for (let code: u32 = 0, end = codesOf(query, axis); code < end; code++) {
    const run = load<u16>(runOf + (<usize>code << 1));
    if (code && run == load<u16>(runOf + ((<usize>(code - 1)) << 1))) continue;
    store<u16>(CODES + (<usize>lanes << 1), <u16>code);
    lanes++;
    if (lanes < <u32>LANES && run + 1 < load<u16>(runOf + (<usize>end << 1))) continue;
    memory.fill(SCORES, 0, 4 * LANES);
    if (isPartition(query)) scoreCells(query, residuals, unit, lanes);
    else scoreTruths(query, residuals, axis, unit, lanes);
    let step = steps + ((<usize>(run + 2 - lanes)) << 2);
    for (let score = SCORES + 4, last = SCORES + (<usize>lanes << 2); score < last; score += 4, step += 4) {
      store<i32>(step, load<i32>(step) + load<i32>(score) - before);
      before = load<i32>(score);
    }
    lanes = 1;
  }
}

function scoreCells(query: usize, residuals: usize, unit: i32, lanes: u32): void {
  findCells(query, lanes);
  const left = cellOf(0);
  const leaving = residualOf(residuals, left) + unit;
  for (let lane: u32 = 1; lane < lanes; lane++) {
    const entered = cellOf(lane);
    if (entered != left) addTo(SCORES, lane, residualOf(residuals, entered) - leaving);
  }
}

function scoreTruths(query: usize, residuals: usize, axis: u32, unit: i32, lanes: u32): void {
  let expression = firstOf(query);
  for (let index: u32 = 0, count = countOf(query); index < count; index++, expression = nextOf(expression)) {
    if (!dependsOn(expression, axis)) continue;
    run(query, expression, lanes);
    const residual = residualOf(residuals, index);
    const present = truthOf(0);
    const gain = present ? -(residual + unit / 2) : residual - unit / 2;
    for (let lane: u32 = 1; lane < lanes; lane++) addTo(SCORES, lane, gain * <i32>(truthOf(lane) ^ present));
  }
}

export const EXPRESSIONS = queryKind(
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
