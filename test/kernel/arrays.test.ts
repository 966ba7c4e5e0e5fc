import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Grid, pointOf } from "../../src/domain/grid.js";
import { allocate, missingCode } from "../../src/domain/stored.js";
import { LONGEST_CELL, NO_PERSON } from "../../src/engine/layout.js";
import { canonical } from "../../src/notation/numbers.js";
import { notationStruct } from "../../src/notation/struct.js";
import { type Field, parseSchema } from "../../src/schema/schema.js";
import { arraysOf, type Cell, type CellArrays, placeArray } from "../arrays.js";
import { instance } from "../engine.js";
import { spelledMoment } from "../random-notations.js";
import { type ReadColumn, TestReader } from "../reader.js";
import { arrayCodes, momentPoint, momentText, textBetween } from "../reference/arrays.js";
import { plainText } from "../reference/doubles.js";

const engine = instance();
const { exports } = engine;

const PERSONS: ReadColumn = {
  ...{ kind: "person", bytes: 4, limit: 2 ** 32 - 1, notation: 0 },
  ...{ missingValues: ["NA"], missing: NO_PERSON, absent: NO_PERSON, otherwise: 0, labels: [], others: new Map() },
};
const DAY = 86_400_000_000n;
const SECOND = 1_000_000n;

/** The column of a field, with its NOTATION in the engine. */
function columnOf({ domain, notation, ...field }: Field, missingValues: readonly string[], limit = 100): ReadColumn {
  const missing = missingCode({ domain, ...field });
  const otherwise = (domain!.kind === "category" ? domain!.other : undefined) ?? missing ?? 0;
  const grid = domain!.kind === "grid" ? (domain as Grid) : undefined;
  return {
    ...{ kind: domain!.kind, missingValues, missing: missing ?? otherwise, absent: undefined, otherwise, limit },
    bytes: allocate({ domain, ...field }, 0).BYTES_PER_ELEMENT as 2 | 4 | 8,
    notation: notation ? engine.place(notationStruct(notation.spelling, grid)) : 0,
    labels: domain!.kind === "category" ? domain!.labels : [],
    others: domain!.kind === "category" ? domain!.spellings : new Map(),
    canonical: (text) => {
      const number = notation?.read(text);
      return number && canonical(number);
    },
    point: (text) => {
      const number = notation!.read(text);
      return number && grid ? pointOf(grid, number) : undefined;
    },
  };
}

const fieldOf = (given: object, missingValues: readonly string[]) =>
  parseSchema({ fields: [{ name: "field", ...given }], missingValues }).fields[0];

/** The codes of arrays that come one after the other. */
function codes(column: ReadColumn, arrays: readonly CellArrays[], gaps: readonly bigint[] = []): number[] {
  const reader = new TestReader(engine, ",", [undefined, column]);
  for (const array of arrays) {
    const first = reader.rows;
    expect(exports.readerExtend(reader.pointer, array.rows)).toBe(0);
    expect(exports.codeArray(reader.pointer, 1, first, array.rows, placeArray(engine, array, gaps))).toBe(0);
  }
  return reader.codes(1);
}

/** The text that stands for a cell. */
const textOf = (cell: Cell, mark: string): string | null => {
  if (cell === null || Number.isNaN(cell)) return null;
  return typeof cell === "number" ? plainText(cell, mark) : String(cell);
};

const missing = fc.constant(null);
const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("", "a", "é", " 5", "1,5", "1.5", "-9", "NA", "long text of many bytes") },
  missing,
);
const i64 = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt({ min: -10n, max: 120n }) },
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 10n ** 18n, -9n),
  missing,
);
const f64 = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -40, max: 500 }).map((number) => number / 4) },
  { weight: 2, arbitrary: fc.double() },
  fc.constantFrom(-9, 0.1 + 0.2, -0, 1e300, 5e-324, Number.NaN, Number.POSITIVE_INFINITY),
  missing,
);
const KINDS = { text, dictionary: text, i64, f64 } as const;
const list = (cell: fc.Arbitrary<Cell>) => fc.array(fc.array(cell, { maxLength: 30 }), { maxLength: 3 });
const typed = fc
  .constantFrom(...(["text", "dictionary", "i64", "f64"] as const))
  .chain((type) => list(KINDS[type]).map((batches) => ({ type, batches })));

