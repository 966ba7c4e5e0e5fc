// Terms that depend on one column, for each of its codes. A code may stand for an interval of values, so a value has
// bounds, and a truth that is not the same in the whole interval is undecided.
import { thousands } from "../core/thousands.js";
import { type CodeValues, codeValues, pointsIn, pointText, pointValue } from "../domain/code-values.js";
import type { Columns } from "../domain/columns.js";
import type { Field } from "../domain/field.js";
import { coarserStep, type Grid, MOST_FINE_POINTS, startsOf } from "../domain/grid.js";
import { type Connection, calculate, type Truth, type Value } from "./expression-terms.js";
import { refusal } from "./expression-tokens.js";

const UNDECIDED = 2;

/** The bounds of a value; both are NaN where there is none. */
type Bounds = readonly [low: number, high: number];
const NOTHING: Bounds = [Number.NaN, Number.NaN];
const ANYTHING: Bounds = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

type Comparison = "<" | "<=" | "==" | "!=";

/** A term of one column whose places are in this text. */
export interface OneColumn {
  readonly text: string;
  readonly column: number;
  readonly columns: Columns;
}

/**
 * Whether a term holds, 0 or 1, for each code of the one column that it depends on.
 * @throws {StandinError} `workload/expression` if it holds for some values of a code, and for others not
 */
export function truthTable(term: Truth, where: OneColumn): Uint8Array {
  const { attributes } = where.columns;
  const values = codeValues(fieldOf(where), attributes[where.column]);
  const table = foldTruth(term, values);
  const code = table.indexOf(UNDECIDED);
  if (code >= 0) throw undecided(term, values, code, where);
  return table;
}

/**
 * The value of a term, NaN for none, for each code of the one column that it depends on.
 * @throws {StandinError} `workload/expression` if a code has several values
 */
export function valueTable(term: Value, where: OneColumn): Float64Array {
  const { attributes } = where.columns;
  const { lows, highs } = foldValue(term, codeValues(fieldOf(where), attributes[where.column]));
  const code = lows === highs ? -1 : lows.findIndex((low, at) => low < highs[at]);
  if (code >= 0) throw several(term, code, where);
  return lows;
}

function fieldOf({ column, columns }: OneColumn): Field {
  return columns.fields.find(({ attribute }) => attribute === column)!;
}

function foldValue(term: Value, values: CodeValues): CodeValues {
  const { length } = values.lows;
  if (term.op === "constant") return exact(new Float64Array(length).fill(term.value));
  if (term.op === "column") {
    const { rename } = term;
    return rename ? exact(values.lows.map((code) => rename[code] ?? Number.NaN)) : values;
  }
  const [left, right] = term.of.map((part) => foldValue(part, values));
  if (left.lows === left.highs && right.lows === right.highs)
    return exact(left.lows.map((low, code) => calculate(term.op, low, right.lows[code])));
  const [lows, highs] = [new Float64Array(length), new Float64Array(length)];
  for (let code = 0; code < length; code++)
    [lows[code], highs[code]] = bounded(term.op, boundsAt(left, code), boundsAt(right, code));
  return { lows, highs };
}

const exact = (values: Float64Array): CodeValues => ({ lows: values, highs: values });
const boundsAt = ({ lows, highs }: CodeValues, code: number): Bounds => [lows[code], highs[code]];

/** The bounds of a result. Rounding keeps the order of numbers, so they are results of the operands' bounds. */
function bounded(op: "+" | "-" | "*" | "/", left: Bounds, right: Bounds): Bounds {
  if (Number.isNaN(left[0]) || Number.isNaN(right[0])) return NOTHING;
  if (left[0] === left[1] && right[0] === right[1]) {
    const result = calculate(op, left[0], right[0]);
    return [result, result];
  }
  if (op === "/" && right[0] <= 0 && right[1] >= 0) return right[0] === right[1] ? NOTHING : ANYTHING;
  const results = left.flatMap((one) => right.map((other) => calculate(op, one, other)));
  return results.some(Number.isNaN) ? ANYTHING : [Math.min(...results), Math.max(...results)];
}

function foldTruth(term: Truth, values: CodeValues): Uint8Array {
  if ("parts" in term) return connected(term, values);
  const truths = new Uint8Array(values.lows.length);
  if ("sides" in term) {
    const [left, right] = term.sides.map((side) => foldValue(side, values));
    if (left.lows === left.highs && right.lows === right.highs) compareValues(term.op, left.lows, right.lows, truths);
    else
      for (let code = 0; code < truths.length; code++)
        truths[code] = compare(term.op, boundsAt(left, code), boundsAt(right, code));
    return truths;
  }
  const value = foldValue(term.value, values);
  if (term.op === "missing") return truths.map((_, code) => Number(Number.isNaN(value.lows[code])));
  const among = Float64Array.from(term.among).sort();
  return truths.map((_, code) => isAmong(boundsAt(value, code), among, term.op === "in"));
}

