import { expect, it } from "vitest";
import { Calls } from "../src/engine/calls.js";
import { writeModelCodes } from "../src/engine/model-codes.js";
import { parseCsv } from "../src/files/csv.js";
import { cellsOf, queryOf } from "../src/queries/query.js";
import { RowAnswers } from "../src/queries/row-answers.js";
import { RowBlocks } from "../src/queries/row-blocks.js";
import { writeQuery } from "../src/queries/struct.js";
import { modelCodes, modelColumns } from "../src/schema/encode.js";
import { parseSchema } from "../src/schema/schema.js";
import { instance } from "./engine.js";

it("reserves zeroed, aligned memory and wipes all of it", () => {
  const engine = instance();
  const first = engine.alloc(100_001);
  const second = engine.alloc(1);
  expect(first % 16).toBe(0);
  expect(second % 16).toBe(0);
  expect(second).toBeGreaterThanOrEqual(first + 100_001);
  engine.u8(first, 100_001).fill(7);
  engine.exports.rewind(first);
  expect(engine.u8(engine.alloc(100_001), 100_001).some(Boolean)).toBe(false);
  // The memory above a lower top was used as well.
  engine.u8(first, 100_001).fill(7);
  engine.exports.rewind(first);
  engine.alloc(10);
  engine.exports.rewind(first);
  expect(engine.u8(engine.alloc(200_000), 200_000).some(Boolean)).toBe(false);
  engine.u8(first, 100_001).fill(7);
  engine.exports.wipe();
  expect(engine.u8(first, 100_001).some(Boolean)).toBe(false);
});

it("refuses more than it can address, or an end past where pointers wrap, with the same message for any size", () => {
  const engine = instance();
  for (const bytes of [2 ** 33, 2 ** 32 - 16 - engine.exports.mark()])
    expect(() => engine.alloc(bytes)).toThrow(/no memory left for this: it can address 4 GiB/);
});

it("columns as stored in a table count like their codes, including missing cells", () => {
  const schema = parseSchema({
    fields: [
      { name: "category", type: "string", constraints: { enum: ["a", "b"] } },
      { name: "ordered", type: "integer", constraints: { minimum: 0, maximum: 9 } },
      { name: "tree", type: "integer", constraints: { minimum: 0, maximum: 9999 } },
      { name: "large", type: "integer", constraints: { minimum: 0, maximum: 1_000_000 } },
    ],
  });
  const lines = Array.from(
    { length: 999 },
    (_, row) => `${"ab?"[row % 3]},${row % 11 || ""},${row % 13 ? row * 10 : ""},${row % 7 ? row * 1000 : ""}\n`,
  );
  const table = parseCsv(`category,ordered,tree,large\n${lines.join("")}`, schema);
  const { attributes } = schema;
  const expected = RowAnswers.ofCodes(attributes, modelCodes(table, schema));
  const engine = instance();
  const blocks = new RowBlocks(engine, attributes);
  blocks.reserve(table.length);
  for (const [at, column] of modelColumns(table, schema).entries())
    writeModelCodes(engine, [column], [[blocks.blocks[0].columns[at]]], table.length);
  for (const [at, { size, missing }] of attributes.entries()) {
    const query = queryOf([at], attributes);
    const cells = cellsOf(query, attributes);
    const counts = engine.alloc(4 * cells);
    const calls = new Calls(engine);
    blocks.count(calls, writeQuery(engine, query, attributes), blocks.place(), counts);
    calls.run();
    const finest = [...engine.i32(counts, cells)].slice(-size);
    expect(finest).toEqual([...expected.of(query)].slice(-size));
    expect(missing).toBe(true);
    expect(finest.at(-1)).toBe(lines.filter((line) => /^\??$/.test(line.trim().split(",")[at])).length);
  }
});
