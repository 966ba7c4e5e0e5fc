import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Attribute, codesOf } from "../../src/domain/attribute.js";
import { QUERY_BYTES, SEARCH_RUNNING } from "../../src/engine/layout.js";
import { cellsOf } from "../../src/queries/query.js";
import { boxesReached, type Ranges, type Side } from "../../src/queries/ranges.js";
import { queryParameters, writeQuery } from "../../src/queries/struct.js";
import { engineAnswers, gpuAnswers } from "../answers.js";
import { instance } from "../engine.js";
import { gpuEngines } from "../gpu-engines.js";
import { attribute, columnsOf, integers, rangesAmong } from "../random-tables.js";
import { rangesAnswers } from "../reference/ranges.js";
import { changed, lossOf, type Problem } from "../reference/residuals.js";
import { uniforms } from "../reference/statistics.js";
import { openSearch, problems } from "../search.js";

const problem = fc.array(attribute(9), { minLength: 1, maxLength: 5 }).chain((attributes) =>
  fc.integer({ min: 0, max: 60 }).chain((rows) =>
    fc.record({
      attributes: fc.constant(attributes),
      query: rangesAmong(attributes, 4),
      codes: columnsOf(attributes, rows),
      ends: fc.array(fc.integer({ min: 0, max: rows }), { maxLength: 3 }),
    }),
  ),
);

it("counts as the definition does, however the rows are split", () => {
  fc.assert(
    fc.property(problem, ({ attributes, query, codes, ends }) => {
      expect(engineAnswers(query, attributes, codes, ends)).toEqual(rangesAnswers(query, attributes, codes));
    }),
    { seed: 1, numRuns: 400 },
  );
});

/** Batches that end around the rows that the engine takes at once, 512, and around words of 64 rows. */
const BATCHES = [1, 63, 64, 65, 511, 512, 513];
const ENDS = BATCHES.map((_, at) => BATCHES.slice(0, at + 1).reduce((sum, rows) => sum + rows));

const numeric = (fine: number, missing: boolean): Attribute => ({
  ...{ name: "number", size: 32 + Number(missing), tree: true, ordered: true, missing, fine },
});
const category = (size: number): Attribute => ({ name: "category", size, tree: false, missing: false });

const SHAPES: [string, readonly Attribute[], isDivided: readonly boolean[]][] = [
  ["ranges of few and of many codes", [numeric(40, true), numeric(65_534, true), category(3)], [false, false, false]],
  ["a few cells", [category(5), numeric(1000, false)], [true, false]],
  ["several divided columns", [category(3), numeric(600, true), category(5)], [true, false, true]],
  ["many cells", [category(9), numeric(33, true), category(7)], [true, false, true]],
  ["cells alone", [category(4), category(3)], [true, true]],
];

/** So many boxes: among them ranges of no code (which no workload asks for, but draws may), of all, and of one. */
function boxesOf(count: number, attributes: readonly Attribute[], isDivided: readonly boolean[]): Ranges["boxes"] {
  const uniform = uniforms(count);
  const threshold = () => Math.floor(uniform() * 2 ** 32);
  const side = ({ size, ordered }: Attribute): Side => {
    if (!ordered) return Math.floor(uniform() * size);
    const kind = Math.floor(uniform() * 9);
    if (kind < 3) return [0, threshold() + 1];
    const at = threshold();
    const sides: Side[] = [
      [at, at + 1],
      [0, 2 ** 32],
      [0, 0],
      [0, 1],
      [at, 2 ** 32],
      [at, at + 1 + Math.floor((2 ** 32 - at) / 3)],
    ];
    return sides[kind - 3];
  };
  return Array.from({ length: count }, () => attributes.map((facts, at) => (isDivided[at] ? null : side(facts))));
}

const uniformTable = (attributes: readonly Attribute[], rows: number) =>
  attributes.map((facts, at) => {
    const uniform = uniforms(100 + at);
    return Uint16Array.from({ length: rows }, () => Math.floor(codesOf(facts) * uniform()));
  });

