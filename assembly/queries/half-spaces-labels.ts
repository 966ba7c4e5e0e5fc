// What the code of a label changes in a search: not the sums of a row, but in which cells it is, or in which members.
import { ROLE_DIVIDED } from "../half-spaces-layout";
import { isAbove, membersOf, roleOf } from "./half-spaces-members";
import {
  State,
  addScore,
  addStep,
  cellBeside,
  cellBytes,
  codeIn,
  hasLabel,
  isInside,
  residualOf,
  setGains,
  strideOf,
  sumAt,
} from "./half-spaces-state";
import { columnOf, sizeOf } from "./query";

/** How the loss changes with the code of an axis without coordinates. */
export function lossOfLabel(
  query: usize,
  residuals: usize,
  state: State,
  codes: usize,
  axis: u32,
  value: u32,
  unit: i32,
): i64 {
  const code = codeIn(query, codes, axis);
  if (code == value) return 0;
  const isDivided = roleOf(query, axis) == ROLE_DIVIDED;
  const step = (<isize>value - code) * (<isize>strideOf(query, axis) << 2);
  const bytes = cellBytes(query);
  let residual = residualOf(query, residuals, codes);
  let change: i64 = 0;
  for (let member: u32 = 0, count = membersOf(query); member < count; member++, residual += bytes) {
    if (!isInside(query, sumAt(state, member))) continue;
    if (!isDivided && load<u16>(state.labelAxes + (<usize>member << 1)) != axis) continue;
    const label = load<u16>(state.labelCodes + (<usize>member << 1));
    if (isDivided || label == code) change += <i64>unit * (unit + 2 * <i64>load<i32>(residual));
    if (isDivided) change += <i64>unit * (unit - 2 * <i64>load<i32>(residual + step));
    else if (label == value) change += <i64>unit * (unit - 2 * <i64>load<i32>(residual));
  }
  return change;
}

/** The scores of the codes of a divided axis: every member that has the row has it in one cell. */
export function scoreCells(
  query: usize,
  residuals: usize,
  state: State,
  codes: usize,
  axis: u32,
  unit: i32,
  runOf: usize,
  steps: usize,
): void {
  const code = codeIn(query, codes, axis);
  const stride = <usize>strideOf(query, axis) << 2;
  const bytes = cellBytes(query);
  let cell = residuals + (<usize>cellBeside(query, codes, axis) << 2);
  for (let member: u32 = 0, count = membersOf(query); member < count; member++, cell += bytes) {
    if (!isInside(query, sumAt(state, member))) continue;
    const lost = load<i32>(cell + <usize>code * stride) + unit;
    for (let value: u32 = 0; value < sizeOf(query, axis); value++)
      if (value != code) addScore(steps, runOf, value, load<i32>(cell + <usize>value * stride) - lost);
  }
}

/** The scores of the codes of a label: of the members that ask for it, one has the row with one code alone. */
export function scoreLabels(
  query: usize,
  residuals: usize,
  state: State,
  codes: usize,
  axis: u32,
  unit: i32,
  runOf: usize,
  steps: usize,
): void {
  const code = codeIn(query, codes, axis);
  const half = unit >> 1;
  for (let member: u32 = 0, count = membersOf(query); member < count; member++, residuals += 4) {
    if (load<u16>(state.labelAxes + (<usize>member << 1)) != axis) continue;
    if (!isInside(query, sumAt(state, member))) continue;
    const label = load<u16>(state.labelCodes + (<usize>member << 1));
    const gain = load<i32>(residuals) + (label == code ? half : -half);
    addScore(steps, runOf, label, gain);
    if (label == code) addStep(steps, runOf, 0, -gain);
  }
}

/** Changes the code of an axis without coordinates: the sums remain, and the gains are those of other cells. */
export function moveLabel(
  query: usize,
  residuals: usize,
  state: State,
  codes: usize,
  axis: u32,
  value: u32,
  unit: i32,
): void {
  addMembers(query, residuals, state, codes, unit);
  const place = codes + (<usize>columnOf(query, axis) << 1);
  const code = load<u16>(place);
  // The row is left alone in the end: its code changes while its members and gains are those of the new one.
  store<u16>(place, value);
  addMembers(query, residuals, state, codes, -unit);
  setGains(query, residuals, state, codes, unit);
  store<u16>(place, code);
}

/** Adds to the residuals of all members that have the row. */
function addMembers(query: usize, residuals: usize, state: State, codes: usize, amount: i32): void {
  const bytes = cellBytes(query);
  let residual = residualOf(query, residuals, codes);
  for (let member: u32 = 0, count = membersOf(query); member < count; member++, residual += bytes)
    if (isInside(query, sumAt(state, member)) && hasLabel(query, state, member, codes))
      store<i32>(residual, load<i32>(residual) + amount);
}
