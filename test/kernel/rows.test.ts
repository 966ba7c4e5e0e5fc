import fc from "fast-check";
import { expect, it } from "vitest";
import { LONGEST_CELL } from "../../src/engine/layout.js";
import { instance } from "../engine.js";
import { type ReadColumn, TestReader } from "../reader.js";
import { bytesOf, records } from "../reference/parser.js";
import { rowsOf } from "../reference/rows.js";

const engine = instance();

const column = (given: Partial<ReadColumn>): ReadColumn => ({
  ...{ kind: "text", missingValues: [], labels: [], others: new Map(), notation: 0, limit: 0 },
  ...{ missing: 0, absent: undefined, otherwise: 0, bytes: 0 },
  ...given,
});
/** Every cell's text, as it is. */
const TEXTS = column({});
const PERSONS = column({ kind: "person", bytes: 4, limit: 2 ** 32 - 1, absent: 99, missing: 99 });

/** The rows of a text that comes in pieces; the first columns are read as texts. */
function found(pieces: readonly Uint8Array[], width: number, read: number) {
  return engine.scratch(() => {
    const reader = new TestReader(
      engine,
      ",",
      Array.from({ length: width }, (_, at) => (at < read ? TEXTS : undefined)),
    );
    const columns: (string | undefined)[][] = Array.from({ length: read }, () => []);
    const take = () => {
      for (const [place, texts] of columns.entries()) texts.push(...reader.noted(place).map(({ text }) => text));
    };
    for (const piece of pieces) {
      reader.push(piece);
      take();
    }
    reader.end();
    take();
    const { exports } = engine;
    const counts = [exports.readerShort, exports.readerLong, exports.readerBlank].map((count) => count(reader.pointer));
    return { columns, rows: reader.rows, short: counts[0], long: counts[1], blank: counts[2] };
  });
}

const cell = fc.constantFrom("a", "b", "", '"q"', '"x,y"', "long text of many bytes");
const line = (width: number) =>
  fc.tuple(
    fc.oneof(
      { weight: 4, arbitrary: fc.array(cell, { minLength: width, maxLength: width }) },
      fc.array(cell, { maxLength: 6 }),
    ),
    fc.constantFrom("\n", "\n", "\r\n", "\r"),
  );

const inPieces = (bytes: Uint8Array, size: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));

/** Compares the rows of a text with those of the oracle. */
function check(text: string, width: number, read: number, size: number): void {
  const wanted = rowsOf(records(text, ",", LONGEST_CELL), width);
  expect(found(inPieces(bytesOf(text), size), width, read)).toEqual({
    ...wanted,
    columns: wanted.columns.slice(0, read),
  });
}

it("rows are the same for even and uneven records, whatever the pieces", () => {
  const tables = fc
    .integer({ min: 1, max: 4 })
    .chain((width) =>
      fc.tuple(
        fc.constant(width),
        fc.nat(width),
        fc.array(line(width), { maxLength: 14 }),
        fc.integer({ min: 1, max: 40 }),
      ),
    );
  fc.assert(
    fc.property(tables, ([width, read, lines, size]) => {
      check(lines.map(([cells, end]) => cells.join(",") + end).join(""), width, read, size);
    }),
    { seed: 22, numRuns: 3000 },
  );
});

it("rows are the same where long runs of plain records meet others", () => {
  const plain = fc.array(fc.constantFrom("a", "b", "", "some text"), { minLength: 3, maxLength: 3 });
  const run = fc
    .array(plain, { minLength: 5, maxLength: 30 })
    .map((lines) => lines.map((cells) => `${cells}\n`).join(""));
  const other = fc.constantFrom(
    "",
    "\n",
    "\n\n",
    "\r",
    "a,b\r\n",
    "a\n",
    '"x\ny",,\n',
    '""a,b,c\n',
    'a"b,"c",\n',
    ",,,,\n",
    '"',
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(run, other), { maxLength: 5 }), fc.integer({ min: 1, max: 700 }), (parts, size) => {
      check(parts.flat().join(""), 3, 3, size);
    }),
    { seed: 24, numRuns: 1000 },
  );
});

it("rows keep only the first mebibyte of a plain cell", () => {
  const long = "ab".repeat(0.6 * LONGEST_CELL);
  check(`a,${long}\n${long},b\nc`, 2, 2, 70_001);
});

/** More rows than a block has, as a text and as the persons that its cells name. */
const persons = Array.from({ length: 40_000 }, (_, row) => (row * 7919) % 30_011);
const text = bytesOf(`${persons.map((person, row) => `p${person},${row % 3 ? "x" : "longer"}\n`).join("")}`);

it("rows begin after the LF that belongs to the header's CR", () => {
  for (const [afterReturn, blank] of [
    [true, 0],
    [false, 1],
  ] as const)
    engine.scratch(() => {
      const reader = new TestReader(engine, ",", [PERSONS, PERSONS], afterReturn);
      reader.push(bytesOf("\nx,y\n"));
      expect([reader.rows, engine.exports.readerBlank(reader.pointer)]).toEqual([1, blank]);
    });
});

it("rows fill one block after the other, in pieces of any size", () => {
  const numbers = new Map<number, number>();
  for (const person of persons) if (!numbers.has(person)) numbers.set(person, numbers.size);
  for (const size of [1000, 65_536, 1 << 20])
    engine.scratch(() => {
      const reader = new TestReader(engine, ",", [PERSONS, undefined]);
      for (let at = 0; at < text.length; at += size) reader.push(text.subarray(at, at + size));
      reader.end();
      expect(reader.codes(0)).toEqual(persons.map((person) => numbers.get(person)));
    });
});

it("rows can start again in the same place, and go on after a cut record", () => {
  engine.scratch(() => {
    const reader = new TestReader(engine, ",", [PERSONS, PERSONS]);
    reader.push(bytesOf("x,y\nz"));
    expect(engine.exports.readerInRecord(reader.pointer)).toBe(1);
    reader.end();
    expect([reader.codes(0), reader.codes(1)]).toEqual([
      [0, 1],
      [0, 99],
    ]);
    engine.exports.readerRestart(reader.pointer);
    reader.push(bytesOf("z,y\nx,y\nz"));
    expect([reader.codes(0), reader.codes(1)]).toEqual([
      [1, 0],
      [0, 0],
    ]);
    reader.push(bytesOf(",q"));
    engine.exports.readerRestart(reader.pointer);
    reader.push(bytesOf(",\n"));
    expect([reader.codes(0), reader.codes(1)]).toEqual([[1], [1]]);
  });
});
