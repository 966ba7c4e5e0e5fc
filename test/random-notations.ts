// Random fields with numbers, dates and times, and texts that they may or may not read.
import fc from "fast-check";
import { StandinError } from "../src/core/errors.js";
import type { Field } from "../src/domain/field.js";
import type { Grid } from "../src/domain/grid.js";
import { temporalNotation } from "../src/notation/temporal.js";
import { parseSchema } from "../src/schema/schema.js";
import type { Engine } from "./engine.js";

export interface Spelled {
  /** The descriptor of the field. */
  readonly given: Record<string, unknown>;
  readonly field: Field & { domain: Grid; notation: NonNullable<Field["notation"]> };
}

/** The field of a descriptor, if it is valid and has a grid. */
export function fieldOf(given: Record<string, unknown>): Spelled | undefined {
  try {
    const [field] = parseSchema({ fields: [{ name: "x", ...given }] }).fields;
    return field.domain?.kind === "grid" ? { given, field: field as Spelled["field"] } : undefined;
  } catch (error) {
    if (error instanceof StandinError) return undefined;
    throw error;
  }
}

const digits = (most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 0, maxLength: most }).map((list) => list.join(""));

const sign = fc.constantFrom("", "", "-", "+");

/** Decimal text with up to `whole` digits before the point and up to `places` after it. */
const decimalText = (whole: number, places: number) =>
  fc
    .tuple(sign, digits(whole), fc.option(digits(places), { nil: undefined }))
    .map(([mark, before, after]) => mark + (before || "0") + (after === undefined ? "" : `.${after}`));

const MARKS = [".", ",", " ", "'", "\u00a0", "\u2009", "x", "\ufffd", "٫", "\ud83d", "\ude00", "\0", "$", "_"];

const marks = fc.record(
  {
    decimalChar: fc.constantFrom(...MARKS),
    groupChar: fc.constantFrom(...MARKS),
    bareNumber: fc.boolean(),
  },
  { requiredKeys: [] },
);

const EXPONENTS = fc.constantFrom("0.000000e+00", "0.0E0", "0e+00", "0.00e000");

const numberFormat = fc.record(
  {
    width: fc.integer({ min: 0, max: 12 }),
    prefix: fc.constantFrom("", "$", "€ ", "USD ", "- "),
    suffix: fc.constantFrom("", "%", " €", "e", "😀"),
    exponent: EXPONENTS,
    plainFrom: fc.constantFrom("0.0001", "1", "0.05", "1e-7"),
    plainBelow: fc.constantFrom("1e15", "1000", "2500.5", "1e300"),
  },
  { requiredKeys: [] },
);

const numberGiven = fc
  .tuple(
    fc.constantFrom("number", "number", "integer", "year"),
    marks,
    fc.option(fc.oneof(numberFormat, fc.record({ exponent: EXPONENTS })), { nil: undefined }),
    fc.oneof(
      { weight: 4, arbitrary: fc.tuple(decimalText(6, 4), decimalText(6, 4)) },
      fc.tuple(decimalText(22, 0), decimalText(22, 0)),
      fc.tuple(decimalText(60, 60), decimalText(60, 60)),
      fc.tuple(decimalText(0, 40), decimalText(0, 40)),
      fc.constant(["0", "1e300"]),
    ),
    fc.option(fc.constantFrom("1", "0.1", "0.01", "0.25", "1e-6", "1e-18", "3", "7e10", "1e290", "1.0", "1e-40"), {
      nil: undefined,
    }),
    fc.boolean(),
  )
  .map(([type, given, format, [one, other], granularity, zero]) => {
    const [minimum, maximum] = Number(one) <= Number(other) ? [one, other] : [other, one];
    const standin = { ...(format && { format }), ...(granularity && { granularity }) };
    const whole = (text: string) => (type === "number" ? text : text.replace(/\..*/, ""));
    return {
      type,
      ...given,
      standin,
      constraints: { minimum: zero ? "0" : whole(minimum), maximum: whole(zero ? maximum.replace("-", "") : maximum) },
    };
  });

