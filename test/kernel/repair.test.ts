import fc from "fast-check";
import { expect, it } from "vitest";
import { placeLinked } from "../../src/constraints/struct.js";
import { LINKED_TOTALS, OK, STREAM_DECODE, STREAM_DONOR } from "../../src/engine/layout.js";
import { instance } from "../engine.js";
import { forOracle, type Group, groups, placeRows, storedIn } from "../linked.js";
import { word } from "../reference/philox.js";
import { repaired } from "../reference/repair.js";
import { broken } from "../reference/row-tests.js";
import { solved } from "../reference/solver.js";

const engine = instance();

/** Codes that queries see, any; and stored codes inside their runs. */
function drawnRows(group: Group, draws: readonly (readonly number[])[]) {
  const { columns } = forOracle(group);
  const codes = draws.map((row) => columns.map(({ runs }, at) => row[at] % runs.length));
  const rows = codes.map((row, index) =>
    row.map((code, at) => {
      const { runs, values, missing } = columns[at];
      const run = runs[code];
      if (!run) return missing ?? 0;
      return values[run[0] + (draws[index][at] % (run[1] - run[0] + 1))].stored;
    }),
  );
  return { codes, rows };
}

/** The rows as the engine repairs them, and as their definition says. */
function bothOf(group: Group, rows: number[][], codes: number[][], witness: number[], seed: number) {
  const problem = forOracle(group);
  const { totals, stored } = engine.scratch(() => {
    const placed = placeRows(engine, group, rows, codes);
    const linked = placeLinked(engine, { ...group, witness }, placed, seed);
    const places = linked + engine.readU32(linked + LINKED_TOTALS, 1)[0];
    expect(engine.exports.repairRows(linked, rows.length)).toBe(OK);
    return {
      totals: [...engine.readU32(places, group.sums.length)],
      stored: placed.map((column) => storedIn(engine, column, rows.length)),
    };
  });
  const words = (row: number, column: number) => word(seed, STREAM_DECODE, 40 + column, row);
  const donorWord = (row: number) => word(seed, STREAM_DONOR, 0, row);
  return {
    made: rows.map((_, row) => stored.map((column) => column[row])),
    expected: repaired(problem, rows, codes, totals, witness, words, donorWord),
  };
}

it("changes the rows that break a constraint as its definition says, and no others", () => {
  let [changed, kept] = [0, 0];
  const draws = fc.array(fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(groups, draws, fc.nat(), (group, drawn, seed) => {
      const problem = forOracle(group);
      const ranges = problem.columns.map(({ values }) => ({ first: 0, last: values.length - 1 }));
      const middle = ranges.map(() => 2 ** 31);
      const witness = solved(problem, ranges, middle, 100_000).found;
      fc.pre(witness !== undefined);
      const { codes, rows } = drawnRows(group, drawn);
      const { made, expected } = bothOf(group, rows, codes, witness!, seed);
      expect(made).toEqual(expected);
      for (const [at, row] of made.entries()) {
        expect(broken(problem, row)).not.toContain(true);
        if (`${row}` === `${rows[at]}`) kept++;
        else changed++;
      }
    }),
    { seed: 64, numRuns: 1500 },
  );
  expect(Math.min(changed, kept)).toBeGreaterThan(1000);
});

it("compares no more kinds of rows than it may", () => {
  const categories = (count: number) =>
    ({ kind: "plain", codes: count, starts: undefined, values: count, missing: count }) as const;
  const combinations = Array.from({ length: 40 }, (_, at) => [at, (at * 7) % 40]);
  const group: Group = {
    scales: [categories(40), categories(40), categories(200)],
    widths: [2, 2, 2],
    ...{ orders: [], sums: [], lists: [{ columns: [0, 1], combinations, exempt: [40, 40] }] },
  };
  // Of 4,000 kinds of donors, 1,024 are kept, because there are 4,300 kinds of rows to repair.
  const codes = Array.from({ length: 8600 }, (_, row) => {
    const [one, other] = combinations[row % 40];
    return [one, row % 2 ? other : (other + 1 + (row % 30)) % 40, Math.floor(row / 40) % 200];
  });
  const { made, expected } = bothOf(group, codes, codes, combinations[0], 5);
  expect(made).toEqual(expected);
});
