// The pieces of date and time patterns: literals, and the directives of strptime (IEEE Std 1003.1) with English words.
import {
  PIECE_DAY,
  PIECE_FRACTION,
  PIECE_HALF,
  PIECE_HOUR,
  PIECE_LITERAL,
  PIECE_MINUTE,
  PIECE_MONTH,
  PIECE_MONTH_NAME,
  PIECE_OFFSET,
  PIECE_POINT,
  PIECE_SECOND,
  PIECE_SHORT_YEAR,
  PIECE_TWELVE,
  PIECE_YEAR,
  PIECE_YEAR_DAY,
} from "../engine/layout.js";

/** An offset from UTC: seconds east of it, and as it was written. */
export interface Offset {
  readonly seconds: number;
  readonly text: string;
}

/** A part of a moment that a directive may state. */
export type Part = "year" | "month" | "day" | "hour" | "half" | "minute" | "second" | "fraction" | "offset";

interface Numbers {
  year: number;
  month: number;
  day: number;
  /** 1 … 366, or 0 where the month and its day are stated. */
  yearDay: number;
  hour: number;
  /** 1 after noon, where it is stated with a 12-hour clock. */
  half: number;
  minute: number;
  second: number;
}

export interface Fields extends Numbers {
  /** The digits after the decimal point of the second. */
  fraction: string;
  /** `undefined` where none is stated. */
  offset?: Offset;
}

/** What the engine knows of a piece: the members of its struct PIECE. */
export interface PieceFacts {
  readonly kind: number;
  readonly least: number;
  readonly most: number;
  /** The fewest digits that are written. */
  readonly width: number;
  readonly words?: readonly string[];
  /** The text of a literal. */
  readonly text?: string;
  /** A character that is read as a literal of one character. */
  readonly also?: string;
}

/** A literal, or a directive. */
export interface Piece {
  readonly facts: PieceFacts;
  readonly tells: readonly Part[];
  /** Whether its hour is on the 12-hour clock. */
  readonly twelve?: boolean;
  /** The regular expression of its text, without capturing groups. */
  readonly source: string;
  /** Stores what a text states in the fields. Returns false if the text is impossible. */
  take(text: string, fields: Fields): boolean;
  show(fields: Fields): string;
}

/** The digits that a directive stands for, and how they relate to the field that they state. */
interface Digits {
  readonly kind: number;
  readonly tells: readonly Part[];
  readonly field: keyof Numbers;
  readonly width: number;
  readonly bounds: readonly [number, number];
  readonly twelve?: boolean;
  readonly stored?: (digits: number) => number;
  readonly shown?: (field: number) => number;
}

const DIGITS: Readonly<Record<string, Digits>> = {
  Y: { kind: PIECE_YEAR, tells: ["year"], field: "year", width: 4, bounds: [0, 9999] },
  y: {
    kind: PIECE_SHORT_YEAR,
    tells: ["year"],
    field: "year",
    width: 2,
    bounds: [0, 99],
    // As in POSIX: 69 … 99 are years of the twentieth century.
    stored: (digits) => digits + (digits < 69 ? 2000 : 1900),
    shown: (year) => year % 100,
  },
  m: { kind: PIECE_MONTH, tells: ["month"], field: "month", width: 2, bounds: [1, 12] },
  d: { kind: PIECE_DAY, tells: ["day"], field: "day", width: 2, bounds: [1, 31] },
  j: { kind: PIECE_YEAR_DAY, tells: ["month", "day"], field: "yearDay", width: 3, bounds: [1, 366] },
  H: { kind: PIECE_HOUR, tells: ["hour"], field: "hour", width: 2, bounds: [0, 23] },
  I: {
    kind: PIECE_TWELVE,
    tells: ["hour"],
    field: "hour",
    width: 2,
    bounds: [1, 12],
    twelve: true,
    stored: (digits) => digits % 12,
    shown: (hour) => ((hour + 11) % 12) + 1,
  },
  M: { kind: PIECE_MINUTE, tells: ["minute"], field: "minute", width: 2, bounds: [0, 59] },
  S: { kind: PIECE_SECOND, tells: ["second"], field: "second", width: 2, bounds: [0, 59] },
};

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];
const SHORT_MONTHS = MONTHS.map((name) => name.slice(0, 3));
const OFFSET = "Z|[+-](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?";

