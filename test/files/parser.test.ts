import { dsvFormat } from "d3-dsv";
import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { Instance } from "../../src/engine/instance.js";
import { type Found, TextParser } from "../../src/files/parser.js";
import "../engine.js";
import { utf8 } from "./tables.js";

const engine = new Instance();

/** The records of a text that comes in pieces of this many bytes. A blank line is an empty record. */
function records(text: string, { delimiter = ",", size = 1 << 16 } = {}): string[][] {
  const bytes = utf8(text);
  const found: string[][] = [];
  let begun: string[] = [];
  const take = ({ cells, ends }: Found) => {
    let from = 0;
    for (const end of ends) {
      found.push([...begun, ...cells.slice(from, end)]);
      begun = [];
      from = end;
    }
    begun = [...begun, ...cells.slice(from)];
  };
  engine.scratch(() => {
    const parser = new TextParser(engine, delimiter);
    for (let at = 0; at < bytes.length; at += size) take(parser.push(bytes.subarray(at, at + size)));
    take(parser.end());
  });
  expect(begun).toEqual([]);
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

it("a cell keeps only its first mebibyte, so no record can exhaust the memory", () => {
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

// Few characters, so quotes, delimiters and line ends meet in every order.
const text = fc
  .array(fc.constantFrom('"', '"', ",", ";", "\n", "\r", "\r\n", "a", "é", "☂", " "), { maxLength: 40 })
  .map((parts) => parts.join(""));

const delimiters = fc.constantFrom(",", ";");

/** Whether no text follows a closing quote and no quote is open at the end. */
function isStrict(given: string, delimiter: string): boolean {
  const end = `(?:${delimiter}|\\r\\n|\\r|\\n|$)`;
  const cell = new RegExp(`(?:"(?:[^"]|"")*"|[^"${delimiter}\\r\\n][^${delimiter}\\r\\n]*)?${end}`, "y");
  while (cell.lastIndex < given.length) if (!cell.test(given)) return false;
  return true;
}

/** The other parsers give a blank line one empty cell. */
const blankAsCell = (cells: string[]) => (cells.length ? cells : [""]);

it("differs from d3-dsv only where text follows a closing quote, and where a quote stays open", () => {
  let compared = 0;
  fc.assert(
    fc.property(text, delimiters, (given, delimiter) => {
      fc.pre(isStrict(given, delimiter));
      compared++;
      const expected = dsvFormat(delimiter)
        .parseRows(given)
        .map((cells) => [...cells]);
      expect(records(given, { delimiter }).map(blankAsCell)).toEqual(expected);
    }),
    { seed: 12, numRuns: 5000 },
  );
  expect(compared).toBeGreaterThan(4000);
});

it("differs from papaparse only there, and with mixed line ends", () => {
  let compared = 0;
  fc.assert(
    fc.property(text, delimiters, fc.constantFrom("\n", "\r", "\r\n"), (mixed, delimiter, newline) => {
      const given = mixed.replace(/\r\n|\r|\n/g, newline);
      fc.pre(isStrict(given, delimiter));
      compared++;
      // papaparse also gives the text after the last line end one empty cell.
      const { data } = Papa.parse<string[]>(given, { delimiter, newline });
      const expected = given === "" || given.endsWith(newline) ? data.slice(0, -1) : data;
      expect(records(given, { delimiter }).map(blankAsCell)).toEqual(expected);
    }),
    { seed: 13, numRuns: 5000 },
  );
  expect(compared).toBeGreaterThan(4000);
});

describe("where it differs", () => {
  const papaparse = (given: string) => Papa.parse<string[]>(given, { delimiter: "," }).data;
  const d3 = (given: string) =>
    dsvFormat(",")
      .parseRows(given)
      .map((cells) => [...cells]);

  it("papaparse merges rows of mixed line ends", () => {
    expect(records("1,2\r\n3,4\n5,6")).toEqual([
      ["1", "2"],
      ["3", "4"],
      ["5", "6"],
    ]);
    expect(papaparse("1,2\r\n3,4\n5,6")).toEqual([
      ["1", "2"],
      ["3", "4\n5", "6"],
    ]);
  });

  it("the others swallow records, or a character, after a closing quote", () => {
    expect(records('2,"z"w\n3,4')).toEqual([
      ["2", "zw"],
      ["3", "4"],
    ]);
    expect(papaparse('2,"z"w\n3,4')).toEqual([["2", 'z"w\n3,4']]);
    expect(d3('2,"z"w\n3,4')).toEqual([
      ["2", "z", ""],
      ["3", "4"],
    ]);
  });

  it("the others leave quotes doubled, or cut the last line end, where a quote stays open", () => {
    expect(records('a,"b""')).toEqual([["a", 'b"']]);
    expect(papaparse('a,"b""')).toEqual([["a", 'b""']]);
    expect(records('"\r\n')).toEqual([["\r\n"]]);
    expect(d3('"\r\n')).toEqual([["\r"]]);
  });
});
