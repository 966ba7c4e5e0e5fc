import { Calls } from "../engine/calls.js";
import { Instance } from "../engine/instance.js";
import { Contractions, cellsOver, type Table } from "./contraction.js";
import type { Clique } from "./triangulation.js";

/** A clique's tables in the engine, in two copies. */
export interface PlacedClique extends Clique {
  readonly tables: readonly [Table, Table];
  /** The separator's marginal. A root's is the number of rows, in both copies. */
  readonly separators: readonly [Table, Table];
  /** Room for a table of the separator: messages, and after a fit what its marginal is divided by. */
  readonly message: Table;
}

/**
 * A distribution of rows, as expected counts: a junction tree whose cliques have their marginals as tables, so
 * neighbours agree about their separators. It has an engine of its own.
 */
export class CalibratedTree {
  readonly engine = new Instance();
  readonly cliques: readonly PlacedClique[];
  /** The columns of each clique and of those below it. */
  readonly #below: readonly ReadonlySet<number>[];
  /** Which copy of the tables holds the distribution. */
  current: 0 | 1 = 0;

  /**
   * @param cliques each after its children
   * @param sizes how many cells each column has
   * @param total the number of rows, above 0
   * @throws {StandinError} `engine/memory`
   */
  constructor(
    cliques: readonly Clique[],
    readonly sizes: readonly number[],
    readonly total: number,
  ) {
    const plan = this.#plan();
    const rows = { pointer: this.engine.place(Float64Array.of(total)), columns: [] };
    this.cliques = cliques.map((clique) => {
      const { columns, separator, parent } = clique;
      const two = (of: readonly number[]): [Table, Table] => [plan.table(of), plan.table(of)];
      const separators: [Table, Table] = parent === undefined ? [rows, rows] : two(separator);
      return { ...clique, tables: two(columns), separators, message: plan.table(separator) };
    });
    const below = cliques.map(({ columns }) => new Set(columns));
    for (const [at, { parent }] of cliques.entries())
      if (parent !== undefined) for (const column of below[at]) below[parent].add(column);
    this.#below = below;
  }

  /** Independent columns. @param oneWays for each column its counts, none below 0, which sum to the total */
  startIndependent(oneWays: readonly Float64Array[]): void {
    const { engine, total } = this;
    engine.scratch(() => {
      const plan = this.#plan();
      const pointers = engine.placeAll(oneWays);
      for (const { columns, tables } of this.cliques) {
        const scale = { pointer: engine.place(Float64Array.of(total ** (1 - columns.length))), columns: [] };
        const factors = columns.map((column) => ({ pointer: pointers[column], columns: [column] }));
        plan.add({ columns, factors: [...factors, scale], sums: [], table: tables[0].pointer });
      }
      plan.run();
    });
  }

  /** Makes the distribution ready for questions about columns of several cliques. */
  settle(): void {
    const calls = new Calls(this.engine);
    for (const { separator, separators, message } of this.cliques)
      calls.add("reciprocals", separators[this.current].pointer, cellsOver(separator, this.sizes), message.pointer);
    calls.run();
  }

  /** The clique with the fewest cells that has all of these columns. */
  cliqueOf(columns: readonly number[]): PlacedClique | undefined {
    let found: PlacedClique | undefined;
    for (const clique of this.cliques)
      if (columns.every((column) => clique.columns.includes(column)))
        if (!found || cellsOver(clique.columns, this.sizes) < cellsOver(found.columns, this.sizes)) found = clique;
    return found;
  }

  /**
   * Plans the expected counts of the cells of some columns, in the order of the columns, in fresh memory.
   */
  marginal(plan: Contractions, columns: readonly number[]): Table {
    const out = plan.table(columns);
    const clique = this.cliqueOf(columns);
    if (clique) plan.add({ columns: clique.columns, factors: [clique.tables[this.current]], sums: [out] });
    else {
      const parts = this.#parts(columns).map((part) => this.#joint(plan, part));
      const scale = { pointer: this.engine.place(Float64Array.of(this.total ** (1 - parts.length))), columns: [] };
      plan.add({ columns, factors: [...parts, scale], sums: [], table: out.pointer });
    }
    return out;
  }

  /** The expected counts of the cells of sets of columns. */
  marginals(sets: readonly (readonly number[])[]): Float64Array[] {
    return this.engine.scratch(() => {
      const plan = this.#plan();
      const tables = sets.map((columns) => this.marginal(plan, columns));
      plan.run();
      return tables.map(({ pointer, columns }) => this.engine.readF64(pointer, cellsOver(columns, this.sizes)));
    });
  }

  drop(): void {
    this.engine.drop();
  }

  #plan(): Contractions {
    return new Contractions(this.engine, this.sizes);
  }

  /** The columns tree by tree: those of different trees are independent. */
  #parts(columns: readonly number[]): number[][] {
    const parts = this.cliques.flatMap(({ parent }, at) =>
      parent === undefined ? [columns.filter((column) => this.#below[at].has(column))] : [],
    );
    return parts.filter(({ length }) => length);
  }

  /** Plans the table of columns of one tree: variable elimination, from below up to where all of them have been met. */
  #joint(plan: Contractions, needed: readonly number[]): Table {
    const top = this.#below.findIndex((columns) => needed.every((column) => columns.has(column)));
    return this.#eliminated(plan, top, needed, needed);
  }

  /** Sums what a clique and those below it know of the needed columns to a table of the columns that are wanted. */
  #eliminated(plan: Contractions, at: number, needed: readonly number[], wanted: readonly number[]): Table {
    const { columns, tables } = this.cliques[at];
    const isNeeded = (column: number) => needed.includes(column) || wanted.includes(column);
    const messages = this.cliques.flatMap((child, below) => {
      if (child.parent !== at) return [];
      const beyond = needed.filter((column) => this.#below[below].has(column) && !columns.includes(column));
      if (!beyond.length) return [];
      const message = this.#eliminated(plan, below, beyond, [...child.separator, ...beyond]);
      return [{ message, divisor: child.message, beyond }];
    });
    const own = columns.filter(
      (column) => isNeeded(column) || messages.some(({ message }) => message.columns.includes(column)),
    );
    const reduced = messages.length && own.length < columns.length ? plan.table(own) : tables[this.current];
    if (reduced !== tables[this.current]) plan.add({ columns, factors: [tables[this.current]], sums: [reduced] });
    const out = plan.table(wanted);
    plan.add({
      columns: [...reduced.columns, ...messages.flatMap(({ beyond }) => beyond)],
      factors: [reduced, ...messages.flatMap(({ message, divisor }) => [message, divisor])],
      sums: [out],
    });
    return out;
  }
}