/** Whole multiples of steps of all sizes. */
const steppedGiven = fc
  .tuple(
    marks,
    fc.option(fc.oneof(numberFormat, fc.record({ exponent: EXPONENTS })), { nil: undefined }),
    fc.bigInt({ min: 1n, max: 10n ** 20n }),
    fc.integer({ min: -300, max: 300 }),
    fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n }),
    fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 53n }), fc.bigInt({ min: 0n, max: 1000n })),
  )
  .map(([given, format, mantissa, exponent, first, more]) => ({
    type: "number",
    ...given,
    constraints: {
      minimum: `${first * mantissa}e${exponent}`,
      maximum: `${(first + more) * mantissa}e${exponent}`,
    },
    standin: { granularity: `${mantissa}e${exponent}`, ...(format && { format }) },
  }));

const LITERALS = [
  "-",
  "/",
  ".",
  " ",
  ":",
  "T",
  "1",
  "0:",
  "é",
  "µ",
  "ſ",
  "K",
  " de ",
  "年",
  "😀",
  "%%",
  "\ufffd",
  "",
  "\u00a0",
];
const literalText = fc.constantFrom(...LITERALS);

const pieces = (directives: readonly string[][]) =>
  fc
    .tuple(
      fc.tuple(...directives.map((choices) => fc.constantFrom(...choices))),
      fc.array(literalText, { minLength: directives.length + 1, maxLength: directives.length + 1 }),
      fc.boolean(),
    )
    .map(([chosen, between, edges]) =>
      chosen.reduce(
        (format, directive, at) => format + directive + (at < chosen.length - 1 || edges ? between[at + 1] : ""),
        edges ? between[0] : "",
      ),
    );

const YEAR = ["%Y", "%Y", "%y", "%-y"];
const MONTH = ["%m", "%-m", "%b", "%B"];
const DAY = ["%d", "%-d"];
const DATES = [
  [YEAR, MONTH, DAY],
  [DAY, MONTH, YEAR],
  [MONTH, DAY, YEAR],
  [["%j", "%-j"], YEAR],
];
const HOUR = ["%H", "%-H"];
const TIMES = [
  [HOUR],
  [HOUR, ["%M"]],
  [HOUR, ["%M"], ["%S", "%-S"]],
  [HOUR, ["%M"], ["%S"], ["%f"]],
  [["%I", "%-I"], ["%M", "%-M"], ["%p"]],
  [["%p"], ["%I"], ["%M"], ["%S"], ["%f"]],
];

const dateFormat = fc.oneof(fc.constant("default"), ...DATES.map(pieces));
const timeFormat = fc.oneof(fc.constant("default"), ...TIMES.map(pieces));
const datetimeFormat = fc.oneof(
  { weight: 4, arbitrary: fc.constant("default") },
  ...DATES.flatMap((date) => TIMES.map((time) => pieces([...date, ...time]))),
  ...DATES.map((date) => pieces([...date, HOUR, ["%M"], ["%z"]])),
);

const two = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((number) => String(number).padStart(2, "0"));
const isoDate = fc
  .tuple(fc.oneof(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 1969, max: 2068 })), two(1, 12), two(1, 31))
  .map(([year, month, day]) => `${String(year).padStart(4, "0")}-${month}-${day}`);
const isoTime = fc
  .tuple(two(0, 23), two(0, 59), two(0, 59), fc.oneof(fc.constant(""), digits(20)))
  .map(([hour, minute, second, fraction]) => `${hour}:${minute}:${second}${fraction && `.${fraction}`}`);
const offsetText = fc.oneof(
  fc.constantFrom("", "Z", "z", "+01:00", "-0330", "+14", "-23:59", "+24:00", "+01:60", "+1"),
  fc.tuple(fc.constantFrom("+", "-"), two(0, 23), fc.constantFrom("", ":"), two(0, 59)).map((parts) => parts.join("")),
);
const isoDatetime = fc
  .tuple(isoDate, fc.constantFrom("T", " ", "t"), isoTime, offsetText)
  .map((parts) => parts.join(""));