describe("cells of arrays have the codes of their texts", () => {
  const FIELDS: [string, object][] = [
    ["strings", { constraints: { enum: ["a", "", "1", "-9.5", "1.5", "0.30000000000000004", "inf"] } }],
    ["booleans", { type: "boolean" }],
    ["integers", { type: "integer", constraints: { minimum: -5, maximum: 99 } }],
    ["numbers", { type: "number", decimalChar: ",", groupChar: ".", constraints: { minimum: -9, maximum: 300 } }],
    ["fine numbers", { type: "number", constraints: { minimum: -1e9, maximum: 1e9 }, standin: { granularity: 1e-6 } }],
    ["text around", { type: "number", bareNumber: false, constraints: { minimum: 0, maximum: 9, required: true } }],
    ["labels", { type: "number", decimalChar: ",", constraints: { enum: ["1,5", "007", "-9"] } }],
  ];
  it.each(FIELDS)("%s", (_, given) => {
    const missingValues = ["NA", "-9", "0,25", "0.5"].filter((one) => !JSON.stringify(given).includes(`"${one}"`));
    const field = fieldOf(given, missingValues);
    const mark = "decimalChar" in given ? "," : ".";
    fc.assert(
      fc.property(typed, fc.constantFrom(0, 2, 1000), ({ type, batches }, limit) => {
        engine.scratch(() => {
          const column = columnOf(field, missingValues, limit);
          const texts = batches.flat().map((cell) => textOf(cell, mark));
          const arrays = batches.map((cells) => arraysOf(type, cells));
          expect(codes(column, arrays)).toEqual(arrayCodes(column, texts));
        });
      }),
      { seed: 51, numRuns: 300 },
    );
  });

  it("persons, in the order of their first appearance in the rows", () => {
    fc.assert(
      fc.property(typed, ({ type, batches }) => {
        engine.scratch(() => {
          const texts = batches.flat().map((cell) => textOf(cell, "."));
          const arrays = batches.map((cells) => arraysOf(type, cells));
          expect(codes(PERSONS, arrays)).toEqual(arrayCodes(PERSONS, texts));
        });
      }),
      { seed: 52, numRuns: 500 },
    );
  });
});

