import { dsvFormat } from "d3-dsv";
import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { RecordParser } from "../../src/files/parser.js";
import { utf8 } from "./tables.js";

/** The records of a text that comes in pieces of this many bytes; a blank line is an empty record. */
function records(text: string, { delimiter = ",", size = 1 << 16 } = {}): string[][] {
  const found: string[][] = [];
  let cells: string[] = [];
  const parser = new RecordParser(delimiter, {
    cell(column, bytes, length) {
      expect(column).toBe(cells.length);
      cells.push(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.slice(0, length)));
    },
    record(count) {
      expect(count).toBe(cells.length);
      found.push(cells);
      cells = [];
    },
  });
  const bytes = utf8(text);
  for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size));
  parser.end();
  return found;
}

describe("a record", () => {
  it.each([
    [
      "ends at CR, LF and CRLF, mixed freely",
      "1,2\r\n3,4\n5,6\r7,8",
      [
        ["1", "2"],
        ["3", "4"],
        ["5", "6"],
        ["7", "8"],
      ],
    ],
    ["has its cells between delimiters, empty ones too", ",a,\n", [["", "a", ""]]],
    ["is blank between two line ends", "a\n\r\n\rb\n", [["a"], [], [], ["b"]]],
    ["is not blank where it has an empty quoted cell", '""\n', [[""]]],
    [
      "need not end in a line end",
      "a,b\nc,",
      [
        ["a", "b"],
        ["c", ""],
      ],
    ],
    ["is not begun by the last line end", "a\r\n", [["a"]]],
    ["is none in no bytes", "", []],
  ])("%s", (_, text, expected) => {
    expect(records(text)).toEqual(expected);
  });
});

it("a cell keeps its first mebibyte, so that no record can exhaust the memory", () => {
  const long = "é".repeat(1 << 20);
  for (const text of [`${long},b\nc,${long}\n"${long}`, `a,"${long}","b"\n`])
    for (const size of [1 << 16, 1 << 30])
      expect(records(text, { size })).toEqual(
        records(text.replaceAll(long, "#")).map((cells) => cells.map((cell) => cell.replace("#", "é".repeat(1 << 19)))),
      );
});

describe("a quote", () => {
  it.each([
    ["keeps delimiters and line ends", '"a,b","c\r\nd"', [["a,b", "c\r\nd"]]],
    ["doubled is one", '"a""b","""",""""""', [['a"b', '"', '""']]],
    ["opens a cell only at its start", 'a"b,5" x 3",\' "\'', [['a"b', '5" x 3"', "' \"'"]]],
    [
      "that closes leaves the text after it",
      '2,"z"w\n"a" "b",c',
      [
        ["2", "zw"],
        ['a "b"', "c"],
      ],
    ],
    ["that is open at the end closes there", 'a,"b\nc,d', [["a", "b\nc,d"]]],
    ["may be the last byte", 'a,"', [["a", ""]]],
  ])("%s", (_, text, expected) => {
    expect(records(text)).toEqual(expected);
  });
});

// Few characters, so that quotes, delimiters and line ends meet in every order.
const text = fc
  .array(fc.constantFrom('"', '"', ",", ";", "\n", "\r", "\r\n", "a", "é", "☂", " "), { maxLength: 40 })
  .map((parts) => parts.join(""));

it("reads the same in pieces of any size", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 5 }), (given, size) => {
      expect(records(given, { size })).toEqual(records(given));
    }),
    { seed: 11, numRuns: 3000 },
  );
});

/** Whether no text follows a closing quote and no quote is open at the end. */
function isStrict(given: string): boolean {
  const cell = /(?:"(?:[^"]|"")*"|[^",\r\n"][^,\r\n]*)?(?:,|\r\n|\r|\n|$)/y;
  while (cell.lastIndex < given.length) if (!cell.test(given)) return false;
  return true;
}

it("reads strict texts as d3-dsv does", () => {
  let strict = 0;
  const oracle = dsvFormat(",");
  fc.assert(
    fc.property(text, (given) => {
      fc.pre(isStrict(given));
      strict++;
      // d3-dsv gives a blank line one empty cell.
      const expected = oracle.parseRows(given).map((cells) => [...cells]);
      expect(records(given).map((cells) => (cells.length ? cells : [""]))).toEqual(expected);
    }),
    { seed: 12, numRuns: 3000 },
  );
  expect(strict).toBeGreaterThan(2000);
});

it("reads strict texts of one kind of line end as papaparse does", () => {
  fc.assert(
    fc.property(text, fc.constantFrom("\n", "\r", "\r\n"), (mixed, newline) => {
      const given = mixed.replace(/\r\n|\r|\n/g, newline);
      fc.pre(isStrict(given));
      // papaparse gives a blank line, and what follows the last line end, one empty cell.
      const { data } = Papa.parse<string[]>(given, { delimiter: ",", newline });
      const expected = given === "" || given.endsWith(newline) ? data.slice(0, -1) : data;
      expect(records(given).map((cells) => (cells.length ? cells : [""]))).toEqual(expected);
    }),
    { seed: 13, numRuns: 3000 },
  );
});
