import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Table } from "../../src/core/table.js";
import type { Grid } from "../../src/domain/grid.js";
import { STREAM_DECODE } from "../../src/engine/layout.js";
import { parseCsv } from "../../src/files/csv.js";
import { decodeRows } from "../../src/schema/decode.js";
import { modelCodes } from "../../src/schema/encode.js";
import { parseSchema } from "../../src/schema/schema.js";
import { word } from "../reference/philox.js";
import { one } from "../schema/one.js";

const number = (minimum: number, maximum: number, granularity: number, rest: object = {}) =>
  one({ type: "number", constraints: { minimum, maximum }, standin: { granularity }, ...rest });

describe("numbers", () => {
  it("are rounded to the nearest grid point, ties up, in exact decimals, and clipped", () => {
    const { through } = number(-1, 1, 0.1);
    for (const [cell, text] of [
      ["0.15", "0.2"],
      ["0.14999999999999999", "0.1"],
      ["-0.15", "-0.1"],
      ["+.5", "0.5"],
      ["5e-1", "0.5"],
      [" 1.0 ", "1.0"],
      ["7", "1.0"],
      ["-1e300", "-1.0"],
      ["-0.04", "0.0"],
    ])
      expect([cell, through(cell)]).toEqual([cell, text]);
  });

  it("that cannot be read are missing where allowed, otherwise the lower bound", () => {
    for (const cell of ["", "abc", "1,5", "NaN", "Infinity", "1e99999", "--1", "0x10"]) {
      expect(number(0, 9, 1).through(cell)).toBe("");
      expect(number(2, 9, 1, { constraints: { minimum: 2, maximum: 9, required: true } }).through(cell)).toBe("2");
    }
  });

  it("keep the marks that the field states", () => {
    const { through } = number(0, 10000, 0.01, { decimalChar: ",", groupChar: "." });
    expect(through("1.234,5")).toBe("1.234,50");
    expect(through("7")).toBe("7,00");
    expect(number(0, 10, 0.1, { decimalChar: "," }).through("1.5")).toBe("");
    expect(number(0, 100, 1, { bareNumber: false }).through("$ 12.4 USD")).toBe("12");
    expect(number(0, 100, 1, { bareNumber: false }).through(`7${"x".repeat(1e6)}1`)).toBe("");
  });

  it("beyond 2^53 stay whole", () => {
    const { through, codec } = one({
      type: "integer",
      constraints: { minimum: "9007199254740993", maximum: "9007199254740999" },
    });
    expect(through("9007199254740995")).toBe("9007199254740995");
    expect(codec.value(2)).toBe(9007199254740995n);
  });

  it.each([
    [2 ** 16 - 1, Uint16Array],
    [2 ** 16, Uint32Array],
    [2 ** 32 - 1, Uint32Array],
    [2 ** 32, Float64Array],
  ])("on a grid of %d points are stored in a kind of array that also has a code for missing cells", (points, kind) => {
    const { schema, codec } = one({ type: "integer", constraints: { minimum: 0, maximum: points - 1 } });
    const { codes } = parseCsv(`x\n${points - 1}\n?\n`, schema).columns[0];
    expect(codes).toBeInstanceOf(kind);
    expect(Array.from(codes, codec.text)).toEqual([`${points - 1}`, ""]);
  });
});

describe("categories", () => {
  it("are matched by spelling, blanks around them aside, and by value where they are numbers", () => {
    const codes = one({ type: "integer", constraints: { enum: [1, 2, 10] } });
    expect(["1", "01", "2.0", "1e1", " 10", "3"].map(codes.through)).toEqual(["1", "1", "2", "10", "10", ""]);
    const texts = one({ type: "string", constraints: { enum: ["a", " a"] } });
    expect(["a", " a", "a "].map(texts.through)).toEqual(["a", " a", "a"]);
    const zips = one({ type: "string", constraints: { enum: ["01", "1"] } });
    expect(["01", "1", "001"].map(zips.through)).toEqual(["01", "1", ""]);
  });

  it("that are unlisted become other, otherwise missing, otherwise the first", () => {
    expect(one({ constraints: { enum: ["a", "b"] }, standin: { other: "b" } }).through("z")).toBe("b");
    expect(one({ constraints: { enum: ["a", "b"] } }).through("z")).toBe("");
    expect(one({ constraints: { enum: ["a", "b"], required: true } }).through("z")).toBe("a");
    expect(one({ constraints: { enum: ["a", "b"], required: true }, standin: { other: "b" } }).through("")).toBe("b");
  });

  it("of booleans have the defaults or the stated spellings; the first is written", () => {
    const plain = one({ type: "boolean" });
    expect(["TRUE", "1", "False", "0", "yes"].map(plain.through)).toEqual(["true", "true", "false", "false", ""]);
    const words = one({ type: "boolean", trueValues: ["ja", "j"], falseValues: ["nein"] });
    expect(["j", "nein"].map(words.through)).toEqual(["ja", "nein"]);
    expect(words.codec.value(words.reader.encode("j"))).toBe(true);
  });

  it("named like members of objects are treated as any other", () => {
    const words = ["__proto__", "constructor", "toString"];
    expect(words.map(one({ constraints: { enum: words } }).through)).toEqual(words);
    expect(one({ constraints: { enum: ["a"] } }).through("constructor")).toBe("");
  });
});

