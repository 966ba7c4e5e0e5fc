import { civilDate, dayNumber, daysInMonth } from "../notation/calendar.js";
import { type Decimal, floorDivide } from "../notation/decimal.js";
import { parsePattern } from "../notation/pattern.js";
import { type TemporalType, temporalNotation } from "../notation/temporal.js";
import type { Recogniser } from "./recognise.js";

// If several formats can read a column, the first that writes it back unchanged counts. Where nothing distinguishes
// them, days come before months.
const DATES = [
  ...["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%Y/%m/%d"],
  ...["%-d.%-m.%Y", "%-d/%-m/%Y", "%-m/%-d/%Y", "%Y/%-m/%-d"],
  ...["%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%-d.%-m.%y", "%-d/%-m/%y", "%-m/%-d/%y"],
];
const WORDED_DATES = ["%d %b %Y", "%d-%b-%Y", "%b %d, %Y", "%d %B %Y", "%B %d, %Y", "%-d %B %Y", "%B %-d, %Y"];
const CLOCKS = ["%H:%M:%S", "%H:%M", "%-H:%M:%S", "%-H:%M", "%H:%M:%S.%f", "%I:%M:%S %p", "%I:%M %p", "%-I:%M %p"];

const FORMATS: Readonly<Record<TemporalType, readonly string[]>> = {
  date: [...DATES, "%Y%m%d", ...WORDED_DATES],
  datetime: DATES.flatMap((date) =>
    ["T", " "].flatMap((between) => CLOCKS.flatMap((clock) => ["", "%z"].map((zone) => date + between + clock + zone))),
  ),
  time: CLOCKS,
};

/**
 * The range of years that dates in people's tables have. Outside it, eight digits and other possible dates are not
 * taken for dates.
 */
const FIRST_YEAR = 1800;
const LAST_YEAR = 2199;
const DAY = 86_400;
const HOUR = 3600;
/** The clock steps, in seconds, that a field may state. */
const CLOCK_STEPS = [HOUR, 1800, 900, 600, 300, 60, 1];
const WHERE = "A recogniser";

/** The recognisers of dates, of datetimes or of times. */
export const moments = (type: TemporalType): Recogniser[] => FORMATS[type].map((format) => momentOf(type, format));

function momentOf(type: TemporalType, format: string): Recogniser {
  const pattern = parsePattern(WHERE, format);
  const notation = temporalNotation(WHERE, type, format, undefined);
  return {
    type,
    read(text) {
      const moment = pattern.read(text);
      if (!moment) return undefined;
      const { year } = civilDate(moment.days);
      return type === "time" || (year >= FIRST_YEAR && year <= LAST_YEAR) ? notation.read(text) : undefined;
    },
    keeps: (text) => pattern.write(pattern.read(text)!) === text,
    facts({ minimum, maximum, minimumText, divisor }) {
      const local = temporalNotation(WHERE, type, format, minimumText);
      const east = pattern.read(minimumText)!.offset?.seconds ?? 0;
      const [first, last] = ROUNDED[type](wholeOf(minimum) + east, wholeOf(maximum) + east);
      const bound = (value: number) => local.write({ units: BigInt(value - east), scale: 0 });
      const step = CLOCK_STEPS.find((seconds) => divisor % BigInt(seconds) === 0n);
      return {
        members: { type, format },
        constraints: { minimum: bound(first), maximum: bound(last) },
        ...(type === "date" ? {} : { block: { granularity: step } }),
      };
    },
  };
}

type Rounding = (first: number, last: number) => [number, number];

/** Bounds are rounded outwards: to months, or to years if they are two years or more apart; times of day to hours. */
const ROUNDED: Readonly<Record<TemporalType, Rounding>> = {
  date: wholeMonths,
  datetime(first, last) {
    const [from, to] = wholeMonths(Math.floor(first / DAY), Math.floor(last / DAY));
    return [from * DAY, (to + 1) * DAY - 1];
  },
  time: (first, last) => [Math.floor(first / HOUR) * HOUR, (Math.floor(last / HOUR) + 1) * HOUR - 1],
};

function wholeMonths(first: number, last: number): [number, number] {
  const [from, to] = [civilDate(first), civilDate(last)];
  const years = to.year - from.year >= 2;
  const [start, end] = years ? [1, 12] : [from.month, to.month];
  return [
    dayNumber({ year: from.year, month: start, day: 1 }),
    dayNumber({ year: to.year, month: end, day: daysInMonth(to.year, end) }),
  ];
}

const wholeOf = ({ units, scale }: Decimal): number => Number(floorDivide(units, 10n ** BigInt(scale)));
