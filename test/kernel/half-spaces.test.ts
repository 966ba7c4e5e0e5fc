import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Attribute, codesOf } from "../../src/domain/attribute.js";
import { BLOCK_ROWS, KIND_EXPRESSION, QUERY_KIND } from "../../src/engine/layout.js";
import { cellsOf } from "../../src/queries/query.js";
import type { RandomHalfSpaces } from "../../src/queries/random-half-spaces.js";
import { writeQuery } from "../../src/queries/struct.js";
import { engineAnswers, gpuAnswers } from "../answers.js";
import { instance } from "../engine.js";
import { gpuEngines } from "../gpu-engines.js";
import { attribute, columnsOf, halfSpacesAmong, integers, named } from "../random-tables.js";
import { factorsOf, halfSpacesAnswers, memberOf, normalOf } from "../reference/half-spaces.js";
import { ALPHA, goodnessOfFit, normal, uniforms } from "../reference/statistics.js";
import { openSearch, runSlices } from "../search.js";

const problem = fc
  .array(attribute(9), { minLength: 1, maxLength: 5 })
  .map(named)
  .chain((attributes) =>
    fc.integer({ min: 0, max: 60 }).chain((rows) =>
      fc.record({
        attributes: fc.constant(attributes),
        query: halfSpacesAmong(attributes, 70),
        codes: columnsOf(attributes, rows),
        ends: fc.array(fc.integer({ min: 0, max: rows }), { maxLength: 3 }),
      }),
    ),
  );

const uniform = uniforms(3);
const column = (facts: Partial<Attribute>): Attribute => ({
  ...{ name: "column", size: 4, tree: false, missing: false },
  ...facts,
});
const fine = (codes: number, missing: boolean): Attribute =>
  column({ size: 32 + +missing, tree: true, missing, ordered: true, fine: codes });

it("counts as the definition does, however the rows are split", () => {
  fc.assert(
    fc.property(problem, ({ attributes, query, codes, ends }) => {
      expect(engineAnswers(query, attributes, codes, ends)).toEqual(halfSpacesAnswers(query, attributes, codes));
    }),
    { seed: 1, numRuns: 200 },
  );
});

/** Columns that take more than a group of lines, and values that multiply theirs. */
const WIDE = named([
  column({ size: 100 }),
  column({ size: 1 }),
  fine(65_534, true),
  column({ size: 64 }),
  fine(1000, false),
  column({ size: 60, ordered: true }),
]);
const WIDE_CODES = WIDE.map((one) => Uint16Array.from({ length: 40 }, () => Math.floor(codesOf(one) * uniform())));
for (const column of [2, 5]) WIDE_CODES[column][0] = codesOf(WIDE[column]) - 1;

const wide = (labels: readonly string[], side: "below" | "above"): RandomHalfSpaces => ({
  ...({ kind: "random-half-spaces", columns: [0, 1, 2, 3, 4, 5], count: 40, seed: 7 } as const),
  ...{ labels, each: false, side, strict: false },
});

it.each([
  ["in which columns have more codes than a group, and values that multiply", []],
  ["with a column of many codes as label", ["column 0"]],
])("counts sets %s", (_, labels) => {
  for (const side of ["below", "above"] as const) {
    const query = wide(labels, side);
    expect(engineAnswers(query, WIDE, WIDE_CODES)).toEqual(halfSpacesAnswers(query, WIDE, WIDE_CODES));
  }
});

it.each([0, 32])("states what members ask for, from place %i on", (place) => {
  const query = {
    ...wide(["column 0"], "above"),
    numbers: Array.from({ length: 40 }, (_, at) => at + (at >> 2)),
    count: 50,
  };
  const engine = instance();
  const out = engine.alloc(2 * 32 * 300);
  const bits = engine.exports.halfSpaceMembers(writeQuery(engine, query, WIDE), place, out);
  expect(2 ** (bits + 16)).toBe(factorsOf(5).threshold);
  const lines = new Int16Array(engine.readU32(out, 16 * 300).buffer);
  for (let lane = 0; lane < Math.min(32, 40 - place); lane++) {
    const { threshold, direction, label } = memberOf(query, WIDE, query.numbers[place + lane]);
    const found = lines.filter((_, at) => at % 32 === lane).slice(0, 3 + direction.length);
    expect(found).toEqual(Int16Array.of(1 - threshold, 0, label!.code, ...direction));
  }
});

