// Recognises the type of a cell's text. Each recogniser knows one way of writing one type, and the facts of a field of
// it.
import {
  compareDecimals,
  type Decimal,
  floorDivide,
  formatDecimal,
  orderOf,
  parseDecimal,
  trimmed,
  unitsAt,
} from "../notation/decimal.js";
import { canonical } from "../notation/numbers.js";
import { areCodes, cellsWithExponents, type SeenExponents, seenExponents } from "./recognise-exponents.js";
import { moments } from "./recognise-moments.js";

/** Statistics of a column's values, as a recogniser read them. */
export interface ValueStatistics {
  readonly minimum: Decimal;
  readonly maximum: Decimal;
  /** The text of the least value. */
  readonly minimumText: string;
  /** Decimals of the value that has the most, ignoring trailing zeros. */
  readonly decimals: number;
  /** Decimals of the text that has the most. */
  readonly places: number;
  /** The greatest whole number that divides all values; 1 if any value has decimals. */
  readonly divisor: bigint;
  /** Whether the type writes all of them back unchanged. */
  readonly kept: boolean;
}

/** One way of writing one type. */
export interface Recogniser {
  readonly type: "boolean" | "integer" | "number" | "year" | "date" | "datetime" | "time";
  /** The text's value as a number in the order of the type; `undefined` if it is not a value of the type. */
  read(text: string): Decimal | undefined;
  /** Whether a text that it reads is spelled as it would write that value. */
  keeps(text: string): boolean;
  /**
   * The facts of a field that holds such values; `undefined` if this type does not suit them.
   * @param texts the remembered texts of the column, and how many cells have each
   */
  facts(seen: ValueStatistics, texts: ReadonlyMap<string, number>): FieldFacts | undefined;
}

/** Members of a field, as in Table Schema, and those of its `standin` block. */
export interface FieldFacts {
  readonly members: Readonly<Record<string, unknown>>;
  readonly constraints?: Readonly<Record<string, unknown>>;
  readonly block?: Readonly<Record<string, unknown>>;
}

/** A JavaScript number cannot distinguish more grid points than this. */
const MOST_POINTS = 2n ** 53n;

const made = new Map<string, readonly Recogniser[]>();

/**
 * The recognisers of a column, most plausible first.
 * @param name a number is only taken for a year if the column's name suggests one
 * @param delimiter if it is a semicolon, a lone comma is a decimal comma rather than a thousands separator
 */
export function recognisersFor(name: string, delimiter: string): readonly Recogniser[] {
  const year = YEAR_NAME.test(name);
  const commaFirst = delimiter === ";";
  const key = `${year} ${commaFirst}`;
  const known = made.get(key) ?? allRecognisers(year, commaFirst);
  made.set(key, known);
  return known;
}

function allRecognisers(year: boolean, commaFirst: boolean): Recogniser[] {
  const styles = commaFirst ? [...COMMA_STYLES, ...POINT_STYLES] : [...POINT_STYLES, ...COMMA_STYLES];
  return [
    ...BOOLEAN_WORDS.map(([yes, no]) => booleanOf(yes, no)),
    ...(year ? [YEAR] : []),
    ...moments("date"),
    INTEGER,
    ...[PLAIN, ...styles].flatMap((style) => AFFIXES.map((affix) => numberOf(style, affix))),
    ...[PLAIN, COMMA_STYLES[0]].map((style) => numberOf(style, ZEROLESS)),
    ...moments("datetime"),
    ...moments("time"),
  ];
}

const always = () => true;

// Booleans

const BOOLEAN_WORDS: readonly (readonly [string, string])[] = [
  ["true", "false"],
  ["True", "False"],
  ["TRUE", "FALSE"],
  ["yes", "no"],
  ["Yes", "No"],
  ["YES", "NO"],
  ["y", "n"],
  ["Y", "N"],
  ["t", "f"],
  ["T", "F"],
  ["ja", "nein"],
  ["Ja", "Nein"],
  ["oui", "non"],
  ["Oui", "Non"],
];

