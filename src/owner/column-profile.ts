import { compareDecimals, type Decimal, trimmed } from "../notation/decimal.js";
import type { FieldFacts, Recogniser, ValueStatistics } from "./recognise.js";

/** What may mean "missing" where it stands beside values that it is none of; in any case, with blanks around. */
const GAPS = new Set([
  ...["", "-", "--", "---", ".", "..", "...", "?", "*"],
  ...["na", "n/a", "#n/a", "n.a.", "n", "nan", "null", "nil", "none", "#null!", "\\n", "(null)"],
  ...["unknown", "missing", "not available", "k.a.", "keine angabe"],
]);
/** Most different texts that a column remembers, and most characters of them. */
const REMEMBERED = 16_384;
const REMEMBERED_CHARACTERS = 1 << 20;
const MOST_WORDS = 64;

/** A type that all cells of a column fit, gaps aside. */
export interface TypedColumn {
  readonly recogniser: Recogniser;
  readonly seen: ValueStatistics;
  /** What a field of it says. */
  readonly facts: FieldFacts;
  /** Whether the same type, written in another way, would give the texts other values. */
  readonly doubtful: boolean;
}

type Fitting = Omit<TypedColumn, "doubtful">;

/**
 * What one column holds, in bounded room: its different texts as far as they are remembered, and which types all its
 * cells fit.
 */
export class ColumnProfile {
  readonly #texts = new Map<string, number>();
  #characters = 0;
  #candidates: Candidate[];
  /** Cells that are not blank. */
  cells = 0;
  /** Whether a remembered text came again, gaps aside. */
  repeated = false;
  /** Whether there were more different texts than are remembered. */
  forgotten = false;
  longest = 0;
  /** Most words in a text, counted up to `MOST_WORDS`. */
  words = 0;

  constructor(
    readonly name: string,
    recognisers: readonly Recogniser[],
  ) {
    this.#candidates = recognisers.map((recogniser) => new Candidate(recogniser));
  }

  add(text: string): void {
    if (text.trim() !== "") this.cells++;
    const times = this.#texts.get(text);
    if (times === undefined) this.#addNew(text);
    else {
      this.#texts.set(text, times + 1);
      if (!this.repeated) this.repeated = !isGap(text);
    }
  }

  /**
   * The most believable type of all cells, one that writes them as they were before others; `undefined` where only text
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

  /** The remembered texts that are blank or, with a type, none of its values: how often each came. */
  gaps(recogniser: Recogniser | undefined): [text: string, times: number][] {
    return [...this.#texts].filter(([text]) => text.trim() === "" || (recogniser && !recogniser.read(text.trim())));
  }

  /** The remembered texts but for these, in the order of their code points. */
  values(missing: ReadonlySet<string>): string[] {
    return [...this.#texts.keys()].filter((text) => !missing.has(text)).sort(byCodePoints);
  }

  #addNew(text: string): void {
    const gap = isGap(text);
    if (gap || (this.#texts.size < REMEMBERED && this.#characters < REMEMBERED_CHARACTERS)) {
      this.#texts.set(text, 1);
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

/** A recogniser and what it has seen. */
class Candidate {
  seen: ValueStatistics | undefined;

  constructor(readonly recogniser: Recogniser) {}

  /** Whether a text is one of the type's values, which is then among those seen. */
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

/** Whether two ways of writing a type, both as good, read other values out of the same texts. */
function contradicts({ recogniser, seen }: Fitting, best: Fitting): boolean {
  return (
    recogniser.type === best.recogniser.type &&
    seen.kept === best.seen.kept &&
    (compareDecimals(seen.minimum, best.seen.minimum) !== 0 || compareDecimals(seen.maximum, best.seen.maximum) !== 0)
  );
}

const isLess = (one: Decimal, other: Decimal) => compareDecimals(one, other) < 0;

/** Euclid's algorithm; 0 where both are. */
function commonDivisor(one: bigint, other: bigint): bigint {
  if (one === 1n) return one;
  let [a, b] = [one < 0n ? -one : one, other < 0n ? -other : other];
  while (b) [a, b] = [b, a % b];
  return a;
}

const byCodePoints = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