export const ISO_TEXTS: Record<string, fc.Arbitrary<string>> = { date: isoDate, time: isoTime, datetime: isoDatetime };

const STEPS = ["1", "60", "3600", "86400", "0.5", "0.001", "7", "0.000001", "1e-9", "1e-20", "1.0", "30.00"];

/** The text of a moment in a format, if the type has it. */
function momentText(type: "date" | "time" | "datetime", format: string, days: number, second: number) {
  try {
    const units = type === "date" ? BigInt(days) : BigInt(type === "time" ? second : days * 86_400 + second);
    return temporalNotation("x", type, format, undefined).write({ units, scale: 0 });
  } catch (error) {
    if (error instanceof StandinError) return undefined;
    throw error;
  }
}

const day = fc.oneof(fc.integer({ min: -719_528, max: 2_932_896 }), fc.integer({ min: -366, max: 36_159 }));
const moment = fc.tuple(day, fc.integer({ min: 0, max: 86_399 }));

const momentGiven = fc
  .tuple(
    fc.oneof(
      fc.tuple(fc.constant("date" as const), dateFormat),
      fc.tuple(fc.constant("time" as const), timeFormat),
      fc.tuple(fc.constant("datetime" as const), datetimeFormat),
    ),
    moment,
    moment,
    offsetText,
    fc.option(fc.constantFrom(...STEPS), { nil: undefined }),
  )
  .map(([[type, format], one, other, offset, granularity]) => {
    const [first, last] = [one, other].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const end = type === "datetime" && format === "default" ? offset : "";
    return {
      type,
      format,
      standin: granularity ? { granularity } : {},
      constraints: {
        minimum: `${momentText(type, format, ...first)}${end}`,
        maximum: `${momentText(type, format, ...last)}${end}`,
      },
    };
  });

/** Moments of less than a second, with more decimals than 64 bits hold. */
const briefGiven = fc
  .tuple(fc.constantFrom("time", "datetime"), moment, digits(15), offsetText, fc.constantFrom("1e-9", "1e-16", "1e-20"))
  .map(([type, [days, second], fraction, offset, granularity]) => {
    const start = momentText(type as "time", "default", days, second);
    const end = type === "datetime" ? offset : "";
    const [minimum, maximum] = granularity === "1e-20" ? [`.${fraction}001`, `.${fraction}003`] : [".001", ".9"];
    const constraints = { minimum: `${start}${minimum}${end}`, maximum: `${start}${maximum}${end}` };
    return { type, constraints, standin: { granularity } };
  });

const valid = (given: fc.Arbitrary<Record<string, unknown>>) =>
  given.map(fieldOf).filter((spelled) => spelled !== undefined);

export const spelledNumber = valid(fc.oneof(numberGiven, steppedGiven));
export const spelledMoment = valid(fc.oneof({ weight: 6, arbitrary: momentGiven }, briefGiven));

const NASTY = [
  ..."|0|-0|+0|.|-|+|-.|.5|5.|-.5|+5.|00012|--1|+-1|-+1|1-|1e5|1E5|1e+5|1e-5|1e|1e+|1e12345|1e9999|1e-9999|e5|.e5".split(
    "|",
  ),
  ..." |  12|12 |\u00a012\u3000|\ufeff12|12\u180e|٣|１２|−5|1,000|1.000,5|1'000|$5|-$5|$-5|5 %|NaN|Infinity|0x10|1_000".split(
    "|",
  ),
  "9".repeat(400),
  "9".repeat(401),
  `0.${"3".repeat(399)}`,
  `0.${"3".repeat(400)}`,
  `1${"0".repeat(60)}`,
  `-1${"0".repeat(60)}e-60`,
  "1e400",
  "1e401",
  "1e-400",
  `${"1".repeat(400)}e400`,
  "4611686018427387904",
  "-4611686018427387904",
  "2305843009213693952.5",
  "9223372036854775808",
  "18446744073709551615.5",
  "99999999999999999999",
  "2020-02-29",
  "2021-02-29",
  "2020-2-9",
  "20-02-29",
  "2020-13-01",
  "2020-01-32",
  "2020-01-01T24:00:00",
  "2020-01-01T23:59:60",
  "2020-01-01T00:00:00.",
  "2020-01-01T00:00:00.1234567890123456789",
  "2020-01-01T00:00:00.123456789012345678Z",
  "2020-01-01T00:00:00+0130",
  "2020-01-01T00:00:00+013",
  "2020-01-01t00:00:00z",
  "2020-01-01  00:00:00",
  "12:30:45",
  "12:30",
  " 12:30:45.5 ",
  "may",
];

