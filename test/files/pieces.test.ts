// Reading in several threads gives the same table as reading in one thread, for any text, however it is cut, and
// whichever thread reads which piece.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCsv, readCsv } from "../../src/files/csv.js";
import { Pieces } from "../../src/files/pieces.js";
import { TableStore } from "../../src/files/table-store.js";
import { parseSchema } from "../../src/schema/schema.js";
import { pretended, withThreads } from "../threads.js";
import { categories, contents, headerOf, readInPieces, rejection, utf8 } from "./tables.js";

const FIELDS = [
  { name: "a", constraints: { enum: ["x", "y", 'q"', "two\nlines"] } },
  { name: "n", type: "integer", constraints: { minimum: 0, maximum: 99 } },
  { name: "big", type: "integer", constraints: { minimum: 0, maximum: 1e6 } },
  { name: "who", standin: { role: "drop" } },
];
const persons = (missingValues: readonly string[]) =>
  parseSchema({ fields: FIELDS, missingValues, standin: { unit: { column: "who", maxRows: 2 } } });
const HEADER = "a,n,big,who\n";

/** Texts with quotes, line ends and delimiters anywhere. */
const wild = fc.string({
  unit: fc.constantFrom('"', '"', ",", ",", "\n", "\n", "\r", "\r\n", "x", "y", "7", "é"),
  maxLength: 80,
});
/** Texts that are mostly well-formed records. */
const cell = fc.oneof(
  fc.constantFrom("x", "y", "7", "42", "1000000", "NA", "", '"q"""', '"two\nlines"', '"a,b"'),
  wild,
);
const tidy = fc
  .array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 30 })
  .chain((rows) =>
    fc.constantFrom("\n", "\r\n", "\r").map((end) => rows.map((cells) => cells.join(",") + end).join("")),
  );

describe("any text, in any pieces, by any number of threads, is the same table", () => {
  const how = fc.record({
    threads: fc.integer({ min: 1, max: 4 }),
    size: fc.integer({ min: 1, max: 40 }),
    part: fc.integer({ min: 1, max: 30 }),
    missing: fc.constantFrom([""], ["NA", ""], []),
    end: fc.constantFrom("\n", "\r\n", "\r"),
  });

  it.each([
    ["wild", wild],
    ["tidy", tidy],
  ])("%s ones", async (_, texts) => {
    withThreads(pretended);
    const property = fc.asyncProperty(texts, how, async (text, { threads, size, part, missing, end }) => {
      const schema = persons(missing);
      const header = HEADER.replace("\n", end);
      // A line feed after the carriage return of a header belongs to it.
      const table = await readInPieces(schema, header, utf8(text), threads, size, part);
      expect(contents(table)).toEqual(contents(parseCsv(header + text, schema)));
    });
    await fc.assert(property, { seed: 1, numRuns: 400 });
  });

  it("of one column, where blank lines are rows", async () => {
    withThreads(pretended);
    const schema = categories({ a: ["x", "y"] });
    const lines = fc.string({ unit: fc.constantFrom("x", "y", "\n", "\r", "\r\n", '"'), maxLength: 60 });
    const property = fc.asyncProperty(lines, how, async (text, { threads, size, part, end }) => {
      const table = await readInPieces(schema, `a${end}`, utf8(text), threads, size, part);
      expect(contents(table)).toEqual(contents(parseCsv(`a${end}${text}`, schema)));
    });
    await fc.assert(property, { seed: 2, numRuns: 400 });
  });
});

/** A text of several mebibytes, with quotes that contain line ends, and persons in no particular order. */
const long = Array.from({ length: 150_000 }, (_, row) => {
  const a = row % 7 ? "x" : row % 5 ? '"two\nlines"' : '"q"""';
  return `${a},${row % 103},${(row * 7919) % 1_000_003},p${(row * 31) % 50_021}`;
}).join("\n");

it.each([2, 3, 4])("a long text by %i threads", async (threads) => {
  withThreads(pretended);
  const schema = persons(["NA", ""]);
  const table = await readCsv(new Blob([HEADER, long]), schema, { threads });
  expect(contents(table)).toEqual(contents(parseCsv(HEADER + long, schema)));
});

it("a quote that stays open to the end of a long text", async () => {
  withThreads(pretended);
  const schema = persons([""]);
  const open = `${long.slice(0, 1_000_000)}\n"${long}`;
  const table = await readCsv(new Blob([HEADER, open]), schema, { threads: 2 });
  expect(contents(table)).toEqual(contents(parseCsv(HEADER + open, schema)));
});

it("waits for a slow worker with a few pieces in memory, not the whole text", async () => {
  let answers = 0;
  let letGo = () => {};
  const slow = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  withThreads((hear, fail) => {
    // The first answer is that it has started.
    const answer = async (message: unknown) => (answers++ === 0 ? hear(message) : slow.then(() => hear(message)));
    return pretended(answer, fail);
  });
  const schema = categories({ a: ["x", "y"] });
  const header = headerOf("a\n");
  const reader = new TableStore(schema).begin(header);
  const pieces = new Pieces(reader, schema, header, 2, 10);
  let pushed = 0;
  let waits = Promise.resolve();
  let isHeard = true;
  while (isHeard && pushed < 1000) {
    pushed++;
    waits = Promise.resolve(pieces.push(utf8("x\ny\nx\ny\nx\n")));
    const turns = async () => {
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      return false;
    };
    isHeard = await Promise.race([waits.then(() => true), turns()]);
  }
  expect(pushed).toBeLessThan(50);
  letGo();
  await waits;
  pieces.end();
  await pieces.finished();
  pieces.close();
  expect(reader.rows).toBe(5 * pushed);
});

it("errors of the header, and cancelling, are those of one thread", async () => {
  withThreads(pretended);
  const schema = persons([""]);
  for (const text of ["", "a,n,big\n", 'a,"n\nx,1\n', "\r\n\r\n"]) {
    const [one, two] = await Promise.all(
      [1, 2].map((threads) => rejection(readCsv(new Blob([text]), schema, { threads }))),
    );
    expect([two.code, two.message]).toEqual([one.code, one.message]);
  }
  const stop = new AbortController();
  async function* endless() {
    yield utf8(HEADER);
    for (let chunk = 0; ; chunk++) {
      if (chunk === 20) stop.abort(new Error("enough"));
      yield utf8("x,1,2,me\n".repeat(50_000));
    }
  }
  await expect(readCsv(endless(), schema, { threads: 3, signal: stop.signal })).rejects.toThrow("enough");
});
