import { StandinError } from "../core/errors.js";
import { thousands } from "../core/thousands.js";
import type { Columns } from "../domain/columns.js";
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
} from "../engine/layout.js";
import { truthTable, valueTable } from "./expression-fold.js";
import { type Connection, constantOf, type Truth, type Value } from "./expression-terms.js";

const CALCULATIONS = {
  "+": EXPRESSION_ADD,
  "-": EXPRESSION_SUBTRACT,
  "*": EXPRESSION_MULTIPLY,
  "/": EXPRESSION_DIVIDE,
};
const COMPARISONS = {
  "<": EXPRESSION_LESS,
  "<=": EXPRESSION_LESS_OR_EQUAL,
  "==": EXPRESSION_EQUAL,
  "!=": EXPRESSION_UNEQUAL,
};

/** An expression, checked. */
export interface Checked {
  readonly text: string;
  readonly truth: Truth;
}

/**
 * The parameters of a query with these expressions, as the engine reads them (EXPRESSION in the layout).
 * @param axes the columns of the query, ascending: at least those of the expressions
 * @throws {StandinError} `workload/expression` if a code does not determine whether an expression holds
 */
export function programWords(
  expressions: readonly Checked[],
  axes: readonly number[],
  isPartition: boolean,
  columns: Columns,
): Uint32Array {
  const writer = new Writer(axes, columns);
  const records = expressions.map((expression) => writer.record(expression));
  const starts = 2 + records.reduce((sum, { length }) => sum + 2 + length, 0);
  expectFew(starts + writer.length);
  const words = new Uint32Array(starts + writer.length);
  words.set([expressions.length, Number(isPartition)]);
  let place = 2;
  for (const [at, record] of records.entries()) {
    const mask = expressions[at].truth.columns.reduce((bits, column) => bits | (1 << axes.indexOf(column)), 0);
    words.set([2 + record.length, mask], place);
    words.set(
      record.map((word) => (typeof word === "number" ? word : starts + word.table)),
      place + 2,
    );
    place += 2 + record.length;
  }
  for (const [table, at] of writer.tables) words.set(table, starts + at);
  return words;
}

/** The most words of a program: 128 MiB. A calculation with another column has two for each code of a column. */
const MOST_WORDS = 2 ** 25;

function expectFew(words: number): void {
  if (words > MOST_WORDS)
    throw new StandinError(
      "workload/too-large",
      `An entry has expressions that take ${thousands(Math.ceil(words / 2 ** 18))} MiB; at most 128 can be counted together.`,
      "Leave some out, or calculate with columns of fewer values (standin.granularity).",
    );
}

/** A word of a program, or where a table begins, counted from the first one. */
type Word = number | { readonly table: number };

class Writer {
  /** The words of each table, and where they begin, counted from the first table. */
  readonly tables = new Map<Uint32Array, number>();
  /** How many words they have. */
  length = 0;
  /** Tables of truths by their words, and tables of values by the values themselves. */
  readonly #known = new Map<unknown, Uint32Array>();
  #text = "";
  #words: Word[] = [];

  constructor(
    readonly axes: readonly number[],
    readonly columns: Columns,
  ) {}

  record({ text, truth }: Checked): Word[] {
    this.#text = text;
    this.#words = [];
    this.#truth(truth);
    return this.#words;
  }

  /** Terms of one column become tables; what is left are terms of several. */
  #truth(term: Truth): void {
    if (term.columns.length <= 1) this.#bits(term, term.columns[0]);
    else if ("parts" in term) {
      for (const [at, part] of this.#grouped(term).entries()) {
        this.#truth(part);
        if (term.op === "not") this.#words.push(EXPRESSION_NOT);
        else if (at) this.#words.push(term.op === "and" ? EXPRESSION_AND : EXPRESSION_OR);
      }
    } else if ("sides" in term) {
      for (const side of term.sides) this.#value(side);
      this.#words.push(COMPARISONS[term.op]);
    } else if (term.op !== "missing") {
      // NaN is not unequal to anything, so a term without a value is neither in a list nor not in it.
      const isIn = term.op === "in";
      for (const [at, value] of term.among.entries()) {
        this.#value(term.value);
        this.#constant(value);
        this.#words.push(isIn ? EXPRESSION_EQUAL : EXPRESSION_UNEQUAL);
        if (at) this.#words.push(isIn ? EXPRESSION_OR : EXPRESSION_AND);
      }
    }
  }

  /** The parts of a term, those of one column together; those of none belong to the first column. */
  #grouped(term: Connection): Truth[] {
    const grouped = new Map<number, Truth[]>();
    const others: Truth[] = [];
    for (const part of term.parts) {
      if (part.columns.length > 1) others.push(part);
      else {
        const column = part.columns[0] ?? term.columns[0];
        const same = grouped.get(column);
        if (same) same.push(part);
        else grouped.set(column, [part]);
      }
    }
    const together = [...grouped].map(([column, parts]): Truth => ({ ...term, columns: [column], parts }));
    return [...together, ...others];
  }

  #bits(term: Truth, column: number): void {
    const truths = truthTable(term, { text: this.#text, column, columns: this.columns });
    const bits = new Uint32Array(Math.ceil(truths.length / 32));
    for (let code = 0; code < truths.length; code++) bits[code >>> 5] |= truths[code] << (code & 31);
    this.#words.push(EXPRESSION_BITS, this.axes.indexOf(column), this.#table(bits.join(), bits));
  }

  #value(term: Value): void {
    const [column, more] = term.columns;
    if (column === undefined) this.#constant(constantOf(term));
    else if (more === undefined) {
      const values = valueTable(term, { text: this.#text, column, columns: this.columns });
      this.#words.push(EXPRESSION_VALUES, this.axes.indexOf(column), this.#table(values, wordsOf(values)));
    } else if (term.op !== "constant" && term.op !== "column") {
      for (const part of term.of) this.#value(part);
      this.#words.push(CALCULATIONS[term.op]);
    }
  }

  #constant(value: number): void {
    this.#words.push(EXPRESSION_CONSTANT, ...wordsOf(Float64Array.of(value)));
  }

  /** Tables that are the same are kept once. */
  #table(key: unknown, words: Uint32Array): Word {
    const table = this.#known.get(key) ?? words;
    if (table === words) {
      this.#known.set(key, words);
      this.tables.set(words, this.length);
      this.length += words.length;
    }
    return { table: this.tables.get(table)! };
  }
}

/** The halves of doubles, the lower one first. */
const wordsOf = ({ buffer, byteOffset, length }: Float64Array) => new Uint32Array(buffer, byteOffset, 2 * length);