describe.each(SHAPES)("counts %s", (_, attributes, isDivided) => {
  const codes = uniformTable(attributes, ENDS.at(-1) ?? 0);
  it.each([1, 20, 300])("in %i boxes, in batches of all sizes", (count) => {
    const boxes = boxesOf(count, attributes, isDivided);
    const query: Ranges = { kind: "ranges", columns: [...attributes.keys()], boxes };
    expect(engineAnswers(query, attributes, codes, ENDS)).toEqual(rangesAnswers(query, attributes, codes));
  });
});

it("counts columns of one code, and leaves no trace of the rows", () => {
  const attributes = [numeric(65_534, true), numeric(65_534, true)];
  const codes = [new Uint16Array(600).fill(65_534), new Uint16Array(600).fill(65_533)];
  const query: Ranges = { kind: "ranges", columns: [0, 1], boxes: boxesOf(300, attributes, [false, false]) };
  expect(engineAnswers(query, attributes, codes)).toEqual(rangesAnswers(query, attributes, codes));
  const engine = instance();
  const { exports } = engine;
  const struct = writeQuery(engine, query, attributes);
  const columns = engine.place(Uint32Array.from(codes, (column) => engine.place(column)));
  const out = engine.alloc(4 * query.boxes.length);
  const block = engine.place(Uint32Array.of(columns, 600));
  const top = exports.mark();
  exports.answerBlocks(struct, block, 1, out);
  expect(exports.mark()).toBe(top);
  const { byteLength } = exports.memory.buffer;
  expect(engine.u8(top, byteLength - top).every((byte) => byte === 0)).toBe(true);
  // What counting reserved: an index and maps for two columns.
  expect(byteLength - top).toBeGreaterThan(2 * 16_384);
});

it("takes the memory that plans state", () => {
  const attributes = Array.from({ length: 30 }, () => numeric(65_534, true));
  const isDivided = attributes.map(() => false);
  const columns = [...attributes.keys()];
  const engine = instance();
  const { exports } = engine;
  const words = (count: number) =>
    ({ kind: "ranges", columns, boxes: boxesOf(count, attributes, isDivided) }) as Ranges;
  const place = (count: number) => writeQuery(engine, words(count), attributes);
  const [one, many] = [place(1), place(100)];
  const stated = (query: number) => exports.vaultBytes(engine.place(Uint32Array.of(query)), 1, 0, 0, 0, 30, 512, 0, 0);
  const more = stated(many) - stated(one) - engine.u32(many + QUERY_BYTES, 1)[0];
  const column = engine.place(new Uint16Array(512));
  const block = engine.place(Uint32Array.of(engine.place(new Uint32Array(30).fill(column)), 512));
  const out = engine.alloc(4 * 100);
  const size = () => exports.memory.buffer.byteLength;
  const full = size();
  engine.alloc(full - exports.mark() - 16);
  exports.answerBlocks(many, block, 1, out);
  expect(size()).toBeGreaterThan(full + 2 ** 20);
  // The memory grows by whole pages.
  expect(more).toBeGreaterThan(size() - full - 2 ** 16);
});

const LARGEST = {
  attributes: [{ name: "column", size: 33, tree: true, missing: true, fine: 65_534 }],
  codes: [Uint16Array.from({ length: 20 }, (_, row) => 65_534 - (row % 10))],
  query: {
    kind: "ranges",
    columns: [0],
    boxes: [
      [0, 2 ** 32],
      [2 ** 32 - 3 * 65_536, 2 ** 32],
      [0, 2 ** 32 - 3 * 65_536],
      [0, 1],
    ].map(([from, to]) => [[from, to]] as const),
  } as Ranges,
};

it("compares codes up to the largest", () => {
  const { query, attributes, codes } = LARGEST;
  const counts = engineAnswers(query, attributes, codes);
  expect(counts).toEqual(rangesAnswers(query, attributes, codes));
  expect([...counts]).toEqual([18, 4, 14, 0]);
});

it("finds for every code the loss that a search scores it with", () => {
  let tested = 0;
  fc.assert(
    fc.property(problems, (search) => {
      const used = search.queries.flatMap(({ kind, columns }) => (kind === "ranges" ? columns : []));
      fc.pre(used.length > 0);
      const { exports, search: pointer } = openSearch(search);
      const state = exports.descentOpen(pointer, 0, 1);
      const before = lossOf(search, search.codes);
      for (const column of used)
        expect(exports.searchDelta(pointer, 0, column, 0)).toBe(
          lossOf(search, changed(search.codes, 0, column, 0)) - before,
        );
      exports.descend(state, 1);
      expect(exports.searchLoss(pointer)).toBeLessThanOrEqual(before);
      tested++;
    }),
    { seed: 4, numRuns: 60 },
  );
  expect(tested).toBe(60);
});

