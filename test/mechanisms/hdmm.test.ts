// HDMM: what it measures, the errors that its plan states, and the rows of both of its models.
import { describe, expect, it } from "vitest";
import { leastSquares } from "../../src/estimate/least-squares.js";
import { estimateTotal } from "../../src/estimate/total.js";
import { measure, type PlanOptions, parseCsv, parseRelease, parseSchema, plan, resample } from "../../src/node.js";
import { marginalMatrix } from "../selection/least-squares.js";

const SIZES = [2, 3, 4];
const schema = parseSchema({
  fields: SIZES.map((size, at) => ({
    name: "abc"[at],
    type: "string",
    constraints: { enum: [..."wxyz"].slice(0, size), required: true },
  })),
});
const ROWS = 240;
const codes = Array.from({ length: ROWS }, (_, row) => [row % 2, (row + Math.floor(row / 7)) % 3, (row * row) % 4]);
const table = parseCsv(`a,b,c\n${codes.map((row) => row.map((code) => "wxyz"[code]).join()).join("\n")}\n`, schema);
const counted = (columns: readonly number[]) => {
  const points = codes.map(([a, b, c]) => (a * SIZES[1] + b) * SIZES[2] + c);
  return marginalMatrix(columns, SIZES).map((row) => points.reduce((sum, point) => sum + row[point], 0));
};

/** How far from the least error plans may be. A row that is replaced is charged for each interaction at its worst. */
const RELATIONS: Readonly<Record<string, readonly [PlanOptions, closest: number]>> = {
  "add-remove": [{ epsilon: 1 }, 1.0001],
  replace: [{ epsilon: 1, neighbours: "replace", publicRows: ROWS }, 1.1],
};
const planned = (options: PlanOptions) => plan(schema, { mechanism: "hdmm", ...options });

describe.each(Object.entries(RELATIONS))("%s", (_relation, [relation, closest]) => {
  it("has the errors that its plan states", { timeout: 60_000 }, async () => {
    const planning = planned({ workload: [["a", "b"], ["b", "c"], ["c"]], ...relation });
    const { marginals, rms, least } = planning.expected!;
    const runs = 300;
    const squares = marginals.map(() => 0);
    for (let run = 0; run < runs; run++) {
      const key = new Uint8Array(32).fill(3);
      new DataView(key.buffer).setUint32(0, run);
      const { measurements, facts } = await measure(table, planning, { seed: 1, unsafeNoiseKey: key });
      const total = facts.publicRows ?? estimateTotal(measurements, schema.attributes);
      const found = leastSquares(measurements, schema.attributes, total);
      for (const [at, { columns }] of marginals.entries()) {
        const places = placesOf(columns);
        const { answers } = found.find((one) => one.columns.join() === places.join())!;
        squares[at] += counted(places).reduce((sum, count, cell) => sum + (answers[cell] - count) ** 2, 0);
      }
    }
    for (const [at, { cells, sigma }] of marginals.entries())
      expect(Math.abs(squares[at] / (runs * cells) / sigma ** 2 - 1)).toBeLessThan(0.1);
    const cells = marginals.reduce((sum, one) => sum + one.cells, 0);
    const mean = marginals.reduce((sum, one) => sum + one.cells * one.sigma ** 2, 0) / cells;
    expect(rms).toBeCloseTo(Math.sqrt(mean), 9);
    expect(rms / least).toBeGreaterThan(0.9999);
    expect(rms / least).toBeLessThan(closest);
  });
});

const placesOf = (columns: readonly string[]) => columns.map((name) => "abc".indexOf(name));

it("answers what weighs more with less noise", () => {
  const sigmasOf = (weight: number) =>
    planned({ epsilon: 1, workload: [{ columns: ["a", "b"], weight }, ["b", "c"]] }).expected!.marginals.map(
      ({ sigma }) => sigma,
    );
  const [even, uneven] = [sigmasOf(1), sigmasOf(10)];
  expect(uneven[0]).toBeLessThan(even[0]);
  expect(uneven[1]).toBeGreaterThan(even[1]);
});

it("makes rows with answers of three columns that their pairs do not show, next to larger tables", async () => {
  const sizes = [2, 2, 2, 8, 9, 12];
  const names = [..."abcdef"];
  const wide = parseSchema({
    fields: sizes.map((size, at) => ({
      ...{ name: names[at], type: "string", constraints: { enum: [..."opqrstuvwxyz"].slice(0, size), required: true } },
    })),
  });
  const lines = Array.from({ length: 20_000 }, (_, row) => {
    const [a, b] = [row % 2, Math.floor(row / 2) % 2];
    const others = [3, 5, 7].map((prime, at) => Math.floor(row / prime) % sizes[3 + at]);
    return [a, b, (a + b) % 2, ...others].map((code) => "opqrstuvwxyz"[code]).join();
  });
  const rows = parseCsv(`${names.join()}\n${lines.join("\n")}\n`, wide);
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other]));
  const planning = plan(wide, { epsilon: 1, mechanism: "hdmm", workload: [["a", "b", "c"], ...pairs] });
  const release = await measure(rows, planning, { seed: 1, unsafeNoiseKey: new Uint8Array(32).fill(4) });
  const { table: made } = await resample(parseRelease(JSON.stringify(release)));
  const found = leastSquares(release.measurements, wide.attributes, release.facts.total);
  const { marginals } = planning.expected!;
  for (const { columns, cells, sigma } of marginals) {
    const places = columns.map((name) => names.indexOf(name));
    const { answers } = found.find((one) => one.columns.join() === places.join())!;
    const own = new Float64Array(cells);
    for (const row of made.rows())
      own[columns.reduce((cell, name, at) => cell * sizes[places[at]] + "opqrstuvwxyz".indexOf(`${row[name]}`), 0)]++;
    const square = answers.reduce((sum, answer, cell) => sum + (own[cell] - answer) ** 2, 0);
    expect(Math.sqrt(square / cells)).toBeLessThan(1.5 * sigma);
  }
});

it("makes rows by search where columns are too many for a graphical model", async () => {
  const wide = parseSchema({
    fields: Array.from({ length: 12 }, (_, at) => ({
      ...{ name: `c${at}`, type: "string", constraints: { enum: [..."stuvwxyz"], required: true } },
    })),
  });
  const lines = Array.from({ length: 300 }, (_, row) => new Array<string>(12).fill("stuvwxyz"[row % 8]).join());
  const rows = parseCsv(`${wide.fields.map(({ name }) => name).join()}\n${lines.join("\n")}\n`, wide);
  const options = { epsilon: 100, mechanism: "hdmm" };
  expect(() => plan(wide, options)).toThrow(expect.objectContaining({ code: "options/megabytes" }));
  const release = await measure(rows, plan(wide, { ...options, estimate: "shrunk" }), { seed: 1 });
  const made = await resample(parseRelease(JSON.stringify(release)));
  const equal = [...made.table.rows()].filter(({ c0, c11 }) => c0 === c11).length;
  expect(equal / made.table.length).toBeGreaterThan(0.95);
  expect(() => planned({ ...options, workload: [["a"]], estimate: "raw" })).toThrow(
    expect.objectContaining({ code: "options/estimate" }),
  );
});

it("refuses workloads whose sets have too many subsets", () => {
  const fields = Array.from({ length: 20 }, (_, at) => ({
    ...{ name: `c${at}`, type: "string", constraints: { enum: ["x", "y"], required: true } },
  }));
  expect(() => plan(parseSchema({ fields }), { epsilon: 1, mechanism: "hdmm", workload: "6-way" })).toThrow(
    expect.objectContaining({ code: "workload/too-large" }),
  );
});
