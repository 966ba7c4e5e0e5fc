// What a cell's text can be: each recogniser knows one way of writing one type, and what a field of it says.
import { type Decimal, floorDivide, formatDecimal, parseDecimal, trimmed, unitsAt } from "./decimal.js";

/** What a column's values were: the least and the greatest, how many decimals, as the recogniser read them. */
export interface Seen {
  readonly minimum: Decimal;
  readonly maximum: Decimal;
  /** The texts of the least and the greatest. */
  readonly minimumText: string;
  /** Decimals of the value that has the most, zeros at its end aside. */
  readonly decimals: number;
}

/** One way of writing one type. */
export interface Recogniser {
  readonly type: "boolean" | "integer" | "number" | "year" | "date" | "datetime" | "time";
  /** The place of a text among the type's values; `undefined` where it is none of them. */
  read(text: string): Decimal | undefined;
  /** What a field says that holds values from the least to the greatest seen; `undefined` where this type would not do. */
  facts(seen: Seen): FieldFacts | undefined;
}

/** Members of a field, as the Table Schema has them, and those of its `standin` block. */
export interface FieldFacts {
  readonly members: Readonly<Record<string, unknown>>;
  readonly constraints?: Readonly<Record<string, unknown>>;
  readonly block?: Readonly<Record<string, unknown>>;
}

/** More grid points than this cannot be told apart by a number of JavaScript. */
const MOST_POINTS = 2n ** 53n;

/**
 * The recognisers of a column, in the order in which they are believed.
 * @param name a number is only taken for a year where the column's name says so
 * @param delimiter between semicolons, a lone comma is a decimal one rather than a thousands sign
 */
export function recognisersFor(name: string, delimiter: string): Recogniser[] {
  const styles =
    delimiter === ";" ? [PLAIN, ...COMMA_STYLES, ...POINT_STYLES] : [PLAIN, ...POINT_STYLES, ...COMMA_STYLES];
  return [
    ...BOOLEAN_WORDS.map(([yes, no]) => booleanOf(yes, no)),
    ...(YEAR_NAME.test(name) ? [YEAR] : []),
    ...DATES,
    INTEGER,
    ...styles.flatMap((style) => [numberOf(style, false), numberOf(style, true)]),
    ...DATETIMES,
    ...TIMES,
  ];
}

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
    // One of the words alone may be anything.
    facts: ({ minimum, maximum }) =>
      minimum.units === maximum.units
        ? undefined
        : { members: { type: "boolean", trueValues: [yes], falseValues: [no] } },
  };
}

// Numbers

/** Leading zeros and a plus sign are those of codes. */
const INTEGER: Recogniser = {
  type: "integer",
  read: (text) => (/^-?(?:0|[1-9]\d{0,399})$/.test(text) ? parseDecimal(text) : undefined),
  facts: (seen) => numeric(seen, { type: "integer" }),
};

const YEAR_NAME = /(?:^|[^a-z])(?:year|yr|jahr|ann[ée]e|an|a[ñn]o|anno)(?:[^a-z]|$)|[a-z]Year|year$/i;
const YEAR: Recogniser = {
  type: "year",
  read: (text) => (/^[12]\d{3}$/.test(text) ? parseDecimal(text) : undefined),
  facts: (seen) => numeric(seen, { type: "year" }),
};

/** How a number is written: its decimal sign and what may stand between thousands. */
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

/** @param marked with a currency sign or a per cent sign */
function numberOf({ decimal, group }: Style, marked: boolean): Recogniser {
  const mark = marked ? "(?:[$€£¥%]|CHF|EUR|USD|GBP)?\\s*" : "";
  const digits = group ? `(?:0|[1-9]\\d{0,2}(?:\\${group}\\d{3})*|[1-9]\\d*)` : "(?:0|[1-9]\\d*)";
  // An exponent without point or sign, as in 1E5, is that of a code; so are more digits without a point than a measure has.
  const body = `${digits}?\\${decimal}\\d+(?:[eE][+-]?\\d{1,3})?|${digits}[eE][+-]\\d{1,3}|(?!\\d{16})${digits}`;
  const pattern = new RegExp(`^${mark}(-?)${mark}(${body})\\s*${mark}$`);
  return {
    type: "number",
    read(text) {
      const match = pattern.exec(text);
      if (!match) return undefined;
      const plain = group ? match[2].replaceAll(group, "") : match[2];
      return parseDecimal(match[1] + plain.replace(decimal, "."));
    },
    facts: (seen) =>
      numeric(seen, {
        type: "number",
        ...(decimal === "." ? {} : { decimalChar: decimal }),
        ...(group ? { groupChar: group } : {}),
        ...(marked ? { bareNumber: false } : {}),
      }),
  };
}

/** A numeric field: bounds rounded outwards, and for numbers the step of as many decimals as were seen and fit. */
function numeric({ minimum, maximum, decimals }: Seen, members: FieldFacts["members"]): FieldFacts | undefined {
  const fine = Math.max(minimum.scale, maximum.scale, decimals);
  const unit = roundingUnit(unitsAt(maximum, fine) - unitsAt(minimum, fine), fine);
  const scale = Math.max(fine, unit.scale);
  const step = unitsAt(unit, scale);
  const low = floorDivide(unitsAt(minimum, scale), step) * step;
  const high = -floorDivide(-unitsAt(maximum, scale), step) * step;
  const constraints = { minimum: jsonNumber({ units: low, scale }), maximum: jsonNumber({ units: high, scale }) };
  let granularity = 10n ** BigInt(scale - decimals);
  if (members.type !== "number") return (high - low) / granularity < MOST_POINTS ? { members, constraints } : undefined;
  while ((high - low) / granularity >= MOST_POINTS) granularity *= 10n;
  return { members, constraints, block: { granularity: jsonNumber({ units: granularity, scale }) } };
}