function booleanOf(yes: string, no: string): Recogniser {
  return {
    type: "boolean",
    read: (text) => (text === yes ? whole(1n) : text === no ? whole(0n) : undefined),
    keeps: always,
    // One of the words alone may mean anything.
    facts: ({ minimum, maximum }) =>
      minimum.units === maximum.units
        ? undefined
        : { members: { type: "boolean", trueValues: [yes], falseValues: [no] } },
  };
}

// Numbers

/** Leading zeros and a plus sign indicate a code. */
const INTEGER: Recogniser = {
  type: "integer",
  read: (text) => (/^-?(?:0|[1-9]\d{0,399})$/.test(text) ? parseDecimal(text) : undefined),
  keeps: always,
  facts: (seen) => numeric(seen, { type: "integer" }),
};

const YEAR_NAME = /(?:^|[^a-z])(?:year|yr|jahr|ann[ée]e|an|a[ñn]o|anno)(?:[^a-z]|$)|[a-z]Year|year$/i;
const YEAR: Recogniser = {
  type: "year",
  read: (text) => (/^[12]\d{3}$/.test(text) ? parseDecimal(text) : undefined),
  keeps: always,
  facts: (seen) => numeric(seen, { type: "year" }),
};

/** How a number is written: its decimal sign and what may separate thousands. */
interface Style {
  readonly decimal: "." | ",";
  readonly group: "" | "," | "." | " " | "'" | "\u00a0" | "\u202f";
}

const PLAIN: Style = { decimal: ".", group: "" };
const COMMA_STYLES: readonly Style[] = [
  { decimal: ",", group: "" },
  { decimal: ",", group: "." },
  { decimal: ",", group: " " },
  { decimal: ",", group: "\u00a0" },
  { decimal: ",", group: "\u202f" },
];
const POINT_STYLES: readonly Style[] = [
  { decimal: ".", group: "," },
  { decimal: ".", group: "'" },
  { decimal: ".", group: " " },
];

/** The text before or after a number's digits. */
interface Affix {
  readonly prefix?: string;
  readonly suffix?: string;
  /** The fewest digits before the decimal sign, if not 1. */
  readonly width?: 0;
}

const CURRENCIES = ["$", "€", "£", "¥"];
const CURRENCY_CODES = ["EUR", "USD", "CHF"];
const AFFIXES: readonly Affix[] = [
  {},
  ...[...CURRENCIES, ...CURRENCY_CODES].flatMap((sign) => [{ prefix: sign }, { prefix: `${sign} ` }]),
  ...[...CURRENCIES, "%", ...CURRENCY_CODES].flatMap((sign) => [{ suffix: sign }, { suffix: ` ${sign}` }]),
];

/** As in .5 */
const ZEROLESS: Affix = { width: 0 };

function numberOf({ decimal, group }: Style, affix: Affix): Recogniser {
  const plainDigits = "(?:0|[1-9]\\d*)";
  const grouped = group ? `(?:[1-9]\\d{0,2}(?:${escaped(group)}\\d{3})+|${plainDigits})` : plainDigits;
  // A number with more digits and no point than a measurement would have is a code.
  const mantissa = (before: string) => `(?:${before}?${escaped(decimal)}\\d+|(?!\\d{16})${before})`;
  // Nobody groups thousands in front of an exponent.
  const body = `(?:${mantissa(plainDigits)}[eE][+-]?\\d{1,3}|${mantissa(grouped)})`;
  const { prefix = "", suffix = "" } = affix;
  // A minus sign may also come after the prefix, but is not written there.
  const signed = prefix ? `(?:(-?)${escaped(prefix)}|${escaped(prefix)}(-))` : "(-?)()";
  const pattern = new RegExp(`^${signed}(${body})${escaped(suffix)}$`);
  const respelled = new RegExp(affix.width === 0 ? `^-?0${escaped(decimal)}` : `^\\D*${escaped(decimal)}\\d`);
  const members = {
    type: "number",
    ...(decimal === "." ? {} : { decimalChar: decimal }),
    ...(group ? { groupChar: group } : {}),
    ...(prefix || suffix ? { bareNumber: false } : {}),
  };
  const read = (text: string) => {
    const match = pattern.exec(text);
    if (!match) return undefined;
    const [, sign, signBehind = "", digits] = match;
    const plain = group ? digits.replaceAll(group, "") : digits;
    return parseDecimal((sign || signBehind) + plain.replace(decimal, "."));
  };
  return {
    type: "number",
    read,
    keeps: (text) => !respelled.test(text) && !(prefix && text.startsWith(`${prefix}-`)),
    facts(seen, texts) {
      const cells = cellsWithExponents(texts, escaped(decimal), read);
      if (areCodes(cells)) return undefined;
      const exponents = seenExponents(cells);
      return exponents ? withExponents(seen, members, affix, exponents) : numeric(seen, members, blockOf(affix));
    },
  };
}

