// Any table of any schema comes back unchanged from its file: written, read, turned into the codes that queries see,
// and decoded again.
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { csvStream, parseCsv, readCsv, toCsv } from "../../src/files/csv.js";
import { decodeRows } from "../../src/schema/decode.js";
import { modelCodes } from "../../src/schema/encode.js";
import { parseSchema } from "../../src/schema/schema.js";
import { draws, tableOf } from "./drawn-tables.js";
import { descriptors } from "./random-schemas.js";
import { contents, inPieces, utf8 } from "./tables.js";

/** Ways to encode a text, and what a schema says about them; `undefined` if the text cannot be encoded. */
const ENCODINGS: Readonly<Record<string, (text: string) => { bytes: Uint8Array; encoding?: string } | undefined>> = {
  "UTF-8": (text) => ({ bytes: utf8(text) }),
  "UTF-8 with a mark": (text) => ({ bytes: utf8(`\uFEFF${text}`), encoding: "latin1" }),
  "UTF-16LE": (text) => ({ bytes: Buffer.from(text, "utf16le"), encoding: "utf-16le" }),
  "UTF-16BE with a mark": (text) => ({ bytes: Buffer.from(`\uFEFF${text}`, "utf16le").swap16() }),
  "ISO 8859-1": (text) =>
    /^[\0-\x7f\xa0-\xff]*$/.test(text) ? { bytes: Buffer.from(text, "latin1"), encoding: "latin1" } : undefined,
};

const files = fc.record({
  as: fc.constantFrom(...Object.keys(ENCODINGS)),
  size: fc.integer({ min: 1, max: 40 }),
  gzip: fc.boolean(),
  skipLines: fc.constantFrom(0, 0, 2),
});

it("survives writing and reading, in any encoding and pieces", async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(descriptors, draws, files, async (descriptor, drawn, { as, size, gzip, skipLines }) => {
      const table = tableOf(parseSchema(descriptor), drawn);
      const text = `${'not, "a header\r\n'.repeat(skipLines)}${await new Response(csvStream(table)).text()}`;
      const file = ENCODINGS[as](text);
      fc.pre(file !== undefined);
      count++;
      const dialect = { ...descriptor.dialect, skipLines, encoding: file.encoding };
      const schema = parseSchema({ ...descriptor, dialect });
      const read = await readCsv(inPieces(gzip ? gzipSync(file.bytes) : file.bytes, size), schema);
      expect(contents(read)).toEqual(contents(table));
      expect(read.columns.map(({ codes }) => codes)).toEqual(table.columns.map(({ codes }) => codes));
      expect(read.columns.map(({ name }) => read.column(name))).toEqual(table.names.map((name) => table.column(name)));
      expect(toCsv(read)).toBe(toCsv(table));
    }),
    { seed: 31, numRuns: 600 },
  );
  expect(count).toBeGreaterThan(450);
});

it("survives encoding and decoding: decoded rows are written, read and encoded as the same codes", () => {
  fc.assert(
    fc.property(descriptors, draws, fc.nat(), (descriptor, drawn, seed) => {
      const schema = parseSchema(descriptor);
      fc.pre(schema.attributes.length > 0);
      const table = tableOf(schema, drawn);
      const codes = modelCodes(table, schema);
      codes.forEach((column, at) => {
        expect(column.every((code) => code < schema.attributes[at].size)).toBe(true);
      });
      const decoded = decodeRows(schema, table.names, table.delimiter, codes, seed);
      const back = parseCsv(toCsv(decoded), schema);
      expect(contents(back)).toEqual(contents(decoded));
      expect(modelCodes(back, schema)).toEqual(codes);
    }),
    { seed: 32, numRuns: 600 },
  );
});
