import { thousands } from "../core/thousands.js";
import { VERSION } from "../core/version.js";
import { type Neighbours, unitJson } from "../privacy/accounting.js";
import { type MeasurementJson, noiseJson, type SelectionJson } from "../privacy/items.js";
import type { Ledger } from "../privacy/ledger.js";
import type { Measurement } from "../queries/measurement.js";
import type { Schema } from "../schema/schema.js";
import { type ClassCandidates, type ClassLedger, releasedClasses, toldClasses } from "./classes.js";
import type { PublicTableFacts } from "./public-table.js";

/** The guarantee that a release gives, or `null` if it gives none (then `noGuarantee` says why). */
export interface Guarantee {
  readonly epsilon: number;
  readonly delta: number;
  readonly unit: "row" | { readonly maxRows: number };
  readonly neighbours: Neighbours;
}

/** An item that was drawn: what it is, its price and its result. */
export type ReleasedItem =
  | { readonly item: MeasurementJson; readonly measurement: Measurement }
  /** The numbers of the chosen candidates, in the order of choice, as `ledger.candidates` numbers them. */
  | { readonly item: SelectionJson; readonly chosen: readonly number[] };

/** Everything that release.json may hold besides the items and the schema: public facts and noisy values. */
export interface ReleaseFacts {
  readonly mechanism: string;
  /** Why the rule of `auto` picked it. Absent where it was named. */
  readonly auto?: string;
  /** The name of what the rows are made to match, as given by the mechanism. */
  readonly estimate: string;
  /** The number of stages in which the workload was measured. Absent where rounds chose what to measure. */
  readonly stages?: number;
  /** The name of the column that the rows should predict well, if there is one. */
  readonly target?: string;
  /**
   * The names of the columns whose values its plan compares with thresholds, and whose rows therefore have finer codes
   * than the leaves of a tree. Absent if there are none.
   */
  readonly fine?: readonly string[];
  /** How many candidates its choices had of each class, where there are any besides column sets. */
  readonly candidates?: ClassCandidates;
  /**
   * The columns of the marginals whose cells it chose by signed errors: candidates are numbered marginal by marginal,
   * the cells of each first, then their complements. Absent where rounds measure what they choose.
   */
  readonly chosenFrom?: readonly (readonly string[])[];
  readonly neighbours: Neighbours;
  readonly publicRows?: number;
  /** What its rows are initialised from, besides the noisy answers: rows that everyone may see. */
  readonly publicTable?: PublicTableFacts;
  readonly epsilon: number;
  readonly delta: number;
  readonly rho: number;
  /** The columns of the output, in order: those of the input's header that the schema keeps. */
  readonly columns: readonly string[];
  /** The field separator of the output. */
  readonly delimiter: string;
  /** N̂, or the declared n. */
  readonly total: number;
  /** The number of rows requested, or by default N̂ rounded, within 1 … 10^7. */
  readonly rows: number;
  readonly search: Readonly<Record<string, string | number>>;
  readonly guarantee: Guarantee | null;
  readonly noGuarantee?: string;
  /** The information needed to continue. Present while there are rounds left to measure. */
  readonly unfinished?: Unfinished;
}

/**
 * The information needed, besides the table, to continue an unfinished release: the options that its user chose, and
 * its name in a shared budget.
 */
export interface Unfinished {
  /** The options of the plan. */
  readonly request: object;
  /** The number of rows, if one was requested. */
  readonly rows?: number;
  /**
   * The names under which a shared budget counts its items: random names of the release and of the run that measured
   * it.
   */
  readonly release?: string;
  readonly run?: string;
}

/** The noisy answers among the items. */
export function measurementsOf(items: readonly ReleasedItem[]): Measurement[] {
  return items.flatMap((entry) => ("measurement" in entry ? [entry.measurement] : []));
}

/**
 * The measured part of a release: everything that left through the door, and everything that a search needs. Anyone who
 * has it can make more rows at no further privacy cost.
 */
