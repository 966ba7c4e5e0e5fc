import { describe, expect, it } from "vitest";
import { parseSchema } from "../../src/schema/schema.js";
import { gridOf as grid } from "./one.js";

const field = (rest: object) => ({ fields: [{ name: "x", ...rest }] });
const bounded = (minimum: unknown, maximum: unknown, standin: object = {}, type = "integer") =>
  field({ type, constraints: { minimum, maximum }, standin });
const money = (minimum: number, maximum: number) => ({
  type: "number",
  bareNumber: false,
  constraints: { minimum, maximum },
});
const id = (rest: object, format?: object) => field({ ...rest, standin: { role: "id", ...(format && { format }) } });
const attribute = (source: object) => parseSchema(source).attributes[0];
describe("refuses with a code and the field's name", () => {
  it.each([
    ["{", "schema/json", /not JSON/],
    [{}, "schema/fields", /no list of fields/],
    [{ fields: [] }, "schema/fields", /no list of fields/],
    [{ fields: [{}] }, "schema/field", /number 1 has no name/],
    [field({ type: "geopoint" }), "schema/unknown-type", /"x".*"geopoint"/],
    [field({ type: "strng" }), "schema/unknown-type", /"x".*"strng"/],
    [field({ type: "string", standin: { role: "modl" } }), "schema/unknown-role", /"x".*"modl"/],
    [field({ type: "string", standin: { rol: "id" } }), "schema/unknown-member", /"x".*"rol"/],
    [field({ type: "string" }), "schema/no-categories", /"x".*no categories/],
    [field({ type: "string", constraints: { enum: [] } }), "schema/enum", /"x".*empty/],
    [field({ type: "string", constraints: { enum: ["a", "b", "a"] } }), "schema/enum", /"a" twice/],
    [field({ type: "integer", constraints: { enum: ["1", "01"] } }), "schema/enum", /"01" twice: "1" is the same/],
    [field({ type: "string", constraints: { enum: ["", "b"] } }), "schema/missing", /missingValues/],
    [field({ type: "integer" }), "schema/no-bounds", /minimum and no maximum/],
    [field({ type: "integer", constraints: { minimum: 1 } }), "schema/no-bounds", /no maximum/],
    [field({ type: "date" }), "schema/no-bounds", /minimum and no maximum/],
    [bounded(220, 100), "schema/bounds", /minimum above its maximum/],
    [bounded("low", "high"), "schema/number", /"low"/],
    [bounded(0.5, 3), "schema/bounds", /not whole/],
    [bounded(0, 3, { granularity: 0.5 }), "schema/granularity", /not whole/],
    [bounded(0, 2 ** 53), "schema/number", /"x".*beyond 2\^53/],
    [field({ type: "integer", constraints: { enum: [2 ** 60] } }), "schema/number", /"x".*beyond 2\^53/],
    [bounded(1930, 2005.5, {}, "year"), "schema/bounds", /is a year.*not whole/],
    [{ fields: [{ ...bounded(1930, 2005, {}, "year").fields[0], format: "%y" }] }, "schema/format", /"%y"/],
    [bounded(0, 9, { format: { widht: 2 } }), "schema/unknown-member", /"x".*"widht"/],
    [bounded(0, 9, { format: { width: 0 } }), "schema/format", /width 0/],
    [bounded(0, 9, { format: { width: "5" } }), "schema/format", /width "5"/],
    [bounded(0, 9, { format: { prefix: "$" } }), "schema/format", /bare/],
    [field({ ...money(0, 9), standin: { format: { prefix: 3 } } }), "schema/format", /not text/],
    [
      field({ ...money(0, 9), standin: { format: { prefix: "1" } } }),
      "schema/format",
      /"10.000" would be read as another/,
    ],
    [field({ ...money(0, 9), groupChar: ",", standin: { format: { width: 3 } } }), "schema/format", /groupChar/],
    [field({ ...money(0, 9), groupChar: "." }), "schema/number", /same decimalChar/],
    [field({ constraints: { enum: ["a"] }, standin: { format: { width: 3 } } }), "schema/format", /modelled string/],
    [field({ type: "boolean", standin: { format: {} } }), "schema/format", /modelled boolean/],
    [id({}, { pattern: "P-" }), "schema/format", /without a place/],
    [id({}, { pattern: "P-#", width: 3 }), "schema/format", /more than one/],
    [id({ format: "uuid" }, { width: 3 }), "schema/format", /more than one/],
    [id({ format: "binary" }), "schema/format", /"binary"/],
    [id({ format: "constructor" }), "schema/format", /"constructor"/],
    [id({ type: "integer" }, { pattern: "#" }), "schema/unknown-member", /"pattern"/],
    [id({ type: "date" }), "schema/id", /date/],
    [bounded(3, 30, { granularity: 5 }), "schema/bounds", /not a multiple of its granularity 5/],
    [bounded(0, 10, { granularity: 0 }), "schema/granularity", /not above 0/],
    [bounded(0, "90071992547409930"), "schema/granularity", /2\^53/],
    [bounded(0, 9, { bins: 20 }), "schema/bins", /20 bins but only 10/],
    [bounded(0, 9, { bins: [3, 2] }), "schema/bins", /not ascending/],
    [bounded(0, 9, { bins: [12] }), "schema/bins", /outside/],
    [bounded(0, 9, { bins: "trees" }), "schema/bins", /neither/],
    [field({ type: "boolean", trueValues: ["y"], falseValues: ["y"] }), "schema/boolean", /overlap/],
    [field({ type: "string", constraints: { enum: ["a"] }, standin: { other: 3 } }), "schema/other", /not text/],
    [field({ ...bounded(0, 9).fields[0], standin: { other: "rest" } }), "schema/other", /lists none/],
    [{ fields: [bounded(0, 1).fields[0], bounded(0, 1).fields[0]] }, "schema/duplicate-field", /"x"/],
    [{ ...bounded(0, 1), missingValues: "NA" }, "schema/list", /missingValues/],
    [{ ...bounded(0, 1), standin: { unit: { column: "y", maxRows: 2 } } }, "schema/unit", /"y"/],
    [{ ...bounded(0, 1), standin: { unit: { maxRows: 0 } } }, "schema/unit", /maxRows 0/],
    [{ ...bounded(0, 1), unit: { column: "x", maxRows: 2 } }, "schema/misplaced-member", /"unit"/],
    [{ ...bounded(0, 1), missing_values: ["NA"] }, "schema/misplaced-member", /"missing_values"/],
    [field({ type: "integer", minimum: 1, maximum: 2 }), "schema/misplaced-member", /"minimum"/],
    [field({ type: "integer", constraints: { minimum: 1, maxmum: 2 } }), "schema/unknown-member", /"maxmum"/],
    [{ ...bounded(0, 1), standin: { unit: { column: "x", maxRows: 2 } } }, "schema/unit", /never modelled/],
    [{ ...bounded(0, 1), standin: { unit: { column: "x" } } }, "schema/unit", /lacks maxRows/],
    [{ ...bounded(0, 1), standin: { spent: [] } }, "schema/unsupported", /spent/],
    [bounded(0, 1, { provenance: "guessed" }), "schema/provenance", /"guessed"/],
    [{ ...bounded(0, 1), dialect: { delimiter: ";;" } }, "schema/dialect", /delimiter/],
    [{ ...bounded(0, 1), dialect: { encoding: "utf-9" } }, "schema/dialect", /"utf-9"/],
    [{ ...bounded(0, 1), dialect: { quoteChar: "'" } }, "schema/dialect", /quoteChar/],
  ])("%j", (source, code, message) => {
    expect(() => parseSchema(source)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  it("more categories than codes", () => {
    const many = Array.from({ length: 65_535 }, (_, at) => `c${at}`);
    expect(() => parseSchema(field({ constraints: { enum: many } }))).toThrow(/65,535 categories/);
    expect(attribute(field({ constraints: { enum: many.slice(1) } })).size).toBe(65_535);
  });
});

describe("grids", () => {
  it.each([
    ["integers", bounded(0, 99), { points: 100, scale: 0, step: 1n }],
    ["a granularity of 5000", bounded(0, 320000, { granularity: 5000 }), { points: 65, step: 5000n }],
    ["a maximum between two points", bounded(0, 12, { granularity: 5 }), { points: 3 }],
    ["quarters", bounded(0, 1, { granularity: 0.25 }, "number"), { points: 5, scale: 2, step: 25n }],
    ["a millionth", bounded(0, 1, { granularity: 1e-6 }, "number"), { points: 1_000_001, scale: 6, step: 1n }],
    ["below zero", bounded(-122.5, 3, {}, "number"), { minimum: -1225n, scale: 1, step: 1n, points: 1256 }],
    ["the default of a number, a thousandth or finer", bounded(0, 500_000, {}, "number"), { step: 100n, points: 5001 }],
    ["the default just below", bounded(0, 999, {}, "number"), { step: 1n, scale: 1, points: 9991 }],
    ["the default just at", bounded(0, 1000, {}, "number"), { step: 1n, scale: 0, points: 1001 }],
    ["one point", bounded(7, 7), { points: 1 }],
    ["one point of a number", bounded(0.5, 0.5, {}, "number"), { points: 1, minimum: 5n, scale: 1 }],
    [
      "integers beyond 2^53",
      bounded("9007199254740993", "9007199254740999"),
      { minimum: 9007199254740993n, points: 7 },
    ],
  ])("%s", (_, source, expected) => {
    expect(grid(source)).toMatchObject(expected);
  });

  it("are ordered categories up to 128 points, then trees", () => {
    expect(attribute(bounded(1, 128))).toMatchObject({ size: 129, tree: false, missing: true });
    expect(attribute(bounded(1, 129))).toMatchObject({ size: 33, tree: true, missing: true });
    expect(attribute({ ...bounded(1, 129), missingValues: [] })).toMatchObject({ size: 32, missing: false });
  });

  it("start leaves where ⌊i·32/points⌋ first reaches them", () => {
    for (const points of [10, 33, 100, 129, 1000]) {
      const { starts } = grid(bounded(0, points - 1, { bins: "tree" }));
      for (let leaf = 0; leaf < 32; leaf++)
        expect(starts[leaf]).toBe([...Array(points + 1).keys()].find((i) => Math.floor((i * 32) / points) >= leaf));
    }
  });

  it("can be cut into bins: equal widths, or edges that may repeat the bounds", () => {
    expect([...grid(bounded(0, 99, { bins: 3 })).starts]).toEqual([0, 34, 67]);
    expect([...grid(bounded(0, 99, { bins: [18, 65] })).starts]).toEqual([0, 18, 65]);
    expect([...grid(bounded(0, 99, { bins: [0, 18, 65, 99] })).starts]).toEqual([0, 18, 65]);
    expect([...grid(bounded(0, 1, { granularity: 0.1, bins: [0.25] }, "number")).starts]).toEqual([0, 3]);
  });
});

describe("fields", () => {
  it("have one more code, last, unless they are required or nothing can be missing", () => {
    const colours = { type: "string", constraints: { enum: ["red", "blue"] } };
    expect(attribute(field(colours))).toEqual({ name: "x", size: 3, tree: false, missing: true, ordered: false });
    expect(attribute(field({ ...colours, constraints: { ...colours.constraints, required: true } })).size).toBe(2);
    expect(attribute({ ...field(colours), missingValues: [] }).size).toBe(2);
  });

  it("get their `other` as a separate category", () => {
    const other = field({ constraints: { enum: ["a", "b"] }, standin: { other: "rest" } });
    expect(parseSchema(other).fields[0].domain).toMatchObject({ labels: ["a", "b", "rest"], other: 2 });
  });

  it("keep the descriptor unchanged and frozen, and list the facts that were read", () => {
    const source = {
      fields: [
        {
          name: "a",
          constraints: { enum: ["x"] },
          standin: { provenance: { enum: "read", type: "declared" } },
          title: "A",
        },
        { name: "b", type: "boolean", standin: { provenance: "read" } },
      ],
      standin: { provenance: { missingValues: "read" } },
    };
    const schema = parseSchema(source);
    expect(schema.toJSON()).toEqual(source);
    expect(Object.isFrozen(schema.toJSON().fields[0])).toBe(true);
    expect(schema.readFacts).toEqual(["schema: missingValues", "a: enum", "b: all facts"]);
  });
});

it.each(["geopoint", "object", "any"])("a dropped field may have the type %s", (type) => {
  const descriptor = { fields: [field({ type, standin: { role: "drop" } }).fields[0]] };
  expect(parseSchema(descriptor).toJSON()).toMatchObject({ fields: [{ type }] });
});
