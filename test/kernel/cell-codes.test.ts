import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Grid, pointOf } from "../../src/domain/grid.js";
import { allocate, missingCode } from "../../src/domain/stored.js";
import { NO_PERSON } from "../../src/engine/layout.js";
import { canonical } from "../../src/notation/numbers.js";
import { notationStruct } from "../../src/notation/struct.js";
import { parseSchema } from "../../src/schema/schema.js";
import { instance } from "../engine.js";
import { type Noted, type ReadColumn, TestReader } from "../reader.js";
import { cellCodes } from "../reference/cell-codes.js";
import { bytesOf, characters } from "../reference/parser.js";

const engine = instance();

const CATEGORIES: ReadColumn = {
  ...{ kind: "category", bytes: 2, limit: 100, notation: 0 },
  ...{ missingValues: [], missing: 7, absent: undefined, otherwise: 8, labels: [], others: new Map() },
};
const PERSONS: ReadColumn = { ...CATEGORIES, kind: "person", bytes: 4, missing: NO_PERSON, absent: NO_PERSON };
const TEXTS: ReadColumn = { ...CATEGORIES, kind: "text", bytes: 0 };

/** The reader of one column, after it has read these cells; `undefined` for those that their records lack. */
function readerOf(column: ReadColumn, cells: readonly (Uint8Array | undefined)[]): TestReader {
  const reader = new TestReader(engine, ",", [undefined, column]);
  const lines = cells.map((cell) => (cell ? `,"${characters(cell).replaceAll('"', '""')}"\n` : "u\n"));
  for (const line of lines.join("").match(/.{1,100000}/gs) ?? []) reader.push(bytesOf(line));
  reader.end();
  return reader;
}

const codes = (column: ReadColumn, cells: readonly (Uint8Array | undefined)[]): number[] =>
  engine.scratch(() => readerOf(column, cells).codes(1));

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

// Few texts, so cells often meet what is declared, with blanks around it and with bytes that are no UTF-8.
const blank = fc.constantFrom("", "", "", " ", "\t", "\u00a0", "\ufeff", "\u2003\n", "\u3000");
const word = fc.constantFrom("", "a", "b", "é", "\ufffd", "a\ufffd", "NA", "long text of many bytes", "x\u2003y", "😀");
const spelling = fc.tuple(blank, word, blank).map((parts) => parts.join(""));
const broken = fc
  .array(fc.oneof(fc.constantFrom(0xff, 0xc3, 0xa9, 0xe2, 0x82, 0xf0, 0x9f, 0x98, 0x20, 0x61), fc.nat(255)), {
    maxLength: 20,
  })
  .map((bytes) => Uint8Array.from(bytes));
const cell = fc.oneof(
  { weight: 6, arbitrary: spelling.map(utf8) },
  { weight: 2, arbitrary: broken },
  { weight: 1, arbitrary: fc.constant(undefined) },
);
const cells = fc.array(cell, { maxLength: 40 });
const rule = fc
  .tuple(
    fc.uniqueArray(spelling, { maxLength: 3 }),
    fc.uniqueArray(spelling, { maxLength: 6 }),
    fc.dictionary(spelling, fc.integer({ min: 0, max: 6 }), { maxKeys: 4 }),
    fc.constantFrom(undefined, 9),
    fc.constantFrom(0, 1, 2, 100),
  )
  .map(([missingValues, labels, others, absent, limit]) => ({
    ...{ missingValues, labels, others: new Map(Object.entries(others)), absent, limit },
  }));

describe("codes of categories", () => {
  it("follow from the text alone, as the rules say, whatever is remembered", () => {
    fc.assert(
      fc.property(rule, cells, (given, some) => {
        const column = { ...CATEGORIES, ...given };
        expect(codes(column, some)).toEqual(cellCodes(column, some));
      }),
      { seed: 41, numRuns: 3000 },
    );
  });

  it("reach up to the largest number of categories", () => {
    const labels = Array.from({ length: 65_534 }, (_, code) => `${code % 3 ? "category " : ""}${code}`);
    const column = { ...CATEGORIES, labels, limit: 65_536 };
    const some = labels.toReversed().map(utf8);
    expect(codes(column, [...some, ...some])).toEqual(
      Array.from({ length: 2 }, () => labels.map((_, at) => 65_533 - at)).flat(),
    );
  });

  it("follow from all of the longest possible cell", () => {
    const long = "é".repeat(1 << 19);
    const column = { ...CATEGORIES, labels: [long] };
    expect(codes(column, [utf8(long), utf8(`${long.slice(1)}  `), new Uint8Array(1 << 20).fill(0xff)])).toEqual([
      0, 8, 8,
    ]);
  });
});