it("numbers next to ties, and beyond all bounds, have the points of their texts", () => {
  const view = new DataView(new ArrayBuffer(8));
  const moved = (number: number, by: bigint) => {
    view.setFloat64(0, number);
    view.setBigInt64(0, view.getBigInt64(0) + by);
    return view.getFloat64(0);
  };
  const step = fc.constantFrom("1", "2", "7000", "0.1", "0.25", "0.003", "1e-6", "1e-15", "1e-18", "1e-20");
  const near = fc.tuple(fc.nat(2_000_000), fc.bigInt({ min: -2n, max: 2n }));
  const whole = fc.oneof(
    fc.bigInt({ min: -2000n, max: 2000n }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.constantFrom(-(2n ** 61n), 2n ** 61n - 1n, 2n ** 61n, 10n ** 18n / 4n),
  );
  const start = fc.oneof(fc.bigInt({ min: -(10n ** 6n), max: 10n ** 6n }), fc.constantFrom(10n ** 12n, -(2n ** 60n)));
  fc.assert(
    fc.property(start, step, fc.array(near), fc.array(whole), (first, granularity, halves, integers) => {
      const [digits, exponent = "0"] = granularity.replace("0.", "").split("e");
      const places = granularity.startsWith("0.") ? granularity.length - 2 : -Number(exponent);
      const decimal = (tenths: bigint) => `${tenths * BigInt(digits)}e-${places + 1}`;
      const bounds = { minimum: decimal(10n * first), maximum: decimal(10n * (first + 999_999n)) };
      const field = fieldOf({ type: "number", constraints: bounds, standin: { granularity } }, [""]);
      // Halves of points, and the doubles around them.
      const doubles = halves.map(([half, by]) => moved(Number(decimal(10n * first + 5n * BigInt(half))), by));
      engine.scratch(() => {
        const column = columnOf(field, [""]);
        expect(codes(column, [arraysOf("f64", doubles)])).toEqual(
          arrayCodes(
            column,
            doubles.map((one) => plainText(one)),
          ),
        );
        expect(codes(column, [arraysOf("i64", integers)])).toEqual(arrayCodes(column, integers.map(String)));
      });
    }),
    { seed: 55, numRuns: 1000 },
  );
});

it("arrays go on over several blocks, long texts of numbers among them", () => {
  const rows = 70_000;
  const numbers = Array.from({ length: rows }, (_, row) => (row % 3 ? 5e-324 * (row % 7) : null));
  engine.scratch(() => {
    const expected = arrayCodes(
      PERSONS,
      numbers.map((number) => textOf(number, ".")),
    );
    expect(
      codes(PERSONS, [
        arraysOf(
          "f64",
          ["x"].map(() => 1),
        ),
        arraysOf("f64", numbers),
      ]).slice(1),
    ).toEqual(expected.map((code) => (code === NO_PERSON ? code : code + 1)));
  });
});

it("no content of an array is an error: offsets are cut, places outside of a dictionary are missing", () => {
  const bytes = fc.array(fc.constantFrom(0x61, 0x62, 0xc3, 0xa9), { maxLength: 12 });
  const offset = fc.oneof(fc.nat(14), fc.constantFrom(2 ** 32 - 1, 2 ** 31));
  const place = fc.oneof(fc.integer({ min: -2, max: 6 }), fc.constantFrom(2 ** 31 - 1, -(2 ** 31)));
  fc.assert(
    fc.property(bytes, fc.array(offset, { minLength: 1, maxLength: 6 }), fc.array(place), (texts, offsets, places) => {
      engine.scratch(() => {
        const entries = offsets.length - 1;
        const [ends, given] = [Uint32Array.from(offsets), Uint8Array.from(texts)];
        const all = Array.from({ length: entries }, (_, row) => textBetween(given, ends, row));
        const validity = new Uint8Array(8).fill(255);
        const shared = { texts: given, offsets: new Uint8Array(ends.buffer), validity };
        const plain: CellArrays = { ...shared, type: "text", rows: entries, values: new Uint8Array(), entries: 0 };
        expect(codes(PERSONS, [plain])).toEqual(arrayCodes(PERSONS, all));
        const values = new Uint8Array(Int32Array.from(places).buffer);
        const coded: CellArrays = { ...shared, type: "dictionary", rows: places.length, values, entries };
        const cells = places.map((at) => (at >= 0 && at < entries ? all[at] : null));
        expect(codes(PERSONS, [{ ...coded, validity: new Uint8Array(100).fill(255) }])).toEqual(
          arrayCodes(PERSONS, cells),
        );
      });
    }),
    { seed: 53, numRuns: 1000 },
  );
});

it("a text is cut where a cell of a file is", () => {
  engine.scratch(() => {
    const long = "x".repeat(LONGEST_CELL);
    expect(codes(PERSONS, [arraysOf("text", [`${long}y`, long, `${long}z`, "x"])])).toEqual([0, 0, 0, 1]);
  });
});

describe("moments have the codes of their values", () => {
  const near = fc.tuple(fc.double({ min: -0.1, max: 1.1, noNaN: true }), fc.bigInt({ min: -2n, max: 2n }));
  const far = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.constantFrom(0n, -1n, -(2n ** 63n)));
  const cell = fc.oneof({ weight: 8, arbitrary: near }, { weight: 2, arbitrary: far }, missing);

  it("next to the points of grids, in every format and width, and far from them", () => {
    fc.assert(
      fc.property(spelledMoment, fc.array(cell, { maxLength: 20 }), ({ field }, cells) => {
        const { domain, notation } = field;
        const unit = notation.unit === "d" ? DAY : SECOND;
        // Half-way between points, and a microsecond or two off.
        const moments = cells.map((given) => {
          if (given === null || typeof given === "bigint") return given;
          const twice = 2n * domain.minimum + BigInt(Math.round(given[0] * 2 * domain.points)) * domain.step;
          return BigInt.asIntN(64, (twice * unit) / (2n * 10n ** BigInt(domain.scale)) + given[1]);
        });
        const days = (moment: bigint) => moment - (((moment % DAY) + DAY) % DAY);
        engine.scratch(() => {
          const column = columnOf(field, [""]);
          const expected = moments.map((moment) => {
            if (moment === null) return column.missing;
            return momentPoint(domain, unit, notation.unit === "d" ? days(moment) : moment);
          });
          expect(codes(column, [arraysOf("moment", moments)])).toEqual(expected);
        });
      }),
      { seed: 54, numRuns: 500 },
    );
  });

  it("categories, by their exact value; and those that are stated to be missing", () => {
    const labels = ["1969-12-31T23:59:59.25Z", "1970-01-01T00:00:00Z", "2024-02-29T12:00:00.000001+01:00"];
    const field = fieldOf({ type: "datetime", constraints: { enum: labels } }, [""]);
    const days = fieldOf({ type: "date", format: "%d.%m.%Y", constraints: { enum: ["31.12.1969", "29.02.2024"] } }, [
      "",
    ]);
    const moments = [-750_000n, -750_001n, 0n, 1n, 1_709_204_400_000_001n, null, 5n, -(2n ** 63n)];
    engine.scratch(() => {
      const column = columnOf(field, [""]);
      const expected = moments.map((moment) =>
        moment === null || moment === 5n ? column.missing : (column.others.get(momentText(SECOND, moment)) ?? 3),
      );
      expect(codes(column, [arraysOf("moment", moments)], [5n])).toEqual(expected);
      expect(expected.slice(0, 5)).toEqual([0, 3, 1, 3, 2]);
      const some = [-1n, -DAY, -DAY - 1n, 19_782n * DAY + 5n, 19_782n * DAY, null];
      expect(codes(columnOf(days, [""]), [arraysOf("moment", some)])).toEqual([0, 0, 2, 1, 1, 2]);
      expect(codes(columnOf(days, [""]), [arraysOf("moment", some)], [-DAY])).toEqual([2, 2, 2, 1, 1, 2]);
    });
  });
});

it("refuses rows that were not added, columns that are not read, and moments where there are none", () => {
  engine.scratch(() => {
    const numbers = columnOf(fieldOf({ type: "integer", constraints: { minimum: 0, maximum: 9 } }, []), []);
    const texts = { ...PERSONS, kind: "text" as const, bytes: 0 as const };
    const reader = new TestReader(engine, ",", [undefined, PERSONS, numbers, texts]);
    const [some, moments] = [arraysOf("text", ["a"]), arraysOf("moment", [1n])].map((one) => placeArray(engine, one));
    expect(exports.readerExtend(reader.pointer, 1)).toBe(0);
    const status = (place: number, row: number, rows: number, array: number) =>
      exports.codeArray(reader.pointer, place, row, rows, array);
    expect(status(1, 0, 1, some)).toBe(0);
    for (const [place, row, rows, array] of [
      ...[
        [0, 0, 1, some],
        [3, 0, 1, some],
        [4, 0, 1, some],
        [1, 1, 1, some],
        [1, 0, 2, some],
      ],
      ...[
        [1, 0xffffffff, 1, some],
        [1, 0, 1, moments],
        [2, 0, 1, moments],
      ],
    ])
      expect(status(place, row, rows, array)).not.toBe(0);
  });
});
