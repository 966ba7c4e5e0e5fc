import { describe, expect, it } from "vitest";
import { ITEM_REFUSED, NO_PERSON, OK, PURPOSE_RESERVOIR } from "../../src/engine/layout.js";
import { keyBytes, openVault } from "../privacy/vault.js";
import { keptRows } from "../reference/reservoir.js";
import { ALPHA, goodnessOfFit, uniforms } from "../reference/statistics.js";
import { Stream } from "../reference/stream.js";

/** The rows that are kept, by row. */
function keep(persons: Uint32Array, people: number, maxRows: number, key: number): Uint8Array {
  const vault = openVault({ maxRows, key });
  const at = vault.place(persons);
  const scratch = vault.alloc(8 * people);
  const out = vault.alloc(persons.length);
  expect(vault.exports.keepRows(at, persons.length, people, scratch, out)).toBe(OK);
  expect(vault.exports.keepRows(at, persons.length, people, scratch, out)).toBe(ITEM_REFUSED);
  return vault.u8(out, persons.length).slice();
}

/** `people` persons with `rows` rows each, in random order. */
function shuffled(people: number, rows: number, seed: number): Uint32Array {
  const uniform = uniforms(seed);
  const persons = Uint32Array.from({ length: people * rows }, (_, i) => i % people);
  for (let i = persons.length - 1; i > 0; i--) {
    const j = Math.floor(uniform() * (i + 1));
    [persons[i], persons[j]] = [persons[j], persons[i]];
  }
  return persons;
}

/** How many persons kept each subset of their rows, by the subset's bits. */
function subsets(persons: Uint32Array, kept: Uint8Array, people: number, rows: number): number[] {
  const bits = new Array<number>(people).fill(0);
  const seen = new Array<number>(people).fill(0);
  persons.forEach((person, row) => {
    bits[person] |= kept[row] << seen[person]++;
  });
  const counts = new Array<number>(2 ** rows).fill(0);
  for (const subset of bits) counts[subset]++;
  return counts;
}

const sizeOf = (subset: number) => subset.toString(2).replaceAll("0", "").length;

describe("keepRows", () => {
  it("keeps the rows that the oracle keeps by the same stream", () => {
    const uniform = uniforms(1);
    for (const [key, maxRows] of [1, 2, 3, 10].entries()) {
      const persons = Uint32Array.from({ length: 3000 }, () =>
        uniform() < 0.1 ? NO_PERSON : Math.floor(uniform() ** 2 * 500),
      );
      const expected = keptRows(persons, maxRows, new Stream(keyBytes(key), PURPOSE_RESERVOIR, 0));
      expect([...keep(persons, 500, maxRows, key)].map(Boolean)).toEqual(expected);
    }
  });

  it("keeps min(k, c) of each person's c rows, and every row without a person", () => {
    const uniform = uniforms(2);
    const persons = Uint32Array.from({ length: 20_000 }, () => Math.min(Math.floor(uniform() ** 3 * 600), 599));
    persons.forEach((_, row) => {
      if (uniform() < 0.1) persons[row] = NO_PERSON;
    });
    for (const maxRows of [1, 2, 7, 1000]) {
      const kept = keep(persons, 600, maxRows, maxRows);
      const [had, stay] = [new Array<number>(600).fill(0), new Array<number>(600).fill(0)];
      persons.forEach((person, row) => {
        if (person === NO_PERSON) return;
        had[person]++;
        stay[person] += kept[row];
      });
      expect(stay).toEqual(had.map((rows) => Math.min(maxRows, rows)));
      expect([...persons.keys()].every((row) => persons[row] !== NO_PERSON || kept[row] === 1)).toBe(true);
    }
  });

  it.each([
    [4, 2],
    [3, 1],
    [5, 4],
  ])("of %d rows keeps every subset of %d equally often", (rows, maxRows) => {
    const people = 60_000;
    const persons = shuffled(people, rows, rows);
    const counts = subsets(persons, keep(persons, people, maxRows, 1), people, rows);
    const possible = counts.filter((_, subset) => sizeOf(subset) === maxRows);
    expect(possible.reduce((sum, n) => sum + n)).toBe(people);
    expect(
      goodnessOfFit(
        possible,
        possible.map(() => 1 / possible.length),
      ),
    ).toBeGreaterThan(ALPHA);
  });

  it("would be detected if one row in fifty were kept for being the first", () => {
    const people = 60_000;
    const persons = shuffled(people, 3, 3);
    const kept = keep(persons, people, 1, 1);
    const first = new Int32Array(people).fill(-1);
    persons.forEach((person, row) => {
      if (first[person] < 0) first[person] = row;
    });
    persons.forEach((person, row) => {
      if (person % 50 === 0) kept[row] = first[person] === row ? 1 : 0;
    });
    const counts = subsets(persons, kept, people, 3);
    expect(goodnessOfFit([counts[1], counts[2], counts[4]], [1 / 3, 1 / 3, 1 / 3])).toBeLessThan(ALPHA);
  });

  it("chooses differently under another key", () => {
    const persons = shuffled(1000, 3, 3);
    expect(keep(persons, 1000, 1, 1)).not.toEqual(keep(persons, 1000, 1, 2));
  });
});