/**
 * A number field with exponents. If all mantissas have the same length, its steps are the smallest that they can
 * express at the largest magnitude.
 */
function withExponents(
  seen: ValueStatistics,
  members: FieldFacts["members"],
  { width, ...around }: Affix,
  { format, fixed, places }: SeenExponents,
): FieldFacts | undefined {
  const { minimum, maximum, decimals } = seen;
  const negated = { ...minimum, units: -minimum.units };
  const largest = compareDecimals(negated, maximum) > 0 ? minimum : maximum;
  const finest = fixed === undefined ? decimals : Math.min(decimals, fixed - orderOf(largest));
  const mixed = format.plainFrom ?? format.plainBelow;
  const block = blockOf({ ...around, ...(mixed && { width }), ...format });
  return numeric({ ...seen, decimals: finest, places }, members, block);
}

/** The block of a format, without members that are not set. */
function blockOf(format: object): FieldFacts["block"] {
  const stated = Object.entries(format).filter(([, value]) => value !== undefined);
  return stated.length ? { format: Object.fromEntries(stated) } : {};
}

const escaped = (text: string) => text.replace(/[.$ ]/g, "\\$&");

/** A numeric field: bounds rounded outwards, and for numbers a step with as many decimals as were seen and as fit. */
function numeric(
  { minimum, maximum, decimals, places }: ValueStatistics,
  members: FieldFacts["members"],
  block: FieldFacts["block"] = {},
): FieldFacts | undefined {
  const scale = Math.max(minimum.scale, maximum.scale, decimals);
  let granularity = 10n ** BigInt(scale - decimals);
  const unit = roundingUnit(unitsAt(maximum, scale) - unitsAt(minimum, scale), granularity);
  const low = floorDivide(unitsAt(minimum, scale), unit) * unit;
  const high = -floorDivide(-unitsAt(maximum, scale), unit) * unit;
  const constraints = { minimum: jsonNumber({ units: low, scale }), maximum: jsonNumber({ units: high, scale }) };
  if (members.type !== "number") return (high - low) / granularity < MOST_POINTS ? { members, constraints } : undefined;
  while ((high - low) / granularity >= MOST_POINTS) granularity *= 10n;
  const step = trimmed({ units: granularity, scale });
  return { members, constraints, block: { ...block, granularity: stepJson(step, step.scale < decimals ? 0 : places) } };
}

/**
 * A step in JSON. It is in quotes if it has more decimals than it needs: a column that writes 5.00 and 7.50 has steps
 * of "0.50".
 */
function stepJson(step: Decimal, places: number): number | string {
  return step.scale < places ? formatDecimal({ units: unitsAt(step, places), scale: places }) : jsonNumber(step);
}

/**
 * The unit that bounds are multiples of: 1, 2 or 5 times a power of ten, at most a fifth of the range, and not below
 * the finest.
 */
function roundingUnit(range: bigint, finest: bigint): bigint {
  let unit = finest;
  for (let power = finest; ; power *= 10n)
    for (const digit of [1n, 2n, 5n]) {
      if (5n * digit * power > range) return unit;
      unit = digit * power;
    }
}

/** A decimal in JSON: a number if every JSON reader represents it exactly, otherwise its text. */
function jsonNumber(value: Decimal): number | string {
  const text = canonical(value);
  const number = Number(text);
  const back = parseDecimal(String(number));
  return back && canonical(back) === text && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : text;
}

function whole(units: bigint): Decimal {
  return { units, scale: 0 };
}
