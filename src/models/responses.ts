import type { Progress } from "../core/progress.js";
import { thousands } from "../core/thousands.js";
import type { Attribute } from "../domain/attribute.js";
import { Instance } from "../engine/instance.js";
import { sampledRows } from "../projection/start.js";
import { codesOfCells } from "../queries/cells.js";
import { cellsOf, type Query } from "../queries/query.js";
import type { Choices, FitOptions, FitResult, Model, Observations, SignedCell, SyntheticRows } from "./model.js";

/** How records are found that respond to what was chosen. */
export interface ResponseSettings {
  /** The number of records that each round makes. */
  readonly samples: number;
  /** The scale of the random pulls on their codes, in units of the root of the number of choices; 0 for none. */
  readonly scale: number;
  /** How often each record is sought. */
  readonly restarts: number;
  /** Whether they respond to all rounds so far, not to the last one alone. */
  readonly remembers: boolean;
}

/** What a release without choices, which no run writes, has chosen. */
const NONE: Choices = { rounds: [], of: 0, perRound: 0 };

/** The target duration between two reports of progress. */
const SLICE_MS = 50;

/**
 * A model whose rows are best responses: after each round, records that satisfy as many of the chosen queries as can be
 * found. Before the first one, they are random. If they respond to all rounds, the answers are those of the last
 * records, as in FEM, otherwise those of all records so far, as in DualQuery. The synthetic rows are all of them.
 */
export class ResponsesModel implements Model {
  readonly #attributes: readonly Attribute[];
  readonly #settings: ResponseSettings;
  /** The records of each round, one array per attribute. */
  #made: (readonly Uint16Array[])[] = [];
  #fitted!: { readonly total: number; readonly options: FitOptions };

  constructor(attributes: readonly Attribute[], settings: ResponseSettings) {
    this.#attributes = attributes;
    this.#settings = settings;
  }

  /**
   * The bytes that it takes at most, apart from its answers.
   * @param cells how many cells were chosen at most, and `order` of how many columns
   */
  static bytes(attributes: readonly Attribute[], rows: number, cells: number, order: number): number {
    const sizes = attributes.reduce((sum, { size }) => sum + size, 0);
    return 32 * (sizes + attributes.length) + cells * (8 + 16 * order) + 4 * attributes.length * rows;
  }

  /** @throws {StandinError} `engine/memory` */
  async *fit({ choices, total }: Observations, options: FitOptions): AsyncGenerator<Progress, FitResult> {
    const { rounds, of, perRound } = choices ?? NONE;
    const scale = this.#settings.scale * Math.sqrt(of * perRound);
    if (this.#fitted?.options.seed !== options.seed) this.#made = [];
    this.#fitted = { total, options };
    const asked = new AskedCells(this.#attributes);
    const engine = new Instance();
    let told = Date.now();
    try {
      for (let round = 0; round <= rounds.length; round++) {
        const isMade = round < this.#made.length;
        if (!this.#settings.remembers) asked.clear();
        if (round && (this.#settings.remembers || !isMade)) asked.add(rounds[round - 1]);
        if (isMade) continue;
        this.#made.push(this.#respond(engine, asked, round, scale));
        if (Date.now() - told < SLICE_MS) continue;
        yield { phase: "round", done: round, of };
        told = Date.now();
      }
    } finally {
      engine.drop();
    }
    const stop = `The rows are the best responses to ${thousands(rounds.length)} rounds of choices.`;
    return { startLoss: 0, loss: 0, steps: rounds.length, candidates: 0, stop };
  }

  async answers(queries: readonly Query[]): Promise<readonly Int32Array[]> {
    const codes = joined(this.#settings.remembers ? this.#made.slice(-1) : this.#made, this.#attributes);
    const scale = this.#fitted.total / codes[0].length;
    return queries.map((query) => scaledCounts(query, codes, this.#attributes, scale));
  }

  /** All records in random order, each of them equally often (to one); every table has a seed of its own. */
  async *tables(count: number): AsyncGenerator<Progress, readonly SyntheticRows[]> {
    const { rows, seed } = this.#fitted.options;
    const all = joined(this.#made, this.#attributes);
    return Array.from({ length: count }, (_, table) => {
      const own = (seed + table) >>> 0;
      return { codes: sampledRows(all, rows, own), seed: own };
    });
  }

  close(): void {
    this.#made = [];
  }

  #respond(engine: Instance, asked: AskedCells, round: number, scale: number): readonly Uint16Array[] {
    const attributes = this.#attributes;
    const { samples, restarts } = this.#settings;
    const sizes = Uint32Array.from(attributes, ({ size }) => size);
    const words = asked.words();
    const cells = sizes.reduce((sum, size) => sum + size, 0);
    const { exports } = engine;
    return engine.scratch(() => {
      const out = engine.alloc(2 * sizes.length * samples);
      const worth = engine.alloc(4 * samples);
      exports.bestResponses(
        ...([engine.place(sizes), sizes.length, engine.place(words), words.byteLength, samples, restarts] as const),
        ...([scale, this.#fitted.options.seed, round] as const),
        ...([engine.alloc(exports.responseScratch(sizes.length, cells, asked.literals)), out, worth] as const),
      );
      return attributes.map((_, column) => engine.readU16(out + 2 * column * samples, samples));
    });
  }
}

/** The cells that were chosen: how often more than their complements, wherever that is not 0. */
class AskedCells {
  readonly #attributes: readonly Attribute[];
  readonly #cells = new Map<string, { weight: number; readonly literals: readonly number[] }>();

  constructor(attributes: readonly Attribute[]) {
    this.#attributes = attributes;
  }

  clear(): void {
    this.#cells.clear();
  }

  add(chosen: readonly SignedCell[]): void {
    for (const { cell, sign } of chosen) {
      const codes = codesOfCells(cell, this.#attributes, 0, 1);
      const literals = cell.columns.flatMap((column, axis) => [column, codes[axis]]);
      const key = literals.join();
      const weight = (this.#cells.get(key)?.weight ?? 0) + sign;
      if (weight) this.#cells.set(key, { weight, literals });
      else this.#cells.delete(key);
    }
  }

  /** How many codes they have in total. */
  get literals(): number {
    return [...this.#cells.values()].reduce((sum, { literals }) => sum + literals.length / 2, 0);
  }

  /** As the engine reads them. */
  words(): Uint32Array {
    const cells = [...this.#cells.values()];
    return Uint32Array.from(cells.flatMap(({ weight, literals }) => [weight, literals.length / 2, ...literals]));
  }
}

/** The counts of a marginal's cells, times `scale`, rounded. Few of its cells have any of the records. */
function scaledCounts(
  query: Query,
  codes: readonly Uint16Array[],
  attributes: readonly Attribute[],
  scale: number,
): Int32Array {
  const cells = new Array<number>(codes[0].length).fill(0);
  for (const column of query.columns)
    for (let row = 0; row < cells.length; row++) cells[row] = cells[row] * attributes[column].size + codes[column][row];
  const counts = new Int32Array(cellsOf(query, attributes));
  for (const cell of cells) counts[cell]++;
  for (const cell of new Set(cells)) counts[cell] = Math.round(counts[cell] * scale);
  return counts;
}

/** The records of several rounds, one array per attribute. */
function joined(made: readonly (readonly Uint16Array[])[], attributes: readonly Attribute[]): Uint16Array[] {
  return attributes.map((_, column) => {
    const parts = made.map((records) => records[column]);
    const codes = new Uint16Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      codes.set(part, at);
      at += part.length;
    }
    return codes;
  });
}