it("counts more rows than an i16 holds", () => {
  const attributes = [column({ size: 2 })];
  const drawing = { count: 33, seed: 2, labels: [], each: false, side: "below", strict: false } as const;
  const query: RandomHalfSpaces = { kind: "random-half-spaces", columns: [0], ...drawing };
  const counts = engineAnswers(query, attributes, [new Uint16Array(100_000)]);
  const one = halfSpacesAnswers(query, attributes, [new Uint16Array(1)]);
  expect(counts).toEqual(one.map((count) => 100_000 * count));
  expect(new Set(counts).size).toBe(2);
});

it.each([
  ["free", false],
  ["divided", true],
])("takes the memory that plans state, and leaves nothing of the rows in it (%s)", (_, each) => {
  const attributes = named([column({ size: 3 }), fine(1000, true), column({ size: 2 })]);
  // So many answers that counting takes more of a vault than choosing.
  const drawing = { count: 3000, seed: 2, labels: ["column 2"], each, side: "below", strict: false } as const;
  const query: RandomHalfSpaces = { kind: "random-half-spaces", columns: [0, 1, 2], ...drawing };
  const engine = instance();
  const { exports } = engine;
  const struct = writeQuery(engine, query, attributes);
  const queries = engine.place(Uint32Array.of(struct));
  const columns = engine.place(Uint32Array.from(attributes, () => engine.place(new Uint16Array(BLOCK_ROWS).fill(1))));
  const out = engine.alloc(4 * cellsOf(query, attributes));
  const block = engine.place(Uint32Array.of(columns, BLOCK_ROWS));
  const end = exports.mark();
  const room = engine.alloc(2 ** 22);
  engine.u8(room, 2 ** 22).fill(255);
  exports.rewind(end);
  exports.answerBlocks(struct, block, 1, out);
  expect(exports.mark()).toBe(end);
  const rest = engine.u8(room, 2 ** 22);
  const taken = rest.indexOf(255);
  expect(rest.subarray(0, taken).every((byte) => byte === 0)).toBe(true);
  expect(rest.subarray(taken).every((byte) => byte === 255)).toBe(true);
  // The same struct as that of an expression, which takes none.
  const told = exports.vaultBytes(queries, 1, 0, 0, 0, 3, BLOCK_ROWS, 0, 0);
  engine.u32(struct + QUERY_KIND, 1)[0] = KIND_EXPRESSION;
  const scratch = told - exports.vaultBytes(queries, 1, 0, 0, 0, 3, BLOCK_ROWS, 0, 0);
  expect(taken).toBeGreaterThan(BLOCK_ROWS * 8);
  expect(scratch).toBeGreaterThanOrEqual(taken);
  expect(scratch).toBeLessThanOrEqual(taken + 32);
});

it("answers for a member the same whichever others are asked for", () => {
  const attributes = named([column({ size: 5 }), fine(500, true), column({ size: 3 })]);
  const codes = attributes.map((one) => Uint16Array.from({ length: 200 }, () => Math.floor(codesOf(one) * uniform())));
  const set = { count: 5000, seed: 11, labels: ["column 2"], each: false, side: "below", strict: false } as const;
  const query: RandomHalfSpaces = { kind: "random-half-spaces", columns: [0, 1, 2], ...set };
  const all = engineAnswers(query, attributes, codes);
  const numbers = [0, 1, 31, 32, 33, 500, 501, 4095, 4096, 4998, 4999];
  const some: RandomHalfSpaces = { ...query, numbers };
  expect([...engineAnswers(some, attributes, codes)]).toEqual(numbers.map((number) => all[number]));
  const few: RandomHalfSpaces = { ...query, count: 70 };
  expect(engineAnswers(few, attributes, codes)).toEqual(all.slice(0, 70));
});

