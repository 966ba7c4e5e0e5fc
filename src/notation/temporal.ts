import { type Decimal, floorDivide, trimmed, unitsAt } from "./decimal.js";
import type { Notation } from "./notation.js";
import { ISO, type Moment, type Offset, type Part, type Pattern, parsePattern } from "./pattern.js";
import { shown, wrong } from "./validate.js";

export type TemporalType = keyof typeof ISO;

const DAY = 86_400;
const HINT = 'Write a pattern such as "%d/%m/%Y" or "%H:%M", or leave the format out for ISO 8601.';

/** The parts that a format must state, and those that it may. */
const PARTS: Readonly<Record<TemporalType, { must: readonly Part[]; may: readonly Part[] }>> = {
  date: { must: ["year", "month", "day"], may: [] },
  time: { must: ["hour"], may: ["half", "minute", "second", "fraction"] },
  datetime: { must: ["year", "month", "day", "hour"], may: ["half", "minute", "second", "fraction", "offset"] },
};

/** Each part means nothing without the one before it. */
const FINER: readonly Part[] = ["hour", "minute", "second", "fraction"];

/**
 * How a date (whole days), datetime or time (seconds) is written. Texts in its `format` are read into exact integers of
 * the proleptic Gregorian calendar. No clock and no daylight saving rules are involved: an offset from UTC is whatever
 * the text says. Datetimes are written at the offset of the first value that the schema states, spelled as in that
 * value. Texts without an offset are at that offset too, or at UTC if the value has none. As JavaScript values they are
 * ISO 8601 at the same offset. By default a date has steps of 1 day. A time or datetime has steps of 1 minute, or of 1
 * second if a time's format has seconds or a datetime's bounds are less than a day apart. Steps are never finer than
 * the format.
 * @param first the minimum, or the first category
 * @throws {StandinError} `schema/format`
 */
export function temporalNotation(where: string, type: TemporalType, format: unknown, first: unknown): Notation {
  const pattern = patternOf(where, type, format);
  const offset = typeof first === "string" ? pattern.read(first)?.offset : undefined;
  const read = (text: string) => {
    const moment = pattern.read(text);
    return moment && (type === "date" ? { units: BigInt(moment.days), scale: 0 } : secondsOf(moment, offset));
  };
  const momentOf = (number: Decimal) => (type === "date" ? dayOf(number) : secondOf(number, offset));
  const unit = type === "date" ? "d" : "s";
  return {
    unit,
    spelling: { unit, pieces: pattern.facts, offset },
    read,
    write: (number) => pattern.write(momentOf(number)),
    value: (number) => ISO[type].write(inIso(momentOf(trimmed(number)))),
    stated(value, sentence) {
      const number = typeof value === "string" ? read(value) : undefined;
      if (number) return trimmed(number);
      throw wrong(
        "bounds",
        `${sentence} that is not a ${type} in its format${typeof format === "string" ? ` ${JSON.stringify(format)}` : ""}: ${shown(value)}.`,
        `Write it as ${JSON.stringify(pattern.write({ days: 18_686, second: 0, fraction: "", offset: UTC }))}, in quotes.`,
      );
    },
    step: (minimum, maximum) => ({ units: BigInt(defaultStep(type, pattern, minimum, maximum)), scale: 0 }),
  };
}

const UTC: Offset = { seconds: 0, text: "Z" };

function patternOf(where: string, type: TemporalType, format: unknown): Pattern {
  if (format === undefined || format === "default") return ISO[type];
  const spelled = `${where} has the format ${JSON.stringify(format)}`;
  if (typeof format !== "string" || format === "any")
    throw wrong("format", `${spelled}: a ${type} must be written in one stated way.`, HINT);
  const pattern = parsePattern(where, format);
  const { must, may } = PARTS[type];
  const { tells } = pattern;
  const absent =
    must.find((part) => !tells.includes(part)) ??
    FINER.find((part, at) => !tells.includes(part) && tells.includes(FINER[at + 1]));
  if (absent) throw wrong("format", `${spelled}, which does not give the ${absent} of a ${type}.`, HINT);
  const stray = tells.find((part) => !must.includes(part) && !may.includes(part));
  if (stray) throw wrong("format", `${spelled}: the ${stray} is not part of a ${type}.`, "Take it out.");
  return pattern;
}

function defaultStep(type: TemporalType, { tells }: Pattern, minimum: Decimal, maximum: Decimal): number {
  if (type === "date") return 1;
  const finest = tells.includes("second") ? 1 : tells.includes("minute") ? 60 : 3600;
  if (type === "time") return finest;
  const scale = Math.max(minimum.scale, maximum.scale);
  const long = unitsAt(maximum, scale) - unitsAt(minimum, scale) >= BigInt(DAY) * 10n ** BigInt(scale);
  return Math.max(finest, long ? 60 : 1);
}

/** @param assumed the offset of moments that state none */
function secondsOf({ days, second, fraction, offset }: Moment, assumed: Offset | undefined): Decimal {
  const seconds = days * DAY + second - ((offset ?? assumed)?.seconds ?? 0);
  const scale = fraction.length;
  return { units: BigInt(seconds) * 10n ** BigInt(scale) + BigInt(fraction || 0), scale };
}

function secondOf({ units, scale }: Decimal, offset: Offset | undefined): Moment {
  const one = 10n ** BigInt(scale);
  const whole = floorDivide(units, one);
  const local = Number(whole) + (offset?.seconds ?? 0);
  const days = Math.floor(local / DAY);
  const fraction = scale ? (units - whole * one).toString().padStart(scale, "0") : "";
  return { days, second: local - days * DAY, fraction, offset };
}

const dayOf = ({ units, scale }: Decimal): Moment => ({
  days: Number(floorDivide(units, 10n ** BigInt(scale))),
  second: 0,
  fraction: "",
});

/** With the offset in ISO 8601's extended format. */
function inIso(moment: Moment): Moment {
  if (!moment.offset?.seconds) return moment.offset ? { ...moment, offset: UTC } : moment;
  const { seconds } = moment.offset;
  const minutes = Math.abs(seconds) / 60;
  const two = (number: number) => String(Math.floor(number)).padStart(2, "0");
  const text = `${seconds < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
  return { ...moment, offset: { seconds, text } };
}