/** The power of ten of which bounds are multiples: at most half the range, so that a bound moves by less than that. */
function roundingUnit(range: bigint, scale: number): Decimal {
  const half = range / 2n;
  if (half === 0n) return { units: 1n, scale };
  const exponent = half.toString().length - 1 - scale;
  return exponent >= 0 ? whole(10n ** BigInt(exponent)) : { units: 1n, scale: -exponent };
}

/** A decimal as JSON has it: a number where that is exact, else its text. */
function jsonNumber(value: Decimal): number | string {
  const { units, scale } = trimmed(value);
  const text = formatDecimal(units, scale);
  const number = Number(text);
  const back = parseDecimal(String(number));
  return back && unitsAt(back, Math.max(back.scale, scale)) === unitsAt({ units, scale }, Math.max(back.scale, scale))
    ? number
    : text;
}

// Dates and times

const DATE_FORMATS = ["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%Y/%m/%d"] as const;
const CLOCK_FORMATS = ["%H:%M:%S", "%H:%M", "%H:%M:%S.%f"] as const;
const PARTS: Readonly<Record<string, string>> = {
  Y: "(?<Y>[12]\\d{3})",
  m: "(?<m>0[1-9]|1[0-2])",
  d: "(?<d>0[1-9]|[12]\\d|3[01])",
  H: "(?<H>[01]\\d|2[0-3])",
  M: "(?<M>[0-5]\\d)",
  S: "(?<S>[0-5]\\d)",
  f: "(?<f>\\d{1,6})",
  z: "(?<z>Z|[+-][01]\\d:?[0-5]\\d)",
};
const MINUTE = 60_000n;
const HOUR = 60n * MINUTE;

const DATES = [...DATE_FORMATS, "%Y%m%d"].map((format) => momentOf("date", format));
const DATETIMES = DATE_FORMATS.flatMap((date) =>
  ["T", " "].flatMap((between) =>
    CLOCK_FORMATS.flatMap((clock) =>
      ["", "%z"].map((zone) => momentOf("datetime", `${date}${between}${clock}${zone}`)),
    ),
  ),
);
const TIMES = CLOCK_FORMATS.map((format) => momentOf("time", format));

/** A day, a moment or a time of day in a `strptime` format; its place is in milliseconds. */
function momentOf(type: "date" | "datetime" | "time", format: string): Recogniser {
  const escaped = format.replace(/[.\\/+]/g, "\\$&");
  const pattern = new RegExp(`^${escaped.replace(/%(\w)/g, (_, part: string) => PARTS[part])}$`);
  const partsOf = (text: string) => pattern.exec(text)?.groups;
  return {
    type,
    read(text) {
      const parts = partsOf(text);
      return parts && placeOf(parts);
    },
    facts({ minimum, maximum, minimumText }) {
      const offset = partsOf(minimumText)?.z;
      const shift = offsetMinutes(offset) * MINUTE;
      const round = type === "time" ? wholeHours : wholeMonths;
      const [first, last] = round(minimum.units + shift, maximum.units + shift);
      const write = (milliseconds: bigint) => written(format, new Date(Number(milliseconds)), offset);
      return { members: { type, format }, constraints: { minimum: write(first), maximum: write(last) } };
    },
  };
}

/** Milliseconds since 1970 in UTC, or since midnight where there is no day; `undefined` for days that no calendar has. */
function placeOf({ Y = "1970", m = "01", d = "01", H = "0", M = "0", S = "0", f = "0", z }: Record<string, string>) {
  const day = Date.UTC(Number(Y), Number(m) - 1, Number(d));
  if (new Date(day).getUTCDate() !== Number(d)) return undefined;
  const clock = (Number(H) * 60 + Number(M)) * 60_000 + Number(S) * 1000 + Math.floor(Number(`0.${f}`) * 1000);
  return whole(BigInt(day + clock) - offsetMinutes(z) * MINUTE);
}

function offsetMinutes(offset: string | undefined): bigint {
  const match = /^([+-])(\d\d):?(\d\d)$/.exec(offset ?? "");
  return match ? BigInt(`${match[1]}1`) * (BigInt(match[2]) * 60n + BigInt(match[3])) : 0n;
}

/** From the hour that holds the first moment to the last millisecond of the one that holds the last. */
const wholeHours = (first: bigint, last: bigint): [bigint, bigint] => [
  (first / HOUR) * HOUR,
  (last / HOUR + 1n) * HOUR - 1n,
];

/** From the first day of a month to the last millisecond of one; over two years and more, of years. */
function wholeMonths(first: bigint, last: bigint): [bigint, bigint] {
  const [from, to] = [new Date(Number(first)), new Date(Number(last))];
  const years = to.getUTCFullYear() - from.getUTCFullYear() >= 2;
  const start = Date.UTC(from.getUTCFullYear(), years ? 0 : from.getUTCMonth());
  const end = Date.UTC(to.getUTCFullYear(), years ? 12 : to.getUTCMonth() + 1);
  return [BigInt(start), BigInt(end) - 1n];
}

function written(format: string, moment: Date, offset = ""): string {
  const iso = moment.toISOString();
  const parts: Record<string, string> = {
    Y: iso.slice(0, 4),
    m: iso.slice(5, 7),
    d: iso.slice(8, 10),
    H: iso.slice(11, 13),
    M: iso.slice(14, 16),
    S: iso.slice(17, 19),
    f: `${iso.slice(20, 23)}000`,
    z: offset,
  };
  return format.replace(/%(\w)/g, (_, part: string) => parts[part]);
}

function whole(units: bigint): Decimal {
  return { units, scale: 0 };
}