describe.each(SHAPES)("searches with many boxes of %s", (_, attributes, isDivided) => {
  it.each([64, 150])("of which there are %i", (count) => {
    const query: Ranges = {
      kind: "ranges",
      columns: [...attributes.keys()],
      boxes: boxesOf(count, attributes, isDivided),
    };
    const rows = 12;
    const codes = uniformTable(attributes, rows);
    const targets = [integers(cellsOf(query, attributes), 2 * rows, count)];
    const problem: Problem = { attributes, queries: [query], targets, codes, shift: 1, seed: count };
    const uniform = uniforms(7);
    const below = (bound: number) => Math.floor(bound * uniform());
    const { exports, search, loss, codes: found } = openSearch(problem);
    let table: readonly Uint16Array[] = codes;
    for (let turn = 0; turn < 120; turn++) {
      const column = below(attributes.length);
      const [row, value] = [below(rows), below(codesOf(attributes[column]))];
      const next = changed(table, row, column, value);
      const change = lossOf(problem, next) - lossOf(problem, table);
      expect(exports.searchDelta(search, row, column, value)).toBe(change);
      if (turn % 3) continue;
      exports.searchMove(search, row, column, value);
      table = next;
      expect(loss()).toBe(lossOf(problem, table));
    }
    const descent = exports.descentOpen(search, 0, 100);
    while (exports.descend(descent, 100) === SEARCH_RUNNING);
    const settled = found();
    expect(loss()).toBe(lossOf(problem, settled));
    // No change of one cell is better.
    for (let turn = 0; turn < 300; turn++) {
      const column = below(attributes.length);
      const value = below(codesOf(attributes[column]));
      expect(exports.searchDelta(search, below(rows), column, value)).toBeGreaterThanOrEqual(0n);
    }
  });
});

it("knows how many boxes a change reaches", () => {
  for (const [, attributes, isDivided] of SHAPES) {
    const columns = [...attributes.keys()];
    const query: Ranges = { kind: "ranges", columns, boxes: boxesOf(50, attributes, isDivided) };
    const reach = boxesReached(query, attributes, queryParameters(query, attributes));
    const table = uniformTable(attributes, 60);
    for (const column of columns) {
      expect(reach[column]).toBeLessThanOrEqual(isDivided[column] ? 100 : 50);
      for (let at = 1; at < 60; at++) {
        const row = table.map((codes) => codes.slice(at, at + 1));
        const other = row.map((codes, place) => (place === column ? table[place].slice(at - 1, at) : codes));
        const answers = [row, other].map((codes) => rangesAnswers(query, attributes, codes));
        const reached = answers[0].reduce((sum, count, cell) => sum + Math.abs(count - answers[1][cell]), 0);
        expect(reach[column]).toBeGreaterThanOrEqual(reached);
      }
    }
  }
});

describe.each(gpuEngines)("$name", ({ missing, open }) => {
  it("counts as the definition does", async ({ skip }) => {
    if (missing) skip(missing);
    const gpu = await open();
    const cases = [LARGEST, ...fc.sample(problem, { seed: 6, numRuns: 60 }).filter(({ codes }) => codes[0].length)];
    for (const { query, attributes, codes } of cases)
      expect(await gpuAnswers(gpu, [query], attributes, codes)).toEqual([rangesAnswers(query, attributes, codes)]);
  });

  it.for(SHAPES)("counts %s", async ([_, attributes, isDivided], { skip }) => {
    if (missing) skip(missing);
    const gpu = await open();
    const codes = uniformTable(attributes, ENDS.at(-1) ?? 0);
    for (const [count, mostBytes] of [[1], [300], [140, 3000]]) {
      const boxes = boxesOf(count, attributes, isDivided);
      const query: Ranges = { kind: "ranges", columns: [...attributes.keys()], boxes };
      const expected = [rangesAnswers(query, attributes, codes)];
      expect(await gpuAnswers(gpu, [query], attributes, codes, mostBytes)).toEqual(expected);
    }
  });
});
