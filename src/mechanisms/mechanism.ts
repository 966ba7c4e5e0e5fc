import type { OnProgress } from "../core/progress.js";
import type { SelectionItem } from "../privacy/items.js";
import type { BudgetTerms, Schedule } from "../privacy/plan.js";
import type { Measurement } from "../queries/measurement.js";
import type { Query } from "../queries/query.js";
import type { Attribute } from "../schema/schema.js";

/** Settings of a mechanism's projection, as a release records them: names and numbers only. */
export type Settings = Readonly<Record<string, string | number>>;

/** What the rows are made to match: estimates from all noisy answers (`shrunk`), or the noisy answers themselves (`raw`). */
export type EstimateName = "shrunk" | "raw";

/** Everything that a projection may see: the noisy answers and public facts. */
export interface ProjectionInput {
  readonly attributes: readonly Attribute[];
  readonly measurements: readonly Measurement[];
  /** N̂ or the declared n. */
  readonly total: number;
  /** How many rows to make. */
  readonly rows: number;
  /** The search seed, 32 bits; it has nothing to do with the noise. */
  readonly seed: number;
  readonly estimate: EstimateName;
  readonly settings: Settings;
  /** Whether rounds chose what was measured: the queries that the rows were most wrong about. */
  readonly chosen?: boolean;
  /** Rows to go on from, as many as there are; repeated where more are made. */
  readonly warm?: readonly Uint16Array[];
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
}

/** How a search went; all of it is about noisy answers. */
export interface SearchOutcome {
  /** Σ (target − count)² over all cells, in rows of the searched table: at the start and at the end. */
  readonly startLoss: number;
  readonly loss: number;
  /** Sweeps or generations, and one-cell moves scored. */
  readonly steps: number;
  readonly candidates: number;
  /** Which rule stopped it, as a sentence. */
  readonly stop: string;
}

/** Synthetic rows as codes. */
export interface SyntheticRows extends SearchOutcome {
  /** One array an attribute, `rows` long. */
  readonly codes: Uint16Array[];
  /** Random words for the values inside leaves and bins, one a row, in streams 0 up. */
  uniforms(stream: number): Uint32Array;
}

/** What a user may ask of a selection; the mechanism has defaults for all of it. */
export interface SelectionOptions {
  /** By what the queries of a workload are chosen in rounds; `"none"` measures all of them at once. */
  selection?: "none" | "max" | "l1" | "aim";
  /** How many rounds, 1 or more. */
  rounds?: number;
  /** How many queries a round chooses, 1 or more. */
  perRound?: number;
  /**
   * In how many stages a workload is measured without rounds: 1, all of it at once and with equal shares; 2, one-ways first, whose noisy
   * answers then decide the shares and resolutions of the rest.
   */
  stages?: 1 | 2;
}

/** One round as it is drawn: the choice of `item.picks` of the candidates, then a measurement of each of them. */
export interface Round {
  readonly item: SelectionItem;
  readonly candidates: readonly RoundCandidate[];
  /** The share of one measurement, in ledger units. */
  readonly measurementShare: bigint;
  readonly isLast: boolean;
}

export interface RoundCandidate {
  /** Its place in `ledger.candidates`. */
  readonly number: number;
  /** Its score is `weight` times its distance, less `bias`, in the units of the item's score. */
  readonly weight: number;
  readonly bias: bigint;
}

/** What a round may be decided by: nothing but noisy answers and what was made of them. */
export interface Seen {
  /** The queries that the last round chose. */
  readonly chosen: readonly Query[];
  /** The answers of the present rows, and of those before the last round, as counts of N̂ rows. */
  answers(query: Query): Int32Array;
  before(query: Query): Int32Array;
}

/** Decides one round after the other. */
export interface Rounds {
  /** How many there will be, where the plan says so. */
  readonly count?: number;
  /** Called until a round is the last. */
  next(seen: Seen): Round;
}

/** What a second stage may be decided by: the noisy answers of the first, and public facts. */
export interface FirstAnswers {
  readonly workload: readonly Query[];
  /** What of the workload may be left out, in the order in which a choice numbers it. */
  readonly candidates: readonly Query[];
  readonly attributes: readonly Attribute[];
  readonly measurements: readonly Measurement[];
  /** N̂ or the declared n. */
  readonly total: number;
  /** What of the budget the second stage has, 0 to 1. */
  readonly left: number;
}

/** A query to be measured, and its part, 0 to 1, of what there is for all. */
export interface SharedQuery {
  readonly query: Query;
  readonly share: number;
}

/** A candidate of a choice, and what its answers are compared with: one integer a cell, 0 … 2^30. */
export interface Expected extends RoundCandidate {
  targets(): Int32Array;
}

/** A second stage in three steps, each decided by what was drawn before it. */
export interface SecondStage {
  /** Measured at once: columns by themselves. */
  readonly oneWays: readonly SharedQuery[];
  /** Of the stage's candidates so many are chosen, by the score "aim", for this part of what there is; all of them, or none, without it. */
  readonly choice?: {
    readonly picks: number;
    readonly share: number;
    candidates(measurements: readonly Measurement[]): readonly Expected[];
  };
  /** What is measured then. @param chosen of the candidates: all of them without a choice */
  tables(chosen: readonly Query[], measurements: readonly Measurement[]): readonly SharedQuery[];
}

/** A mechanism: which queries it measures (its selection) and how it finds rows that answer alike (its projection). */
export interface Mechanism {
  readonly name: string;
  /**
   * What to measure for a workload, in which rounds, and with which shares of the budget: a rule on public facts alone.
   * @throws {StandinError} `options/…` where that cannot be met
   */
  schedule(
    workload: readonly Query[],
    attributes: readonly Attribute[],
    estimate: EstimateName,
    budget: BudgetTerms,
    asked: SelectionOptions,
  ): Schedule;
  /** What to choose and measure with the weight that the schedule keeps for a second stage; only mechanisms that schedule one have this. */
  secondStage?(first: FirstAnswers): SecondStage;
  /**
   * The projection's settings from the user's, filled up with defaults.
   * @throws {StandinError} `mechanism/settings`
   */
  settings(asked: Settings): Settings;
  /**
   * What the rows match, from what the user asked for and the projection's settings.
   * @throws {StandinError} `options/estimate`
   */
  estimate(asked: string | undefined, settings: Settings): EstimateName;
  /** Engine memory in bytes that the projection needs for `rows` rows. */
  memory(attributes: readonly Attribute[], queries: readonly Query[], rows: number): number;
  project(input: ProjectionInput): Promise<SyntheticRows>;
}
