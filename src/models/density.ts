import { StandinError } from "../core/errors.js";
import type { Progress } from "../core/progress.js";
import { thousands } from "../core/thousands.js";
import type { Attribute } from "../domain/attribute.js";
import { Instance } from "../engine/instance.js";
import { MOST_POINTS } from "../engine/layout.js";
import type { Measurement } from "../queries/measurement.js";
import type { Query } from "../queries/query.js";
import { DensityPart, type Fractions, type Output } from "./density-part.js";
import { type DomainPart, domainParts } from "./domain-parts.js";
import type { FitOptions, FitResult, Model, Observations, PublicTable, SyntheticRows } from "./model.js";

/** How a density follows what is measured, one after the other. */
export type DensityUpdates =
  /** The updates of MWEM, each made `repeats` times; with `past`, those that went before are made again. */
  | { readonly method: "multiplicative"; readonly past: boolean; readonly repeats: number }
  /** The projections of PEP: at most so many corrections each. */
  | { readonly method: "entropy"; readonly corrections: number };

export interface DensitySettings {
  readonly updates: DensityUpdates;
  readonly output: Output;
}

/** What densities are made of. */
export interface DensityInput {
  readonly attributes: readonly Attribute[];
  /** The rows that it is a density over, all equally likely at first; without them, all combinations of codes. */
  readonly publicTable?: PublicTable;
  /** Every query that it may have to answer; without them, only those that were measured. */
  readonly workload?: readonly Query[];
}

/** The target duration between two reports of progress. */
const SLICE_MS = 50;
/** An error of fractions that is as good as none. */
const EXACT = 1e-12;

/**
 * An explicit density (`DensityPart`), or one for each part of the domain that queries connect. A fit repeats the
 * updates for everything that was measured, in order, and goes on from the last fit where nothing else has changed.
 * One-way marginals are taken over as they are, since the density that they imply is known. Everything else updates it
 * as its mechanism says.
 */
export class DensityModel implements Model {
  readonly #input: DensityInput;
  readonly #settings: DensitySettings;
  #engine: Instance | undefined;
  #parts: readonly DensityPart[] = [];
  /** What the density has followed so far, and the number of rows that it was scaled by. */
  #followed: readonly Measurement[] = [];
  #total = 0;
  #options!: FitOptions;

  constructor(input: DensityInput, settings: DensitySettings) {
    this.#input = input;
    this.#settings = settings;
  }

  /** The bytes that it takes at most while queries are measured and answered. */
  static bytes(attributes: readonly Attribute[], queries: readonly Query[], publicTable?: PublicTable): number {
    if (publicTable) return DensityPart.bytes(attributes, queries, publicTable.rows, true);
    const points = domainParts(attributes, queries).reduce((sum, part) => sum + part.points, 0);
    return DensityPart.bytes(attributes, queries, points, false);
  }

  async *fit({ measurements, total }: Observations, options: FitOptions): AsyncGenerator<Progress, FitResult> {
    this.#options = options;
    const told = measurements.filter(({ query }) => query.columns.length);
    const isMore = total === this.#total && this.#followed.every((known, at) => known === told[at]);
    if (!this.#engine || !isMore) this.#open(told, total);
    const partOf = new Map(this.#parts.flatMap((part) => part.columns.map((column) => [column, part] as const)));
    let last = Date.now();
    for (let at = this.#followed.length; at < told.length; at++) {
      const { query, answers, sigma2 } = told[at];
      const slack = ((globalThis as any).EXP?.slack ?? 0) * Math.sqrt(sigma2) / total;
      const fractions = Float64Array.from(answers, (answer) => (globalThis as any).EXP?.raw && answers.length > 1 ? answer / total : Math.min(1, Math.max(0, answer / total)));
      this.#update(partOf.get(query.columns[0])!, { query, fractions, slack }, options.seed);
      if (Date.now() - last < SLICE_MS) continue;
      yield { phase: "search", step: at + 1, loss: this.#loss() };
      last = Date.now();
    }
    this.#followed = told;
    const loss = this.#loss();
    const stop = `The density has followed all ${told.length} measurements.`;
    yield { phase: "search", step: told.length, loss, stop };
    return { startLoss: loss, loss, steps: told.length, candidates: 0, stop };
  }

  async answers(queries: readonly Query[]): Promise<readonly Int32Array[]> {
    const found = new Map<Query, Int32Array>();
    for (const part of this.#parts) {
      const own = queries.filter(({ columns }) => part.columns.includes(columns[0]));
      for (const [at, answers] of part.answers(own, this.#total).entries()) found.set(own[at], answers);
    }
    return queries.map((query) => found.get(query)!);
  }

  /** Rows of each part, drawn independently of those of the others. Every table has a seed of its own. */
  *tables(count: number): Generator<Progress, readonly SyntheticRows[]> {
    const { rows, seed } = this.#options;
    return Array.from({ length: count }, (_, table) => {
      const own = (seed + table) >>> 0;
      const codes: Uint16Array[] = [];
      for (const [number, part] of this.#parts.entries())
        for (const [at, drawn] of part.rows(this.#settings.output, rows, own, number).entries())
          codes[part.columns[at]] = drawn;
      return { codes, seed: own };
    });
  }

  close(): void {
    this.#engine?.drop();
    this.#engine = undefined;
    this.#parts = [];
  }

  #open(told: readonly Measurement[], total: number): void {
    this.close();
    this.#engine = new Instance();
    this.#followed = [];
    this.#total = total;
    const { attributes, publicTable, workload = [] } = this.#input;
    const queries = [...workload, ...told.map(({ query }) => query)];
    const parts = publicTable
      ? [{ columns: [...attributes.keys()] }]
      : domainParts(attributes, queries).filter(({ columns }) => columns.length);
    this.#parts = parts.map(({ columns }) => {
      const own = queries.filter((query) => columns.includes(query.columns[0]));
      return new DensityPart(this.#engine!, attributes, columns, own, this.#settings.output, publicTable);
    });
  }

  #update(part: DensityPart, told: Fractions, seed: number): void {
    const { updates } = this.#settings;
    if (told.query.columns.every((column) => this.#input.attributes[column].size === 1)) return;
    if ((globalThis as any).EXP?.noways && told.query.columns.length === 1) { const x = part.measure(told); part.projectOne(x); (part as any).forget(); return; }
    const index = part.measure(told);
    if (told.query.columns.length === 1) part.projectOne(index);
    else if (updates.method === "multiplicative") part.multiply(index, updates.past, updates.repeats, seed);
    else part.projectAll(Math.min(updates.corrections, 2 * (index + 1)), EXACT);
  }

  #loss(): number {
    return this.#parts.reduce((sum, part) => sum + part.loss(), 0) * this.#options.rows ** 2;
  }
}

/**
 * Refuses a domain that is too large for a density over all of it.
 * @throws {StandinError} `workload/too-large`
 */
export function expectSmallParts(parts: readonly DomainPart[]): void {
  const large = parts.find(({ points }) => points > MOST_POINTS);
  if (large)
    throw new StandinError(
      "workload/too-large",
      `The workload connects ${large.columns.length} columns with ${thousands(large.points)} combinations of codes; ` +
        `the limit is ${thousands(MOST_POINTS)}.`,
      "Use sets that leave columns unconnected, coarser bins (standin.bins) or fewer columns, or private-gsd.",
    );
}