/** The directives, for messages. */
export const DIRECTIVES = "%Y %y %m %d %j %b %B %H %I %p %M %S %f %z";

/**
 * The directive of a letter, or `undefined` if there is none.
 * @param letters the letter, or a minus and the letter: digits are then written without leading zeros
 * @param fixed whether digits have their full width; otherwise leading zeros are optional
 */
export function directive(letters: string, fixed: boolean): Piece | undefined {
  switch (letters) {
    case "%":
      return literal("%");
    case "b":
      return words(PIECE_MONTH_NAME, "month", SHORT_MONTHS, 1);
    case "B":
      return words(PIECE_MONTH_NAME, "month", MONTHS, 1);
    case "p":
      return words(PIECE_HALF, "half", ["AM", "PM"], 0);
    case "f":
      return fraction(PIECE_FRACTION, fixed ? 6 : 1, 6, (digits) => digits.padEnd(6, "0"));
    case "z":
      return offset(true);
  }
  const letter = letters.replace("-", "");
  return letter in DIGITS ? digits(DIGITS[letter], fixed, letter === letters) : undefined;
}

/** A text that states nothing. @param also a character that is read in its place, if it is one character */
export const literal = (text: string, also?: string): Piece => ({
  facts: { kind: PIECE_LITERAL, least: 0, most: Array.from(text).length, width: 0, text, also },
  tells: [],
  source: also ? `[${text}${also}]` : text.replace(/[^\w\s]/gu, "\\$&"),
  take: () => true,
  show: () => text,
});

/** A point and the digits after the second, if there are any. */
export const optionalFraction = fraction(PIECE_POINT, 1, 18, (digits) => digits && `.${digits}`);

/** An offset from UTC, if there is one. */
export const optionalOffset = offset(false);

function digits(
  { kind, field, width, bounds, stored, shown, ...rest }: Digits,
  fixed: boolean,
  padded: boolean,
): Piece {
  // A year with fewer digits than its written width is rarely meant as such.
  const least = fixed || width === 4 || (field === "year" && padded) ? width : 1;
  return {
    ...rest,
    facts: { kind, least, most: width, width: padded ? width : 1 },
    source: `\\d{${least},${width}}`,
    take(text, fields) {
      const number = Number(text);
      fields[field] = stored ? stored(number) : number;
      return number >= bounds[0] && number <= bounds[1];
    },
    show(fields) {
      const text = String(shown ? shown(fields[field]) : fields[field]);
      return padded ? text.padStart(width, "0") : text;
    },
  };
}

/** @param first the number of the first word */
function words(kind: number, part: "month" | "half", list: readonly string[], first: number): Piece {
  const known = list.map((word) => word.toLowerCase());
  return {
    facts: { kind, least: 0, most: list.length, width: 0, words: list },
    tells: [part],
    source: list.join("|"),
    take(text, fields) {
      fields[part] = known.indexOf(text.toLowerCase()) + first;
      return true;
    },
    show: (fields) => list[fields[part] - first],
  };
}

function fraction(kind: number, least: number, most: number, shown: (digits: string) => string): Piece {
  const source = `\\d{${least},${most}}`;
  return {
    facts: { kind, least, most, width: 0 },
    tells: ["fraction"],
    source: kind === PIECE_POINT ? `(?:\\.${source})?` : source,
    take(text, fields) {
      fields.fraction = text.replace(".", "");
      return true;
    },
    show: (fields) => shown(fields.fraction),
  };
}

function offset(required: boolean): Piece {
  return {
    facts: { kind: PIECE_OFFSET, least: required ? 1 : 0, most: 0, width: 0 },
    tells: ["offset"],
    source: required ? OFFSET : `(?:${OFFSET})?`,
    take(text, fields) {
      if (text) fields.offset = { seconds: offsetSeconds(text), text };
      return true;
    },
    show: (fields) => fields.offset?.text ?? "",
  };
}

function offsetSeconds(text: string): number {
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(":", ""))];
  return (hours * 60 + minutes) * (text[0] === "-" ? -60 : 60);
}
