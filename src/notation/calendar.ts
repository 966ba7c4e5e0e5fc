// The proleptic Gregorian calendar, in whole days since 1970-01-01. No clock, no time zones, no leap seconds.

export interface CivilDate {
  readonly year: number;
  /** 1 … 12. */
  readonly month: number;
  /** 1 … 31. */
  readonly day: number;
}

/** The days of a common year before each month. */
const BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];
const EPOCH = daysBefore(1970);

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

export const daysInYear = (year: number): number => (isLeap(year) ? 366 : 365);

export function daysInMonth(year: number, month: number): number {
  return BEFORE_MONTH[month] - BEFORE_MONTH[month - 1] + (month === 2 && isLeap(year) ? 1 : 0);
}

/** The day number of a date that exists. */
export function dayNumber({ year, month, day }: CivilDate): number {
  return daysBefore(year) - EPOCH + daysBeforeMonth(year, month) + day - 1;
}

/** The date of a day number. */
export function civilDate(days: number): CivilDate {
  const since = days + EPOCH;
  // 400 years have 146,097 days, so this is at most one year off.
  let year = Math.floor((since * 400) / 146_097) + 1;
  if (daysBefore(year) > since) year--;
  else if (daysBefore(year + 1) <= since) year++;
  const ofYear = since - daysBefore(year);
  let month = 12;
  while (daysBeforeMonth(year, month) > ofYear) month--;
  return { year, month, day: ofYear - daysBeforeMonth(year, month) + 1 };
}

/** The days from 0001-01-01 to the first of a year. */
function daysBefore(year: number): number {
  const past = year - 1;
  return 365 * past + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
}

function daysBeforeMonth(year: number, month: number): number {
  return BEFORE_MONTH[month - 1] + (month > 2 && isLeap(year) ? 1 : 0);
}