describe("a search", () => {
  const attributes = named([
    column({ size: 5 }),
    fine(500, true),
    column({ size: 3 }),
    column({ size: 20, ordered: true }),
  ]);
  const rows = (count: number, seed: number) => {
    const uniform = uniforms(seed);
    return attributes.map((one) => Uint16Array.from({ length: count }, () => Math.floor(codesOf(one) * uniform())));
  };
  const setOf = (count: number, more: Partial<RandomHalfSpaces> = {}): RandomHalfSpaces => ({
    ...({ kind: "random-half-spaces", columns: [0, 1, 2, 3], count, seed: 4 } as const),
    ...({ labels: [], each: false, side: "below", strict: false } as const),
    ...more,
  });
  /** A search whose targets are the answers of other rows, or any. */
  const opened = (query: RandomHalfSpaces, codes: Uint16Array[], wanted?: Uint16Array[]) => {
    const counts = engineAnswers(query, attributes, wanted ?? codes);
    const targets = [wanted ? counts.map((count) => 16 * count) : integers(counts.length, 16 * codes[0].length, 1)];
    const problem = { attributes, queries: [query], targets, codes, shift: 4, seed: 3 };
    const lossAt = (codes: readonly Uint16Array[]) =>
      engineAnswers(query, attributes, codes).reduce(
        (loss, count, at) => loss + BigInt(targets[0][at] - 16 * count) ** 2n,
        0n,
      );
    return { lossAt, ...openSearch(problem) };
  };

  it.each([
    ["more members than are scored at a time", setOf(2500)],
    ["labels", setOf(300, { labels: ["column 2"], side: "above" })],
    ["cells", setOf(100, { labels: ["column 0", "column 2"], each: true, strict: true })],
  ])("makes the best change of a cell, as recounts do (%s)", (_, query) => {
    let codes = rows(3, 8);
    const { exports, search, lossAt, codes: present } = opened(query, codes);
    const descent = exports.descentOpen(search, -1, 2 ** 32 - 1);
    for (let turn = 0; turn < 3; turn++) {
      const before = codes;
      exports.descend(descent, 1);
      codes = present();
      const row = before[0].findIndex((_, row) => before.some((column, at) => column[row] !== codes[at][row]));
      expect(exports.searchLoss(search)).toBe(lossAt(codes));
      if (row < 0) continue;
      // Column by column, each code was the best while the later columns had their codes of before.
      let table = before.map((column) => column.slice());
      for (const [at, attribute] of attributes.entries()) {
        const losses = Array.from({ length: codesOf(attribute) }, (_, code) =>
          lossAt(table.map((column, other) => (other === at ? column.with(row, code) : column))),
        );
        expect(losses.filter((loss) => loss < losses[codes[at][row]])).toEqual([]);
        table = table.map((column, other) => (other === at ? column.with(row, codes[at][row]) : column));
      }
    }
  });

  it.each([
    ["free", setOf(400)],
    ["labelled", setOf(400, { labels: ["column 2"] })],
    ["divided", setOf(200, { labels: ["column 2"], each: true })],
  ])("finds rows that answer as others do (%s)", (_, query) => {
    const { exports, search } = opened(query, rows(12, 5), rows(12, 6));
    const start = Number(exports.searchLoss(search));
    const descent = exports.descentOpen(search, 0, 200);
    runSlices((steps) => exports.descend(descent, steps), [1, 5, 100]);
    expect(Number(exports.searchLoss(search))).toBeLessThan(start / 100);
  });

  it("finds the one row that answers as another does", () => {
    const { exports, search } = opened(setOf(400), rows(1, 5), rows(1, 6));
    expect(exports.searchLoss(search)).toBeGreaterThan(0n);
    const descent = exports.descentOpen(search, 0, 200);
    runSlices((steps) => exports.descend(descent, steps), [10]);
    expect(exports.searchLoss(search)).toBe(0n);
  });
});

it("draws normals: all halves of a word have their moments and quantiles", () => {
  const normals = Float64Array.from({ length: 2 ** 16 }, (_, half) => normalOf(half) / 2 ** 24);
  const mean = (power: number) => normals.reduce((sum, x) => sum + x ** power, 0) / 2 ** 16;
  expect(mean(1)).toBe(0);
  expect(mean(2)).toBeCloseTo(1, 3);
  expect(mean(4)).toBeCloseTo(3, 1);
  expect(Math.max(...normals)).toBe(4);
  const sorted = normals.toSorted();
  for (const at of [-3.5, -3, -2, -1, -0.1, 0.2, 0.7, 1.5, 2.5, 3.2]) {
    const below = sorted.findIndex((x) => x > at) / 2 ** 16;
    expect(Math.abs(below - normal(at))).toBeLessThan(2 ** -14);
  }
});

it("draws the members of the definition: a number's values tell their directions and thresholds apart", () => {
  const attributes = [fine(65_534, false)];
  const drawing = { count: 2000, seed: 12, labels: [], each: false, side: "below", strict: false } as const;
  const query: RandomHalfSpaces = { kind: "random-half-spaces", columns: [0], ...drawing };
  const codes = [Uint16Array.from({ length: 2048 }, (_, at) => 32 * at)];
  const counts = engineAnswers(query, attributes, codes);
  expect(counts).toEqual(halfSpacesAnswers(query, attributes, codes));
  expect(new Set(counts).size).toBeGreaterThan(400);
});

