// A record's codes depend only on its own bytes: not on where it is, on what surrounds it, on how the bytes arrive, or
// on how many threads read them. Otherwise one more row would change others, and no sensitivity would hold.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Table } from "../../src/core/table.js";
import { readCsv } from "../../src/files/csv.js";
import type { Schema } from "../../src/schema/schema.js";
import { pretended, withThreads } from "../threads.js";
import { bytesOf, contentsOf, expectedOf, type FileRecord, HEADER, record, SCHEMAS } from "./records.js";
import { inPieces, readInPieces } from "./tables.js";

/**
 * Sizes around those at which the arrays for rows, texts and pieces grow or end: powers of two, and one more or less.
 */
const EDGES = [1023, 1024, 1025, 2047, 2048, 2049, 4096, 4097, 8191, 8192, 8193, 16_383, 16_384, 16_385, 32_769];

/** How a table is read: the number of threads, the size of chunks, and the size of pieces (0: the default). */
const ways = fc.record({
  threads: fc.integer({ min: 1, max: 4 }),
  chunk: fc.constantFrom(1, 7, 64, 1000, 65_535, 65_536, 65_537, 1 << 20),
  piece: fc.constantFrom(0, 0, 1, 30, 1000, 65_536),
});

async function read(text: string, schema: Schema, { threads, chunk, piece }: Way): Promise<Table> {
  const bytes = bytesOf(text);
  // Passing on millions of one-byte chunks takes minutes.
  const size = Math.max(chunk, Math.ceil(bytes.length / 5000));
  if (piece > 0) return readInPieces(schema, HEADER, bytes, threads, Math.max(piece, bytes.length >> 9), size);
  return readCsv(inPieces(bytesOf(HEADER + text), size), schema, { threads });
}

type Way = typeof ways extends fc.Arbitrary<infer T> ? T : never;

/** Records, each with its own line end. It makes no difference which one. */
const ended = (records: readonly FileRecord[], ends: readonly string[]) =>
  records.map(({ raw }, at) => raw + ends[at % ends.length]).join("");

const lineEnds = fc.array(fc.constantFrom("\n", "\r\n", "\r"), { minLength: 1, maxLength: 5 });
const pool = fc.array(record, { minLength: 2, maxLength: 60 });

describe.each(Object.entries(SCHEMAS))("with the missing spellings: %s", (_, schema) => {
  it("every record of any table is read as it is alone", async () => {
    withThreads(pretended);
    const property = fc.asyncProperty(pool, lineEnds, ways, async (records, ends, way) => {
      const table = await read(ended(records, ends), schema, way);
      expect(contentsOf(table, schema)).toEqual(await expectedOf(records, schema));
    });
    await fc.assert(property, { seed: 1, numRuns: 300 });
  });

  it("so is every record where arrays grow", { timeout: 300_000 }, async () => {
    withThreads(pretended);
    const sizes = fc.constantFrom(...EDGES);
    const property = fc.asyncProperty(pool, sizes, fc.nat(), lineEnds, ways, async (some, size, seed, ends, way) => {
      const records = Array.from({ length: size }, (_, at) => some[scattered(at + seed) % some.length]);
      const found = contentsOf(await read(ended(records, ends), schema, way), schema);
      const wanted = await expectedOf(records, schema);
      expect(differing([...found.columns, found.persons], [...wanted.columns, wanted.persons])).toEqual([]);
    });
    await fc.assert(property, { seed: 2, numRuns: 60 });
  });

  it("one record more is one row more, and changes no other", async () => {
    withThreads(pretended);
    const where = fc.tuple(fc.integer({ min: 0, max: 1100 }), fc.integer({ min: 1000, max: 1100 }));
    const property = fc.asyncProperty(pool, record, where, ways, async (some, added, [place, size], way) => {
      const records = Array.from({ length: size }, (_, at) => some[scattered(at) % some.length]);
      const at = Math.min(place, size);
      const [before, after] = await Promise.all(
        [records, records.toSpliced(at, 0, added)].map(async (all) =>
          contentsOf(await read(ended(all, ["\n"]), schema, way), schema),
        ),
      );
      const row = contentsOf(await read(ended(records.slice(0, at), ["\n"]), schema, way), schema).columns[0].length;
      const { columns } = contentsOf(await read(added.raw, schema, way), schema);
      const wanted = before.columns.map((codes, column) => codes.toSpliced(row, 0, ...columns[column]));
      expect(differing(after.columns, wanted)).toEqual([]);
    });
    await fc.assert(property, { seed: 3, numRuns: 30 });
  });
});

it("texts beyond what a column remembers are read like any others", async () => {
  withThreads(pretended);
  const schema = SCHEMAS.two;
  const [people, rows] = [70_001, 140_001];
  const far = (row: number) => (row * 7_919_000_003) % 1_000_000_000_001;
  const lines = Array.from({ length: rows }, (_, row) =>
    row % 3 ? `x,,,${far(row)},,,p${row % people}` : row % 2 ? "x,7,1,2" : "",
  );
  for (const threads of [1, 3]) {
    const table = await readCsv(bytesOf(`${HEADER}${lines.join("\n")}`), schema, { threads });
    const { columns, persons } = contentsOf(table, schema);
    const kept = lines.flatMap((line, row) => (line ? [row] : []));
    expect(differing([columns[3]], [kept.map((row) => (row % 3 ? far(row) : 2))])).toEqual([]);
    const places = new Map(kept.map((row, at) => [row, at]));
    const firstOf = (row: number) => (row >= people && (row - people) % 3 ? row - people : row);
    expect(differing([persons], [kept.map((row) => (row % 3 ? places.get(firstOf(row))! : -1))])).toEqual([]);
  }
});

/** A number that looks drawn. */
const scattered = (number: number) => Math.imul(number + 1, 0x9e3779b1) >>> 12;

/** The first few places where the columns of two tables differ. Printing all of a large one is less helpful. */
function differing(found: readonly (readonly number[])[], wanted: typeof found): string[] {
  const places: string[] = [];
  wanted.forEach((codes, column) => {
    if (found[column].length !== codes.length) places.push(`${found[column].length} rows, not ${codes.length}`);
    codes.forEach((code, row) => {
      if (found[column][row] !== code) places.push(`column ${column}, row ${row}: ${found[column][row]}, not ${code}`);
    });
  });
  return places.slice(0, 5);
}
