import { compareDecimals, type Decimal, trimmed } from "../notation/decimal.js";
import type { FieldFacts, Recogniser, ValueStatistics } from "./recognise.js";

/**
 * Texts that may mean "missing" if they are not values of their column's type, in upper or lower case and with blanks
 * around them.
 */
const GAPS = new Set([
  ...["", "-", "--", "---", ".", "..", "...", "?", "*"],
  ...["na", "n/a", "#n/a", "n.a.", "n", "nan", "null", "nil", "none", "#null!", "\\n", "(null)"],
  ...["unknown", "missing", "not available", "k.a.", "keine angabe"],
]);
/** The largest number of distinct texts that a column remembers, and of characters in them. */
export const REMEMBERED = 16_384;
const REMEMBERED_CHARACTERS = 1 << 20;
const MOST_WORDS = 64;

/** A type that all cells of a column fit, gaps aside. */
export interface TypedColumn {
  readonly recogniser: Recogniser;
  readonly seen: ValueStatistics;
  /** The facts that a field of this type states. */
  readonly facts: FieldFacts;
  /** Whether the same type, written in another way, would give the texts other values. */
  readonly doubtful: boolean;
}

type Fitting = Omit<TypedColumn, "doubtful">;

/**
 * What one column holds, in bounded memory: its distinct texts as far as they are remembered, and the types that all
 * its cells fit.
 */
export class ColumnProfile {
  readonly #texts = new Map<string, number>();
  #characters = 0;
  #candidates: Candidate[];
  /** Number of cells that are not blank. */
  cells = 0;
  /** Whether a remembered text occurred again, gaps aside. */
  repeated = false;
  /** Whether there were more distinct texts than are remembered. */
  forgotten = false;
  longest = 0;
  /** The largest number of words in a text, counted up to `MOST_WORDS`. */
  words = 0;

  constructor(
    readonly name: string,
    recognisers: readonly Recogniser[],
  ) {
    this.#candidates = recognisers.map((recogniser) => new Candidate(recogniser));
  }

  /** Takes a text that occurred `times` times. The same text may be taken several times; all of them count. */
  add(text: string, times = 1): void {
    if (text.trim() !== "") this.cells += times;
    const before = this.#texts.get(text);
    if (before === undefined) this.#addNew(text, times);
    else this.#texts.set(text, before + times);
    if (!this.repeated && (this.#texts.get(text) ?? 0) > 1) this.repeated = !isGap(text);
  }

  /**
   * The most plausible type of all cells. A type that writes them back unchanged is preferred. `undefined` if only text
   * fits.
   */
  typed(): TypedColumn | undefined {
    const fitting = this.#candidates.flatMap(({ recogniser, seen }): Fitting[] => {
      const facts = seen && recogniser.facts(seen, this.#texts);
      return facts ? [{ recogniser, seen, facts }] : [];
    });
    const best = fitting.find(({ seen }) => seen.kept) ?? fitting[0];
    return best && { ...best, doubtful: fitting.some((other) => contradicts(other, best)) };
  }

  /** The remembered texts that are blank or, given a type, not one of its values, with how often each occurred. */
  gaps(recogniser: Recogniser | undefined): [text: string, times: number][] {
    return [...this.#texts].filter(([text]) => text.trim() === "" || (recogniser && !recogniser.read(text.trim())));
  }

  /** The remembered texts except these, ordered by code points. */
  values(missing: ReadonlySet<string>): string[] {
    return [...this.#texts.keys()].filter((text) => !missing.has(text)).sort(byCodePoints);
  }

  #addNew(text: string, times: number): void {
    const gap = isGap(text);
    if (gap || (this.#texts.size < REMEMBERED && this.#characters < REMEMBERED_CHARACTERS)) {
      this.#texts.set(text, times);
      this.#characters += text.length;
    } else this.forgotten = true;
    const plain = text.trim();
    if (plain === "") return;
    this.longest = Math.max(this.longest, plain.length);
    this.words = Math.max(this.words, plain.split(/\s+/, MOST_WORDS).length);
    this.#candidates = this.#candidates.filter((candidate) => candidate.take(plain) || gap);
  }
}

/** Whether a text may mean "missing". */
export const isGap = (text: string) => GAPS.has(text.trim().toLowerCase());

/** A recogniser and the statistics of what it has seen. */
class Candidate {
  seen: ValueStatistics | undefined;

  constructor(readonly recogniser: Recogniser) {}

  /** Whether a text is one of the type's values. If so, it is added to those seen. */
  take(text: string): boolean {
    const value = this.recogniser.read(text);
    if (!value) return false;
    const { units, scale } = trimmed(value);
    const whole = scale ? 1n : units;
    const before = this.seen ?? {
      ...{ minimum: value, maximum: value, minimumText: text },
      ...{ decimals: scale, places: value.scale, divisor: whole, kept: true },
    };
    const lower = isLess(value, before.minimum);
    this.seen = {
      minimum: lower ? value : before.minimum,
      maximum: isLess(before.maximum, value) ? value : before.maximum,
      minimumText: lower ? text : before.minimumText,
      decimals: Math.max(scale, before.decimals),
      places: Math.max(value.scale, before.places),
      divisor: commonDivisor(before.divisor, whole),
      kept: before.kept && this.recogniser.keeps(text),
    };
    return true;
  }
}

/** Whether two equally good ways of writing a type read different values from the same texts. */
function contradicts({ recogniser, seen }: Fitting, best: Fitting): boolean {
  return (
    recogniser.type === best.recogniser.type &&
    seen.kept === best.seen.kept &&
    (compareDecimals(seen.minimum, best.seen.minimum) !== 0 || compareDecimals(seen.maximum, best.seen.maximum) !== 0)
  );
}

const isLess = (one: Decimal, other: Decimal) => compareDecimals(one, other) < 0;

/** Euclid's algorithm; 0 if both are 0. */
function commonDivisor(one: bigint, other: bigint): bigint {
  if (one === 1n) return one;
  let [a, b] = [one < 0n ? -one : one, other < 0n ? -other : other];
  while (b) [a, b] = [b, a % b];
  return a;
}

const byCodePoints = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
