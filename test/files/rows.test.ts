import fc from "fast-check";
import { expect, it } from "vitest";
import { RecordParser } from "../../src/files/parser.js";
import { RowSink } from "../../src/files/rows.js";
import { utf8 } from "./tables.js";

/** The rows made from records that come in pieces of this many bytes; `undefined` for an absent cell. */
function rowsOf(records: readonly (readonly string[])[], size: number) {
  const columns: (string | undefined)[][] = [];
  const rows = new RowSink((names) =>
    names.map(() => {
      const texts: (string | undefined)[] = [];
      columns.push(texts);
      return {
        put(cells, first, stride, count) {
          for (let at = 0; at < count; at++) texts.push(cells.text(first + at * stride));
        },
        putMissing: () => texts.push(undefined),
      };
    }),
  );
  const parser = new RecordParser(",", rows);
  const bytes = utf8(records.map((cells) => `${cells.join(",")}\n`).join(""));
  for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size));
  parser.end();
  rows.end();
  const { names, rows: count, short, long, blank } = rows;
  return { names, columns, rows: count, short, long, blank };
}

it("are the same for even and uneven records, whatever the pieces", () => {
  const cell = fc.constantFrom("a", "b", "long");
  const width = fc.integer({ min: 1, max: 4 });
  const tables = width.chain((columns) =>
    fc.record({
      header: fc.array(cell, { minLength: columns, maxLength: columns }),
      records: fc.array(
        fc.oneof(
          { weight: 4, arbitrary: fc.array(cell, { minLength: columns, maxLength: columns }) },
          fc.array(cell, { maxLength: 6 }),
        ),
        { maxLength: 12 },
      ),
    }),
  );
  fc.assert(
    fc.property(tables, fc.integer({ min: 1, max: 40 }), ({ header, records }, size) => {
      const kept = records.filter((cells) => cells.length || header.length === 1);
      expect(rowsOf([[], header, ...records], size)).toEqual({
        names: header,
        columns: header.map((_, column) => kept.map((cells) => cells[column])),
        rows: kept.length,
        short: kept.filter((cells) => cells.length < header.length).length,
        long: kept.filter((cells) => cells.length > header.length).length,
        blank: records.length - kept.length,
      });
    }),
    { seed: 22, numRuns: 3000 },
  );
});