describe("codes of numbers and dates", () => {
  /** Fields of a grid in each width, and of categories that are numbers or dates. */
  const FIELDS: [string, object][] = [
    ["u16", { type: "integer", constraints: { minimum: -5, maximum: 99 } }],
    ["u32", { type: "number", decimalChar: ",", constraints: { minimum: "0", maximum: "10000", required: true } }],
    ["f64", { type: "number", constraints: { minimum: "-1e9", maximum: "1e9" }, standin: { granularity: "0.01" } }],
    ["dates", { type: "date", constraints: { minimum: "2000-01-01", maximum: "2024-12-31" } }],
    ["text around", { type: "integer", bareNumber: false, constraints: { minimum: 0, maximum: 9 } }],
    // The canonical text of the second label is the first one.
    ["labels", { type: "number", decimalChar: ",", groupChar: ".", constraints: { enum: ["1.5", "1,5", "007"] } }],
    ["days", { type: "date", constraints: { enum: ["2024-01-01", "2024-02-29"] }, standin: { other: "2024-02-29" } }],
  ];
  const value = fc.oneof(
    fc.constantFrom("1", "1.5", "1,5", "01,50", "7", " 7 ", "0", "-3", "1e3", "99", "100", "12345.678", "-0.005"),
    fc.constantFrom(" 01,50", "2024-02-29", "2023-02-29", " 2001-09-10", "NA", "", "x", "5 \ufffd", "1.234.567,5"),
  );
  const some = fc.array(
    fc.oneof(
      { weight: 8, arbitrary: value.map(utf8) },
      broken,
      fc.constant(Uint8Array.of(0x35, 0xff)),
      fc.constant(undefined),
    ),
    { maxLength: 30 },
  );

  it.each(FIELDS)("%s", (_, given) => {
    const missingValues = ["NA", "", "5\ufffd", "1"];
    const descriptor = { fields: [{ name: "field", ...given }], missingValues };
    const [field] = parseSchema(descriptor).fields;
    const { domain, notation } = field;
    const missing = missingCode(field);
    const isGrid = domain!.kind === "grid";
    const otherwise = (domain!.kind === "category" ? domain!.other : undefined) ?? missing ?? 0;
    fc.assert(
      fc.property(some, fc.constantFrom(0, 2, 1000), (cells, limit) => {
        engine.scratch(() => {
          const column: ReadColumn = {
            ...{
              kind: domain!.kind,
              missingValues,
              missing: missing ?? otherwise,
              absent: undefined,
              otherwise,
              limit,
            },
            bytes: allocate(field, 0).BYTES_PER_ELEMENT as 2 | 4 | 8,
            notation: engine.place(notationStruct(notation!.spelling, domain!.kind === "grid" ? domain! : undefined)),
            labels: domain!.kind === "category" ? domain!.labels : [],
            others: domain!.kind === "category" ? domain!.spellings : new Map(),
            canonical: (text) => {
              const number = notation!.read(text);
              return number && canonical(number);
            },
            point: (text) => {
              const number = notation!.read(text);
              return number && isGrid ? pointOf(domain as Grid, number) : undefined;
            },
          };
          expect(readerOf(column, cells).codes(1)).toEqual(cellCodes(column, cells));
        });
      }),
      { seed: 44, numRuns: 300 },
    );
  });
});

describe("persons", () => {
  it("are numbered by their bytes, in the order of their first appearance", () => {
    fc.assert(
      fc.property(fc.uniqueArray(spelling, { maxLength: 3 }), cells, (missingValues, some) => {
        const column = { ...PERSONS, missingValues, limit: 2 ** 32 - 1 };
        expect(codes(column, some)).toEqual(cellCodes(column, some));
      }),
      { seed: 42, numRuns: 2000 },
    );
  });

  it("are as many as there are texts", () => {
    const some = Array.from({ length: 70_000 }, (_, at) => utf8(`${at % 2 ? "person number " : ""}${at % 50_000}`));
    const numbers = some.map((_, at) => at % 50_000);
    expect(codes({ ...PERSONS, limit: 2 ** 32 - 1 }, some)).toEqual(numbers);
  });
});