it("draws members by the law: thresholds are normal, and labels uniform", () => {
  const attributes = named([column({ size: 2 }), column({ size: 3 }), column({ size: 5 })]);
  const drawing = { count: 4000, seed: 1, labels: ["column 1", "column 2"], each: false } as const;
  const sides = { side: "below", strict: false } as const;
  const query: RandomHalfSpaces = { kind: "random-half-spaces", columns: [0, 1, 2], ...drawing, ...sides };
  const members = Array.from({ length: 4000 }, (_, number) => memberOf(query, attributes, number));
  const { threshold, direction } = factorsOf(1);
  const cells = (value: number, factor: number) => Math.min(7, Math.floor(8 * normal((value * 2 ** 16) / factor)));
  for (const values of [
    members.map((member) => cells(member.threshold, threshold)),
    members.map((member) => cells(member.direction[1], direction)),
  ]) {
    const seen = new Array<number>(8).fill(0);
    for (const cell of values) seen[cell]++;
    expect(goodnessOfFit(seen, new Array<number>(8).fill(1 / 8))).toBeGreaterThan(ALPHA);
  }
  const seen = new Array<number>(8).fill(0);
  for (const { label } of members) seen[(label!.column - 1) * 3 + label!.code]++;
  const law = [1 / 6, 1 / 6, 1 / 6, 0.1, 0.1, 0.1, 0.1, 0.1];
  expect(goodnessOfFit(seen, law)).toBeGreaterThan(ALPHA);
});

it("has no sum that leaves i16, and no finer units than that allows", () => {
  const bits = (d: number) => Math.log2(factorsOf(d).threshold) - 16;
  expect([1, 4, 8, 9, 40, 48, 64].map(bits)).toEqual([11, 11, 11, 10, 10, 10, 9]);
});

describe.each(gpuEngines)("$name", ({ missing, open }) => {
  it("counts as the definition does", async ({ skip }) => {
    if (missing) skip(missing);
    const gpu = await open();
    for (const { query, attributes, codes } of fc.sample(problem, { seed: 7, numRuns: 60 }))
      if (codes[0].length)
        expect(await gpuAnswers(gpu, [query], attributes, codes)).toEqual([
          halfSpacesAnswers(query, attributes, codes),
        ]);
    const sets = (["below", "above"] as const).flatMap((side) => [wide([], side), wide(["column 0"], side)]);
    const expected = sets.map((query) => halfSpacesAnswers(query, WIDE, WIDE_CODES));
    expect(await gpuAnswers(gpu, sets, WIDE, WIDE_CODES)).toEqual(expected);
  });

  it("counts rows, members and cells that buffers hold in parts", async ({ skip }) => {
    if (missing) skip(missing);
    const attributes = named([column({ size: 5 }), fine(500, true), column({ size: 3 }), column({ size: 4 })]);
    const codes = attributes.map((one) =>
      Uint16Array.from({ length: 1100 }, () => Math.floor(codesOf(one) * uniform())),
    );
    const set = { count: 600, seed: 11, side: "above", strict: true } as const;
    const of = (labels: string[], each: boolean, numbers?: number[]): RandomHalfSpaces => ({
      ...({ kind: "random-half-spaces", columns: [0, 1, 2, 3] } as const),
      ...{ ...set, labels, each, ...(numbers && { numbers }) },
    });
    const queries = [
      of([], false),
      of(["column 0", "column 2"], false),
      of(["column 0", "column 3"], true),
      of(["column 2"], true, [0, 1, 31, 32, 33, 500, 501, 599]),
    ];
    const expected = queries.map((query) => engineAnswers(query, attributes, codes));
    const gpu = await open();
    expect(await gpuAnswers(gpu, queries, attributes, codes)).toEqual(expected);
    expect(await gpuAnswers(gpu, queries, attributes, codes, 3000)).toEqual(expected);
  });

  it("draws the members of large numbers", async ({ skip }) => {
    if (missing) skip(missing);
    const attributes = [fine(65_534, false)];
    const codes = [Uint16Array.from({ length: 300 }, (_, at) => 218 * at)];
    const numbers = [0, 65_535, 65_536, 131_071, 131_072, 999_998, 999_999];
    const drawing = {
      count: 1_000_000,
      seed: 2 ** 32 - 1,
      labels: [],
      each: false,
      side: "below",
      strict: true,
    } as const;
    const query: RandomHalfSpaces = { kind: "random-half-spaces", columns: [0], ...drawing, numbers };
    expect(await gpuAnswers(await open(), [query], attributes, codes)).toEqual([
      halfSpacesAnswers(query, attributes, codes),
    ]);
  });
});
