// How dates and times are written: texts ↔ moments.
import { civilDate, dayNumber, daysInMonth, daysInYear } from "./calendar.js";
import {
  DIRECTIVES,
  directive,
  type Fields,
  literal,
  type Offset,
  optionalFraction,
  optionalOffset,
  type Part,
  type Piece,
  type PieceFacts,
} from "./directives.js";
import { wrong } from "./validate.js";

export type { Offset, Part } from "./directives.js";

/** What a text states: a day (0 if it states none), a second of that day, and more. */
export interface Moment {
  /** Days since 1970-01-01. */
  readonly days: number;
  /** 0 … 86,399. */
  readonly second: number;
  /** The digits after the decimal point of the second. */
  readonly fraction: string;
  /** `undefined` where none is stated. */
  readonly offset?: Offset;
}

/** One way of writing moments. */
export class Pattern {
  /** The parts that it states, in order. */
  readonly tells: readonly Part[];
  /** Its pieces, for the engine. */
  readonly facts: readonly PieceFacts[];
  readonly #pieces: readonly Piece[];
  readonly #regexp: RegExp;

  constructor(pieces: readonly Piece[]) {
    this.tells = pieces.flatMap(({ tells }) => tells);
    this.facts = pieces.map(({ facts }) => facts);
    this.#pieces = pieces;
    this.#regexp = new RegExp(`^\\s*${pieces.map(({ source }) => `(${source})`).join("")}\\s*$`, "i");
  }

  /** The moment that a text states; `undefined` if it does not match the pattern, or there is no such day or time. */
  read(text: string): Moment | undefined {
    const match = this.#regexp.exec(text);
    if (!match) return undefined;
    const fields = nothingTold();
    for (let at = 0; at < this.#pieces.length; at++)
      if (!this.#pieces[at].take(match[at + 1], fields)) return undefined;
    const days = dayTold(fields);
    if (days === undefined) return undefined;
    const { hour, half, minute, second, fraction, offset } = fields;
    return { days, second: ((hour + 12 * half) * 60 + minute) * 60 + second, fraction, offset };
  }

  write({ days, second, fraction, offset }: Moment): string {
    const { year, month, day } = civilDate(days);
    const yearDay = days - dayNumber({ year, month: 1, day: 1 }) + 1;
    const hour = Math.floor(second / 3600);
    const [half, minute] = [hour < 12 ? 0 : 1, Math.floor(second / 60) % 60];
    const fields: Fields = { year, month, day, yearDay, hour, half, minute, second: second % 60, fraction, offset };
    let text = "";
    for (const piece of this.#pieces) text += piece.show(fields);
    return text;
  }
}

// Spelled out because spreading objects here takes longer than all the rest of reading a date.
const nothingTold = (): Fields => ({
  year: 1970,
  month: 1,
  day: 1,
  yearDay: 0,
  hour: 0,
  half: 0,
  minute: 0,
  second: 0,
  fraction: "",
  offset: undefined,
});

function dayTold({ year, month, day, yearDay }: Fields): number | undefined {
  if (yearDay) return yearDay <= daysInYear(year) ? dayNumber({ year, month: 1, day: 1 }) + yearDay - 1 : undefined;
  return day <= daysInMonth(year, month) ? dayNumber({ year, month, day }) : undefined;
}

/**
 * The pattern of a format such as `%d/%m/%Y`, with the directives %Y %y %m %d %j %b %B, %H %I %p %M %S %f, %z and %%.
 * Digits are read with or without leading zeros, unless two numeric directives are adjacent. `%-d` writes them without
 * leading zeros.
 * @throws {StandinError} `schema/format` for other directives, for parts stated twice, and for digits that cannot be
 *   separated
 */
export function parsePattern(where: string, format: string): Pattern {
  const spelled = `${where} has the format ${JSON.stringify(format)}`;
  const pieces = piecesOf(spelled, format);
  const pattern = new Pattern(pieces);
  const twice = pattern.tells.find((part, at) => pattern.tells.indexOf(part) < at);
  if (twice) throw wrong("format", `${spelled}, which gives the ${twice} twice.`, "Let it give each part once.");
  if (pieces.some(({ twelve }) => twelve) !== pattern.tells.includes("half"))
    throw wrong("format", `${spelled}, which has only one of %I and %p.`, "Use both, or %H.");
  return pattern;
}

/**
 * Two numeric directives with nothing between them. All of them then have their full width, because otherwise nobody
 * could tell where one ends.
 */
const ADJACENT = /%-?[YymdjHIMSf]%-?[YymdjHIMSf]/;

function piecesOf(spelled: string, format: string): Piece[] {
  const adjacent = ADJACENT.exec(format);
  if (adjacent?.[0].includes("-"))
    throw wrong(
      "format",
      `${spelled}, whose digits cannot be told apart.`,
      "Leave the minus out, or put a separator between the directives.",
    );
  return Array.from(format.matchAll(/%(-?.?)|[^%]+/gsu), ([text, letters]) => {
    const piece = letters === undefined ? literal(text) : directive(letters, adjacent !== null);
    if (piece) return piece;
    throw wrong(
      "format",
      `${spelled}, in which ${JSON.stringify(text)} is not known.`,
      `Known: ${DIRECTIVES}, and %% for a per cent sign.`,
    );
  });
}

const ISO_DATE = piecesOf("ISO 8601", "%Y-%m-%d");
const ISO_TIME = [...piecesOf("ISO 8601", "%H:%M:%S"), optionalFraction];

/**
 * The meaning of the format `default`: ISO 8601, extended. A datetime may have a blank instead of its T, and may have
 * an offset.
 */
export const ISO = {
  date: new Pattern(ISO_DATE),
  time: new Pattern(ISO_TIME),
  datetime: new Pattern([...ISO_DATE, literal("T", " "), ...ISO_TIME, optionalOffset]),
};
