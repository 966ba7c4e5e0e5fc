import { StandinError } from "../core/errors.js";
import type { Progress } from "../core/progress.js";
import { thousands } from "../core/thousands.js";
import type { Attribute } from "../domain/attribute.js";
import { Instance } from "../engine/instance.js";
import { MOST_POINTS } from "../engine/layout.js";
import type { Measurement } from "../queries/measurement.js";
import type { Query } from "../queries/query.js";
import { DensityPart, type Iterate } from "./density-part.js";
import { type DomainPart, domainParts } from "./domain-parts.js";
import type { FitOptions, FitResult, Model, Observations, PublicTable, SyntheticRows } from "./model.js";

/**
 * How a density follows what is measured, one after the other. Errors of up to `slack` standard deviations of the noise
 * are none. Without a slack, which takes public rows, noisy answers correct it as far as they are not noise.
 */
export type DensityUpdates = { readonly slack?: number } & (
  | /** The updates of MWEM, each made `repeats` times; with `past`, those that went before are made again. */
  { readonly method: "multiplicative"; readonly past: boolean; readonly repeats: number }
  /** The projections of PEP: at most so many corrections each. */
  | { readonly method: "entropy"; readonly corrections: number }
);

export interface DensitySettings {
  readonly updates: DensityUpdates;
  readonly iterate: Iterate;
}

/** What densities are made of. */
export interface DensityInput {
  readonly attributes: readonly Attribute[];
  /** The rows that it is a density over, all equally likely at first; without them, all combinations of codes. */
  readonly publicTable?: PublicTable;
  /** Every query that it may have to answer; without them, only those that were measured. */
  readonly workload?: readonly Query[];
}

/** Something measured that a part was given. */
interface Placed {
  readonly part: DensityPart;
  readonly index: number;
  readonly isOneWay: boolean;
  /** The variance of its noise, as a fraction of the rows. */
  readonly noise: number;
}

/** The target duration between two reports of progress. */
const SLICE_MS = 50;
/** An error of fractions that is as good as none. */
const EXACT = 1e-12;

/**
 * An explicit density (`DensityPart`), or one for each part of the domain that queries connect. A fit makes the updates
 * for everything that was measured, in order. Where a fit has more of it than the last one, it only makes those that
 * are new.
 * One-way marginals are taken over as they are, since the density that they imply is known. Everything else updates it
 * as its mechanism says.
 */
export class DensityModel implements Model {
  readonly #input: DensityInput;
  readonly #settings: DensitySettings;
  #engine: Instance | undefined;
  #parts: readonly DensityPart[] = [];
  /** What the density has followed so far. */
  #followed: readonly Measurement[] = [];
  /** The number of rows of which answers are fractions, as estimated last. */
  #total = 0;
  #options!: FitOptions;

  constructor(input: DensityInput, settings: DensitySettings) {
    this.#input = input;
    this.#settings = settings;
  }

  /** The bytes that it takes at most while queries are measured and answered. */
  static bytes({ attributes, publicTable }: DensityInput, queries: readonly Query[], rows: number): number {
    const all = domainParts(attributes, queries).reduce((sum, part) => sum + part.points, 0);
    const points = publicTable?.rows ?? all;
    return DensityPart.bytes(attributes, queries, points, publicTable !== undefined) + 6 * rows;
  }

  async *fit({ measurements, total }: Observations, options: FitOptions): AsyncGenerator<Progress, FitResult> {
    this.#options = options;
    const told = measurements.filter(({ query }) => this.#isTelling(query));
    const isMore = this.#followed.every((known, at) => known === told[at]);
    if (!this.#engine || !isMore) this.#open(told);
    this.#total = total;
    const news = told.slice(this.#followed.length).map((measurement) => this.#place(measurement));
    const startLoss = this.#loss();
    let last = Date.now();
    for (const [at, placed] of news.entries()) {
      this.#update(placed);
      if (Date.now() - last < SLICE_MS) continue;
      yield { phase: "search", step: at + 1, loss: this.#loss() / (startLoss || 1) };
      last = Date.now();
    }
    this.#followed = told;
    const loss = this.#loss();
    const stop = `The density has followed everything that was measured, ${thousands(news.length)} updates in all.`;
    yield { phase: "search", step: news.length, loss: loss / (startLoss || 1), stop };
    return { startLoss, loss, steps: news.length, candidates: 0, stop };
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
        for (const [at, drawn] of part.rows(this.#settings.iterate, rows, own, number).entries())
          codes[part.columns[at]] = drawn;
      return { codes, seed: own };
    });
  }

  close(): void {
    this.#engine?.drop();
    this.#engine = undefined;
    this.#parts = [];
  }

  #open(told: readonly Measurement[]): void {
    this.close();
    this.#engine = new Instance();
    this.#followed = [];
    const { attributes, publicTable, workload = [] } = this.#input;
    const queries = [...workload, ...told.map(({ query }) => query)];
    const parts = publicTable ? [{ columns: [...attributes.keys()] }] : domainParts(attributes, queries);
    this.#parts = parts.map(({ columns }) => {
      const own = queries.filter((query) => columns.includes(query.columns[0]));
      return new DensityPart(this.#engine!, attributes, columns, own, this.#settings.iterate, publicTable);
    });
  }

  /** Whether there is more than one answer that it could have. */
  #isTelling({ columns }: Query): boolean {
    return columns.some((column) => this.#input.attributes[column].size > 1);
  }

  /** Gives the part that a measurement is about what was measured. */
  #place({ query, answers, sigma2 }: Measurement): Placed {
    const part = this.#parts.find(({ columns }) => columns.includes(query.columns[0]))!;
    const { slack } = this.#settings.updates;
    const noise = sigma2 / this.#total ** 2;
    const whole = Float64Array.from(answers, (answer) => answer / this.#total);
    const fractions = slack === undefined ? whole : whole.map((fraction) => Math.min(1, Math.max(0, fraction)));
    const index = part.measure(query, fractions, (slack ?? 0) * Math.sqrt(noise));
    return { part, index, isOneWay: query.columns.length === 1, noise };
  }

  #update({ part, index, isOneWay, noise }: Placed): void {
    const { updates } = this.#settings;
    if (updates.slack === undefined) part.shrink(index, this.#total, noise);
    if (isOneWay) part.projectOne(index);
    else if (updates.method === "multiplicative")
      part.multiply(index, updates.past, updates.repeats, this.#options.seed);
    else part.project(index + 1, Math.min(updates.corrections, 2 * (index + 1)), EXACT);
    if (updates.slack === undefined) part.allow(index, Math.sqrt(noise));
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
