// The proleptic Gregorian calendar, in whole days since 1970-01-01. Years begin in March here, so that a leap day is
// the last day of its year, and the months before it have the same lengths every year.

/** The days from 0000-03-01 to 1970-01-01. */
const EPOCH: i32 = 719468;
const DAYS_OF_400_YEARS: i32 = 146097;

export function isLeap(year: i32): bool {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/** @param month 1 … 12 */
export function daysInMonth(year: i32, month: i32): i32 {
  if (month == 2) return 28 + i32(isLeap(year));
  return 30 + ((month + (month >> 3)) & 1);
}

/** The day number of a date that exists, in a year from 0 up. */
export function dayNumber(year: i32, month: i32, day: i32): i32 {
  // 400 years later, so that it is never negative.
  const from = <u32>(year + 400 - i32(month <= 2));
  const centuries = from / 100;
  // March is 0.
  const monthOfYear = <u32>(month > 2 ? month - 3 : month + 9);
  const days = 365 * from + (from >> 2) - centuries + (centuries >> 2) + (153 * monthOfYear + 2) / 5;
  return <i32>days + day - 1 - EPOCH - DAYS_OF_400_YEARS;
}

// @ts-ignore: decorator
@inline
function floorDivide(a: i32, b: i32): i32 {
  return a / b - i32(a % b < 0);
}

/** The date of a day number: year·512 + month·32 + day. */
export function civilDate(days: i32): i32 {
  const since = days + EPOCH;
  const era = floorDivide(since, DAYS_OF_400_YEARS);
  const dayOfEra = since - era * DAYS_OF_400_YEARS;
  // Four years have 1461 days, but a century only 36,524, and four of them one more.
  const yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365;
  const dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
  const monthOfYear = (5 * dayOfYear + 2) / 153;
  const month = monthOfYear < 10 ? monthOfYear + 3 : monthOfYear - 9;
  const day = dayOfYear - (153 * monthOfYear + 2) / 5 + 1;
  return (era * 400 + yearOfEra + i32(month <= 2)) * 512 + month * 32 + day;
}