/** Parts one after the other: there may be thousands of them, each with a truth for each code. */
function connected({ op, parts: [first, ...others] }: Connection, values: CodeValues): Uint8Array {
  const truths = foldTruth(first, values);
  if (op === "not") return truths.map((truth) => (truth === UNDECIDED ? UNDECIDED : 1 - truth));
  const decisive = op === "or" ? 1 : 0;
  for (const part of others) {
    const more = foldTruth(part, values);
    for (let code = 0; code < more.length; code++)
      if (truths[code] !== decisive && more[code] !== 1 - decisive) truths[code] = more[code];
  }
  return truths;
}

/** @param among ascending */
function isAmong([low, high]: Bounds, among: Float64Array, wanted: boolean): number {
  if (Number.isNaN(low)) return 0;
  let [from, to] = [0, among.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (among[middle] < low) from = middle + 1;
    else to = middle;
  }
  if (!(among[from] <= high)) return Number(!wanted);
  return low === high ? Number(wanted) : UNDECIDED;
}

/** Compares single values. One that is NaN is in no relation to any other. */
function compareValues(op: Comparison, left: Float64Array, right: Float64Array, truths: Uint8Array): void {
  const { length } = truths;
  if (op === "<") for (let code = 0; code < length; code++) truths[code] = +(left[code] < right[code]);
  else if (op === "<=") for (let code = 0; code < length; code++) truths[code] = +(left[code] <= right[code]);
  else if (op === "==") for (let code = 0; code < length; code++) truths[code] = +(left[code] === right[code]);
  else for (let code = 0; code < length; code++) truths[code] = +(left[code] < right[code] || left[code] > right[code]);
}

function compare(op: Comparison, left: Bounds, right: Bounds): number {
  if (Number.isNaN(left[0]) || Number.isNaN(right[0])) return 0;
  if (op === "<") return decided(left[1] < right[0], left[0] >= right[1]);
  if (op === "<=") return decided(left[1] <= right[0], left[0] > right[1]);
  const isSame = left[0] === right[1] && left[1] === right[0];
  const isApart = left[1] < right[0] || right[1] < left[0];
  return op === "==" ? decided(isSame, isApart) : decided(isApart, isSame);
}

const decided = (isTrue: boolean, isFalse: boolean): number => (isTrue ? 1 : isFalse ? 0 : UNDECIDED);

/** The error for a truth that is undecided for a code: it names the first comparison that is. */
function undecided(term: Truth, values: CodeValues, code: number, where: OneColumn): Error {
  const part = "parts" in term && term.parts.find((one) => foldTruth(one, values)[code] === UNDECIDED);
  if (part) return undecided(part, values, code, where);
  const field = fieldOf(where);
  const grid = field.domain as Grid;
  const points = pointsOf(where, code);
  const edge = edgeOf(term, grid, points);
  const exact = exactly(field, grid);
  return refusal(
    where.text,
    term,
    `${sees(field, points)}, and this does not hold for all of them.`,
    edge === undefined
      ? `${exact[0].toUpperCase()}${exact.slice(1)}.`
      : `Let a bin begin at ${pointText(field, grid, edge)} (standin.bins), or ${exact}.`,
  );
}

/** How queries come to see each value of a grid: all that has to change, so that no second refusal follows. */
function exactly({ notation }: Field, grid: Grid): string {
  if (grid.points <= MOST_FINE_POINTS) return "leave its bins out of the schema";
  const coarser = coarserStep(grid, notation!.unit === "");
  const granularity =
    coarser === undefined ? "a granularity that divides the minimum and" : `a granularity such as ${coarser}, which`;
  const bins = grid.tree ? "" : ", and no bins";
  return `state ${granularity} leaves at most ${thousands(MOST_FINE_POINTS)} values (standin.granularity)${bins}`;
}

function several(term: Value, code: number, where: OneColumn): Error {
  const field = fieldOf(where);
  const exact = exactly(field, field.domain as Grid);
  const message = `${sees(field, pointsOf(where, code))}, and a calculation with other columns needs each value.`;
  return refusal(where.text, term, message, `${exact[0].toUpperCase()}${exact.slice(1)}.`);
}

/** The first and the last point of a code of a column that has several. */
function pointsOf(where: OneColumn, code: number): [first: number, last: number] {
  const grid = fieldOf(where).domain as Grid;
  return pointsIn(grid, startsOf(grid, where.columns.attributes[where.column].fine), code);
}

function sees(field: Field, points: readonly number[]): string {
  const [first, last] = points.map((point) => pointText(field, field.domain as Grid, point));
  return `Queries see the values of "${field.name}" from ${first} to ${last} as one`;
}

/** The first of a code's points where a term holds and did not before, or the reverse, if there is one such point. */
function edgeOf(term: Truth, grid: Grid, [first, last]: readonly [number, number]): number | undefined {
  const holdsAt = (point: number) => foldTruth(term, exact(Float64Array.of(pointValue(grid, point))))[0];
  let [below, above] = [first, last];
  const before = holdsAt(below);
  if (holdsAt(above) === before) return undefined;
  while (above - below > 1) {
    const middle = below + Math.floor((above - below) / 2);
    if (holdsAt(middle) === before) below = middle;
    else above = middle;
  }
  return above;
}
