import { Calls } from "../engine/calls.js";
import type { Instance } from "../engine/instance.js";
import { CONTRACTION_RUNS, CONTRACTION_SIZES } from "../engine/layout.js";
import { Words } from "../engine/words.js";
import { cellsIn } from "../queries/query.js";

/** A table in the engine, f64 each: row-major, with an axis for each of its columns. */
export interface Table {
  readonly pointer: number;
  readonly columns: readonly number[];
}

/** A sum of products of tables. */
export interface Contraction {
  /** The columns whose cells are walked, in order, the last one fastest: those of all factors and sums. */
  readonly columns: readonly number[];
  /** If the products are kept in place of one of them, it is the first. */
  readonly factors: readonly Table[];
  readonly sums: readonly Table[];
  /** Where the products are kept, row-major by `columns`. */
  readonly table?: number;
}

/** A CONTRACTION, word by word, without its scratch. */
function contractionWords({ columns, factors, sums, table = 0 }: Contraction, sizes: readonly number[]): number[] {
  const operands = [...factors, ...sums].map((operand) => ({ operand, strides: stridesIn(operand, columns, sizes) }));
  // Neighbouring axes along which every table has neighbours, or none has, are one axis.
  const axes: { size: number; strides: number[] }[] = [];
  for (const [axis, column] of columns.entries()) {
    const size = sizes[column];
    const strides = operands.map((one) => one.strides[axis]);
    const outer = axes.at(-1);
    if (outer?.strides.every((stride, at) => stride === size * strides[at]))
      axes[axes.length - 1] = { size: outer.size * size, strides };
    else axes.push({ size, strides });
  }
  while (axes.length < 2) axes.unshift({ size: 1, strides: operands.map(() => 0) });
  const placed = operands.map(({ operand }, at) => {
    const strides = axes.map((axis) => axis.strides[at]);
    const depth = strides.slice(0, -1).reduce((deepest, stride, axis) => (stride ? axis : deepest), 0);
    return { depth, words: [operand.pointer, cellsOver(operand.columns, sizes), 0, depth, ...strides] };
  });
  const byDepth = (from: number, to?: number) =>
    placed
      .slice(from, to)
      .sort((a, b) => a.depth - b.depth)
      .flatMap(({ words }) => words);
  return [
    ...[axes.length, factors.length, sums.length, table, 0, 0],
    ...axes.map(({ size }) => size),
    ...byDepth(0, factors.length),
    ...byDepth(factors.length),
  ];
}

/** How far neighbours along each column are apart in a table; 0 for columns that it does not have. */
function stridesIn({ columns }: Table, along: readonly number[], sizes: readonly number[]): number[] {
  const strides = new Map<number, number>();
  let stride = 1;
  for (const column of [...columns].reverse()) {
    strides.set(column, stride);
    stride *= sizes[column];
  }
  return along.map((column) => strides.get(column) ?? 0);
}

/** How many cells a table of these columns has. */
export const cellsOver = (columns: readonly number[], sizes: readonly number[]): number =>
  cellsIn(columns.map((column) => sizes[column]));

/** Contractions that are made together. What they need is allocated when they are added. */
export class Contractions {
  readonly #words = new Words();
  readonly #places: number[] = [];
  /** The cells of the scratch that the largest needs. */
  #scratch = 1;

  constructor(
    readonly engine: Instance,
    readonly sizes: readonly number[],
  ) {}

  /** A table in fresh memory. */
  table(columns: readonly number[]): Table {
    return { pointer: this.engine.alloc(8 * cellsOver(columns, this.sizes)), columns };
  }

  add(contraction: Contraction): void {
    const words = contractionWords(contraction, this.sizes);
    this.#places.push(this.#words.add(words));
    const [axes] = words;
    const run = words[CONTRACTION_SIZES / 4 + axes - 1];
    // The innermost axis needs a run where products are not kept, each axis before it two.
    this.#scratch = Math.max(this.#scratch, run * (2 * axes - (contraction.table ? 4 : 3)));
  }

  /** Places the structs, with scratch for them. Returns their pointers, in the order in which they were added. */
  place(): number[] {
    const scratch = [this.engine.alloc(8 * this.#scratch)];
    for (const place of this.#places) this.#words.set(place + CONTRACTION_RUNS, scratch);
    const start = this.#words.place(this.engine);
    return this.#places.map((place) => start + place);
  }

  /** Makes them, in order. */
  run(): void {
    const calls = new Calls(this.engine);
    for (const pointer of this.place()) calls.add("contract", pointer);
    calls.run();
  }
}
