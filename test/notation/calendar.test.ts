import { expect, it } from "vitest";
import { civilDate, dayNumber, daysInMonth, daysInYear } from "../../src/notation/calendar.js";

it("agrees with JavaScript's dates on every day from the year −1 to 10000", () => {
  const start = new Date(0).setUTCFullYear(-1, 0, 1) / 86_400_000;
  const date = new Date(start * 86_400_000);
  for (let days = start; date.getUTCFullYear() <= 10_000; days++) {
    const civil = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
    const found = civilDate(days);
    if (found.year !== civil.year || found.month !== civil.month || found.day !== civil.day)
      expect([days, found]).toEqual([days, civil]);
    if (dayNumber(civil) !== days) expect([civil, dayNumber(civil)]).toEqual([civil, days]);
    date.setUTCDate(date.getUTCDate() + 1);
  }
});

it("knows the leap years among centuries", () => {
  expect([1900, 2000, 2023, 2024, 2100, 0].map(daysInYear)).toEqual([365, 366, 365, 366, 365, 366]);
  expect([1900, 2000, 2023, 2024].map((year) => daysInMonth(year, 2))).toEqual([28, 29, 28, 29]);
  expect(Array.from({ length: 12 }, (_, at) => daysInMonth(2023, at + 1))).toEqual([
    31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31,
  ]);
});