export class Release {
  constructor(
    readonly schema: Schema,
    /** The items drawn, in order. */
    readonly items: readonly ReleasedItem[],
    readonly facts: ReleaseFacts,
  ) {}

  /** The noisy answers. */
  get measurements(): Measurement[] {
    return measurementsOf(this.items);
  }

  /** What was measured of each class of queries, and at what price. */
  get classes(): ClassLedger[] {
    return releasedClasses(this.items, this.facts.candidates);
  }

  /** The charges, item by item. */
  get ledger(): (MeasurementJson | SelectionJson)[] {
    return this.items.map(({ item }) => item);
  }

  /** The content of release.json. */
  toJSON() {
    const [head, tail] = this.#aroundItems();
    const items = this.items.map((entry) => {
      if ("chosen" in entry) return { ...entry.item, chosen: entry.chosen };
      return { ...withNoise(entry.item, this.facts), answers: [...entry.measurement.answers] };
    });
    return { ...head, items, ...tail };
  }

  /** What JSON.stringify makes of the release, but faster: texts of items are made only once. @internal */
  toText(): string {
    const [head, tail] = this.#aroundItems().map((part) => JSON.stringify(part));
    const items = this.items.map((entry) => itemText(entry, this.facts));
    return `${head.slice(0, -1)},"items":[${items.join()}],${tail.slice(1)}`;
  }

  /** What release.json has before and after its items. */
  #aroundItems() {
    const { mechanism, auto, estimate, stages, neighbours, publicRows, epsilon, delta, rho, candidates, ...rest } =
      this.facts;
    const classes = toldClasses(this.classes);
    const head = {
      standin: VERSION,
      mechanism,
      ...(auto === undefined ? {} : { auto }),
      estimate,
      ...(stages === undefined ? {} : { stages }),
      neighbours,
      ...(publicRows === undefined ? {} : { publicRows }),
      epsilon,
      delta,
      rho,
    };
    return [head, { schema: this.schema.toJSON(), ...rest, ...(classes && { classes }) }] as const;
  }
}

/** An item with its `noise`, which follows from the rest of the release: it is written once that is complete. */
function withNoise(item: MeasurementJson, { total, unfinished }: ReleaseFacts) {
  return { ...item, ...(unfinished ? {} : { noise: noiseJson(item, total) }) };
}

/** Texts of items that were written with this total; `undefined` if it was not known yet. */
const texts = new WeakMap<ReleasedItem, { readonly total: number | undefined; readonly text: string }>();

function itemText(entry: ReleasedItem, facts: ReleaseFacts): string {
  const total = facts.unfinished ? undefined : facts.total;
  const before = texts.get(entry);
  if (before && before.total === total) return before.text;
  const isChoice = "chosen" in entry;
  const item = JSON.stringify(isChoice ? entry.item : withNoise(entry.item, facts)).slice(0, -1);
  const text = isChoice
    ? `${item},"chosen":[${entry.chosen}]}`
    : `${item},"answers":[${entry.measurement.answers.join()}]}`;
  texts.set(entry, { total, text });
  return text;
}

/**
 * The guarantee that may be given: none if a fact of the schema was read from the rows, or if the noise can be known.
 */
export function guaranteeOf(
  ledger: Ledger,
  schema: Schema,
  noiseIsKnown: boolean,
): { guarantee: Guarantee | null; noGuarantee?: string } {
  if (noiseIsKnown)
    return {
      guarantee: null,
      noGuarantee: "NOT differentially private: the noise was drawn from a known key, for tests.",
    };
  const read = schema.readFacts;
  if (read.length)
    return {
      guarantee: null,
      noGuarantee: `NOT differentially private: ${thousands(read.length)} fact${read.length === 1 ? " was" : "s were"} read from the rows: ${read.join(", ")}.`,
    };
  const unit = unitJson(ledger.unit);
  return { guarantee: { epsilon: ledger.epsilon, delta: ledger.delta, unit, neighbours: ledger.neighbours } };
}