const TOKENS = [
  ..."0 1 2 5 9 12 31 60 99 2000 1999 + - . , e E e5 E-3 $ % € x : / Z z am PM jan March T é É µ Μ ſ S s k K 年 😀 ٣ １".split(
    " ",
  ),
  ...[" ", "\u00a0", "\u2009", "\u3000", "\ufeff", "\t", "\n", "\0", "\ufffd", "\ud83d", "٫", "'", "_"],
];

const tokens = fc.array(fc.constantFrom(...TOKENS), { maxLength: 12 }).map((list) => list.join(""));

/** A text with a change: a token in place of a few characters, other letters, or blanks around it. */
const changed = (text: string) =>
  fc.oneof(
    fc.constant(text),
    fc
      .tuple(fc.nat(text.length), fc.nat(2), fc.constantFrom("", ...TOKENS))
      .map(([at, cut, token]) => text.slice(0, at) + token + text.slice(at + cut)),
    fc.constantFrom(
      text.toUpperCase(),
      text.toLowerCase(),
      ` ${text}\u00a0`,
      `\ufeff\t${text}`,
      text.replace(/\b0/g, ""),
    ),
  );

/** The bytes of a text, in some cases with one that is ill-formed. */
const bytesOf = (text: string) =>
  fc
    .tuple(fc.nat(text.length), fc.nat(7), fc.constantFrom(0x80, 0xa0, 0xc2, 0xe2, 0xed, 0xf0, 0xff))
    .map(([at, turn, byte]) => {
      const bytes = new TextEncoder().encode(text);
      return turn ? bytes : Uint8Array.of(...bytes.slice(0, at), byte, ...bytes.slice(at));
    });

/** Cells of a field as bytes: points as they are written, and texts of all kinds. */
export const cellsOf = ({ field: { domain, notation, type } }: Spelled): fc.Arbitrary<Uint8Array[]> => {
  const point = fc.double({ min: 0, max: 1, noNaN: true }).map((part) => Math.floor(part * (domain.points - 1)));
  const written = point.map((at) =>
    notation.write({ units: domain.minimum + BigInt(at) * domain.step, scale: domain.scale }),
  );
  // Half-way to the next point, and a little above or below.
  const between = fc.tuple(point, fc.constantFrom(0n, 0n, 1n, -1n)).map(([at, more]) => {
    const twice = 2n * (domain.minimum + BigInt(at) * domain.step) + domain.step;
    return notation.write({ units: twice * 500n + more, scale: domain.scale + 3 });
  });
  const text = fc.oneof(
    written,
    between,
    written.chain(changed),
    fc.constantFrom(...NASTY).chain(changed),
    ISO_TEXTS[type] ?? decimalText(24, 24),
    (ISO_TEXTS[type] ?? decimalText(8, 8)).chain(changed),
    tokens,
  );
  return fc.array(text.chain(bytesOf), { minLength: 1, maxLength: 20 });
};

/** A text in an engine's memory, before digits that are none of it: where it begins and ends. */
export function placedText(engine: Engine, text: Uint8Array): [from: number, to: number] {
  const from = engine.place(Uint8Array.of(...text, ...new Array<number>(4).fill(0x39)));
  return [from, from + text.length];
}