it("reads missing as stated and writes the first spelling", () => {
  const { through } = one(
    { type: "integer", constraints: { minimum: 0, maximum: 9 } },
    { missingValues: ["NA", "", "-9"] },
  );
  expect(["", "NA", "-9", "4"].map(through)).toEqual(["NA", "NA", "NA", "4"]);
});

it("every written value reads back as the same code", () => {
  const bounds = fc.tuple(
    fc.integer({ min: -5000, max: 5000 }),
    fc.integer({ min: 0, max: 9000 }),
    fc.constantFrom(1, 0.5, 0.01, 20),
  );
  fc.assert(
    fc.property(bounds, fc.nat(), ([low, width, step], pick) => {
      const minimum = Math.round(low / 20) * 20;
      const { schema, reader, codec } = number(minimum, minimum + width, step);
      const { domain } = schema.fields[0];
      const point = pick % (domain?.kind === "grid" ? domain.points : 1);
      expect(reader.encode(codec.text(point))).toBe(point);
    }),
    { seed: 3, numRuns: 500 },
  );
});

it("turns rows into codes and codes into rows: a point of the code's own run, missing kept, ids counted", () => {
  const schema = parseSchema({
    fields: [
      { name: "id", type: "integer", standin: { role: "id" } },
      { name: "tree", type: "integer", constraints: { minimum: 0, maximum: 999 } },
      {
        name: "bin",
        type: "integer",
        constraints: { minimum: 0, maximum: 99, required: true },
        standin: { bins: [18, 65] },
      },
      { name: "sex", type: "string", constraints: { enum: ["F", "M"], required: true } },
    ],
  });
  const codes = [Uint16Array.of(0, 31, 32, 7), Uint16Array.of(0, 1, 2, 1), Uint16Array.of(1, 0, 1, 0)];
  const table = decodeRows(schema, ["sex", "bin", "id", "tree"], ";", codes, 7);
  expect(table.names).toEqual(["sex", "bin", "id", "tree"]);
  expect(table.delimiter).toBe(";");
  expect(table.column("id")).toEqual([1, 2, 3, 4]);
  expect(table.column("sex")).toEqual(["M", "F", "M", "F"]);
  // Points of a run, as the words of the column's stream in this row pick them.
  const point = (first: number, count: number, attribute: number, row: number) =>
    first + Math.floor((word(7, STREAM_DECODE, attribute, row) * count) / 2 ** 32);
  expect(table.column("bin")).toEqual([
    point(0, 18, 1, 0),
    point(18, 47, 1, 1),
    point(65, 35, 1, 2),
    point(18, 47, 1, 3),
  ]);
  expect(table.column("tree")).toEqual([point(0, 32, 0, 0), point(969, 31, 0, 1), null, point(219, 31, 0, 3)]);
  expect(modelCodes(table, schema)).toEqual(codes);
  expect(table).toBeInstanceOf(Table);
});

it("finds the code of every grid point, on grids of 16, 32 and more bits, in columns of any length", () => {
  const grids = fc.record({
    width: fc.constantFrom(
      1,
      2,
      20,
      128,
      129,
      999,
      65_534,
      65_535,
      100_000,
      2 ** 22,
      1e9,
      2 ** 32 - 3,
      2 ** 32 - 2,
      2 ** 40,
    ),
    bins: fc.constantFrom<object>({}, { bins: "tree" }, { bins: 1 }, { bins: [1, 2] }, { bins: [2] }),
    required: fc.boolean(),
    copies: fc.constantFrom(1, 300),
  });
  fc.assert(
    fc.property(grids, fc.array(fc.nat(), { maxLength: 20 }), ({ width, bins, required, copies }, picks) => {
      fc.pre(!("bins" in bins) || width > 2);
      const schema = parseSchema({
        fields: [{ name: "n", type: "integer", constraints: { minimum: 0, maximum: width, required }, standin: bins }],
      });
      const { starts, points } = schema.fields[0].domain as Grid;
      const atEdges = [...starts].flatMap((start) => [start - 1, start, start + 1]);
      const inside = [...atEdges, ...picks.map((pick) => pick % points), points - 1];
      const numbers = inside.filter((point) => point >= 0 && point < points);
      const cells = [...numbers.map(String), ...(required ? [] : [""])];
      const table = parseCsv(
        `n,o\n${cells
          .map((cell) => `${cell},\n`)
          .join("")
          .repeat(copies)}`,
        schema,
      );
      const codes = numbers.map((point) => starts.filter((start) => start <= point).length - 1);
      const expected = required ? codes : [...codes, starts.length];
      expect([...modelCodes(table, schema)[0].slice(0, expected.length)]).toEqual(expected);
    }),
    { seed: 5, numRuns: 400 },
  );
});