describe("texts", () => {
  /**
   * What a column of texts notes and counts: every text that is not among the first `limit`, and how often these occur.
   */
  function wanted(some: readonly (Uint8Array | undefined)[], limit: number) {
    const known: (string | undefined)[] = [];
    const counts: number[] = [];
    const noted = some.flatMap((bytes): Noted[] => {
      const text = bytes && characters(bytes);
      const number = known.indexOf(text);
      if (number >= 0) counts[number]++;
      if (number >= 0) return [];
      // What a record lacks is not a text.
      if (limit === 0 || (text !== undefined && known.filter((one) => one !== undefined).length === limit))
        return [{ number: undefined, text }];
      counts.push(1);
      return [{ number: known.push(text) - 1, text }];
    });
    return { noted, counts };
  }

  it("are noted when they are new, and counted when they are remembered", () => {
    fc.assert(
      fc.property(cells, fc.constantFrom(0, 1, 5, 100), (some, limit) => {
        const found = engine.scratch(() => {
          const reader = readerOf({ ...TEXTS, limit }, some);
          return { noted: reader.noted(1), counts: reader.counts(1) };
        });
        expect(found).toEqual(wanted(some, limit));
      }),
      { seed: 43, numRuns: 2000 },
    );
  });
});

describe("what is remembered", () => {
  /** The hash of the first eight bytes of a text of sixteen, before the last eight come in. */
  const half = (word: bigint) => folded(((16n ^ word) * 0x9e3779b97f4a7c15n) & MASK);
  const MASK = 2n ** 64n - 1n;
  const folded = (word: bigint) => word ^ (word >> 29n);
  const text = (first: bigint, second: bigint) => new Uint8Array(BigUint64Array.of(first, second).buffer);

  it("distinguishes texts with the same hash", () => {
    const [one, other] = [0x6162636465666768n, 0x4142434445464748n];
    const tail = 0x3031323334353637n;
    // The second words differ by as much as what the first words left behind.
    const two = [text(one, tail), text(other, tail ^ half(one) ^ half(other))];
    expect(codes({ ...PERSONS, limit: 2 ** 32 - 1 }, [...two, ...two])).toEqual([0, 1, 0, 1]);
  });

  it("distinguishes texts by their bytes and length alone", () => {
    const short = fc.string({ unit: fc.constantFrom("\0", "a", "b", "é", "\u0100"), maxLength: 20 });
    fc.assert(
      fc.property(fc.array(short.map(utf8), { minLength: 1, maxLength: 60 }), (texts) => {
        const column = { ...PERSONS, limit: 2 ** 32 - 1 };
        expect(codes(column, [...texts, ...texts])).toEqual(cellCodes(column, [...texts, ...texts]));
      }),
      { seed: 21, numRuns: 1000 },
    );
  });

  it("is nothing of a grid where nearly all texts are new, and other columns go on", () => {
    const distinct = Array.from({ length: 9000 }, (_, at) => `${at}`);
    const again = [...distinct, "x", ...distinct.toReversed()];
    const column: ReadColumn = {
      ...{ ...CATEGORIES, kind: "grid", limit: 16_384, missingValues: ["x"], missing: 9001, otherwise: 9002 },
      point: (text) => Number(text),
    };
    engine.scratch(() => {
      const { domain, notation } = parseSchema({
        fields: [{ name: "n", type: "integer", constraints: { minimum: 0, maximum: 9000 } }],
      }).fields[0];
      const place = engine.place(notationStruct(notation!.spelling, domain as Grid));
      const reader = readerOf({ ...column, notation: place }, again.map(utf8));
      expect(reader.codes(1)).toEqual(cellCodes(column, again.map(utf8)));
    });
    const persons = again.map((_, at) => (at < 9001 ? at : 18_000 - at));
    expect(codes({ ...PERSONS, limit: 2 ** 32 - 1 }, again.map(utf8))).toEqual(persons);
  });

  it("is fewer texts if they are long", () => {
    const long = [1, 2, 3, 4].map((at) => utf8(`${at}`.repeat(1000)));
    engine.scratch(() => {
      const noted = readerOf({ ...TEXTS, limit: 50 }, [...long, ...long]).noted(1);
      expect(noted.map(({ number }) => number)).toEqual([0, 1, undefined, undefined, undefined, undefined]);
    });
  });
});
