// Expressions by their definition, on the cells of a row; and the instructions that the engine runs, one row at a time.
import {
  EXPRESSION_ADD,
  EXPRESSION_AND,
  EXPRESSION_BITS,
  EXPRESSION_CONSTANT,
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
} from "../../src/engine/layout.js";
import type { Query } from "../../src/queries/query.js";

/** A cell: a number, a label, a truth; dates are days since 1970-01-01. */
export type Cell = number | string | boolean | undefined;
export type Row = Readonly<Record<string, Cell>>;

/** Something with a value in each row. */
export type Operand =
  | { readonly kind: "literal"; readonly value: number | string | boolean }
  | { readonly kind: "day"; readonly text: string }
  | { readonly kind: "column"; readonly name: string }
  | { readonly kind: "minus"; readonly of: Operand }
  | {
      readonly kind: "calculation";
      readonly sign: "+" | "-" | "*" | "/";
      readonly left: Operand;
      readonly right: Operand;
    };

/** Something that is true or false in each row. */
export type Condition =
  | {
      readonly kind: "comparison";
      readonly sign: "<" | "<=" | ">" | ">=" | "==" | "!=";
      readonly left: Operand;
      readonly right: Operand;
    }
  | { readonly kind: "list"; readonly not: boolean; readonly of: Operand; readonly items: readonly Operand[] }
  | { readonly kind: "missing"; readonly not: boolean; readonly name: string }
  | { readonly kind: "flag"; readonly name: string }
  | { readonly kind: "not"; readonly of: Condition }
  | { readonly kind: "and" | "or"; readonly parts: readonly Condition[] };

/** Whether a condition holds for a row. */
export function holds(condition: Condition, row: Row): boolean {
  switch (condition.kind) {
    case "and":
      return condition.parts.every((part) => holds(part, row));
    case "or":
      return condition.parts.some((part) => holds(part, row));
    case "not":
      return !holds(condition.of, row);
    case "flag":
      return row[condition.name] === true;
    case "missing":
      return (row[condition.name] === undefined) !== condition.not;
    case "list": {
      const value = cellOf(condition.of, row);
      return value !== undefined && condition.items.some((item) => cellOf(item, row) === value) !== condition.not;
    }
    case "comparison": {
      const [left, right] = [cellOf(condition.left, row), cellOf(condition.right, row)];
      if (left === undefined || right === undefined) return false;
      if (condition.sign === "==") return left === right;
      if (condition.sign === "!=") return left !== right;
      if (condition.sign === "<") return left < right;
      if (condition.sign === "<=") return left <= right;
      return condition.sign === ">" ? left > right : left >= right;
    }
  }
}

function cellOf(operand: Operand, row: Row): Cell {
  if (operand.kind === "literal") return operand.value;
  if (operand.kind === "day") return Date.parse(operand.text) / 86_400_000;
  if (operand.kind === "column") return row[operand.name];
  if (operand.kind === "minus") {
    const value = cellOf(operand.of, row);
    return value === undefined ? undefined : -value;
  }
  const [left, right] = [cellOf(operand.left, row), cellOf(operand.right, row)];
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  const { sign } = operand;
  const results = { "+": left + right, "-": left - right, "*": left * right, "/": left / right };
  return (sign === "/" && right === 0) || Number.isNaN(results[sign]) ? undefined : results[sign];
}

/** The answers of a query of expressions, from its program. */
export function expressionAnswers(query: Query, codes: readonly Uint16Array[]): number[] {
  const { program: words, partition, columns } = query as Query & { program: Uint32Array; partition: boolean };
  const answers = new Array<number>(words[0] + Number(partition)).fill(0);
  for (let row = 0; row < codes[0].length; row++) {
    const truths = truthsOf(
      words,
      columns.map((column) => codes[column][row]),
    );
    const first = truths.indexOf(true);
    if (partition) answers[first < 0 ? words[0] : first]++;
    else for (const [at, truth] of truths.entries()) answers[at] += Number(truth);
  }
  return answers;
}

/** What the tables of a query's program have for a code of a column, in any order. */
export function entriesOf(query: Query, column: number, code: number): number[] {
  const { program: words, columns } = query as Query & { program: Uint32Array };
  const entries: number[] = [];
  let at = 2;
  for (let index = 0; index < words[0]; index++) {
    const end = at + words[at];
    for (at += 2; at < end; at += words[at] <= EXPRESSION_CONSTANT ? 3 : 1) {
      const [instruction, axis, table] = words.slice(at, at + 3);
      if (instruction > EXPRESSION_VALUES || columns[axis] !== column) continue;
      if (instruction === EXPRESSION_BITS) entries.push((words[table + (code >> 5)] >>> (code & 31)) & 1);
      else entries.push(...words.slice(table + 2 * code, table + 2 * code + 2));
    }
  }
  return entries;
}

/** The truth of each expression of a program, for one code per axis. */
function truthsOf(words: Uint32Array, codes: readonly number[]): boolean[] {
  const found: boolean[] = [];
  let at = 2;
  for (let index = 0; index < words[0]; index++) {
    found.push(run(words, at + 2, at + words[at], codes));
    at += words[at];
  }
  return found;
}

function run(words: Uint32Array, from: number, end: number, codes: readonly number[]): boolean {
  const double = (at: number) => new Float64Array(words.slice(at, at + 2).buffer)[0];
  const truths: boolean[] = [];
  const values: number[] = [];
  const binary = <T, R>(stack: T[], results: R[], operation: (left: T, right: T) => R) => {
    const [left, right] = stack.splice(-2);
    results.push(operation(left, right));
  };
  for (let at = from; at < end; ) {
    const instruction = words[at++];
    if (instruction === EXPRESSION_BITS) {
      const [axis, table] = [words[at++], words[at++]];
      truths.push(((words[table + (codes[axis] >> 5)] >>> (codes[axis] & 31)) & 1) === 1);
    } else if (instruction === EXPRESSION_VALUES) {
      const [axis, table] = [words[at++], words[at++]];
      values.push(double(table + 2 * codes[axis]));
    } else if (instruction === EXPRESSION_CONSTANT) {
      values.push(double(at));
      at += 2;
    } else if (instruction === EXPRESSION_ADD) binary(values, values, (left, right) => left + right);
    else if (instruction === EXPRESSION_SUBTRACT) binary(values, values, (left, right) => left - right);
    else if (instruction === EXPRESSION_MULTIPLY) binary(values, values, (left, right) => left * right);
    else if (instruction === EXPRESSION_DIVIDE)
      binary(values, values, (left, right) => (right === 0 ? Number.NaN : left / right));
    else if (instruction === EXPRESSION_LESS) binary(values, truths, (left, right) => left < right);
    else if (instruction === EXPRESSION_LESS_OR_EQUAL) binary(values, truths, (left, right) => left <= right);
    else if (instruction === EXPRESSION_EQUAL) binary(values, truths, (left, right) => left === right);
    else if (instruction === EXPRESSION_UNEQUAL) binary(values, truths, (left, right) => left < right || left > right);
    else if (instruction === EXPRESSION_AND) binary(truths, truths, (left, right) => left && right);
    else if (instruction === EXPRESSION_OR) binary(truths, truths, (left, right) => left || right);
    else if (instruction === EXPRESSION_NOT) truths.push(!truths.pop());
    else throw new Error(`There is no instruction ${instruction}.`);
  }
  return truths[0];
}
