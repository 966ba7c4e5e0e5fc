import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instance } from "../engine.js";
import { bytesOf, characters, records } from "../reference/parser.js";

const engine = instance();

/** The records of a text that comes in pieces. A blank line is an empty record. */
function found(pieces: readonly Uint8Array[], delimiter: string): string[][] {
  return engine.scratch(() => {
    const parser = engine.exports.parserOpen(delimiter.charCodeAt(0));
    const all: string[][] = [];
    let begun: string[] = [];
    const take = (): void => {
      const texts = textsOf(parser);
      let from = 0;
      for (const end of engine.readU32(engine.exports.parserEnds(parser), engine.exports.parserRecords(parser))) {
        all.push([...begun, ...texts.slice(from, end)]);
        begun = [];
        from = end;
      }
      begun = [...begun, ...texts.slice(from)];
    };
    for (const piece of pieces) {
      engine.write(engine.exports.parserText(parser, piece.length), piece);
      expect(engine.exports.parserPush(parser, piece.length)).toBe(0);
      take();
    }
    const isOpen = engine.exports.parserInRecord(parser);
    expect(engine.exports.parserEnd(parser)).toBe(0);
    const before = all.length;
    take();
    expect(all.length).toBe(before + (isOpen ? 1 : 0));
    expect(begun).toEqual([]);
    return all;
  });
}

function textsOf(parser: number): string[] {
  const { exports } = engine;
  const bounds = engine.readU32(exports.parserBounds(parser), 2 * exports.parserCells(parser));
  return Array.from({ length: bounds.length / 2 }, (_, cell) =>
    characters(engine.readU8(bounds[2 * cell], bounds[2 * cell + 1] - bounds[2 * cell])),
  );
}

const inPieces = (bytes: Uint8Array, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));

// Few characters, so quotes, delimiters and line ends meet in every order.
const text = fc
  .array(fc.constantFrom('"', '"', ",", ";", "\n", "\r", "\r\n", "a", "\xc3\xa9", " ", "\0", "\xff"), { maxLength: 40 })
  .map((parts) => parts.join(""));

it("reads each text by the rules, whatever the pieces that it comes in", () => {
  fc.assert(
    fc.property(text, fc.constantFrom(",", ";"), fc.array(fc.nat(6), { maxLength: 30 }), (given, delimiter, sizes) => {
      const pieces: Uint8Array[] = [];
      let rest = bytesOf(given);
      for (const size of sizes) {
        pieces.push(rest.slice(0, size));
        rest = rest.slice(size);
      }
      pieces.push(rest);
      expect(found(pieces, delimiter)).toEqual(records(given, delimiter));
    }),
    { seed: 11, numRuns: 5000 },
  );
});

it("reads a longer text in one piece, with quoted cells of every kind next to each other", () => {
  const cell = fc.constantFrom(
    '"a"',
    '""',
    '"a,b"',
    '"a""b"',
    "a",
    "",
    '"x"y',
    'a"',
    '"\n"',
    '"',
    "long text of many bytes",
  );
  const line = fc.tuple(fc.array(cell, { maxLength: 9 }), fc.constantFrom("\n", "\r\n", "\r"));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const given = lines.map(([cells, end]) => cells.join(",") + end).join("");
      expect(found([bytesOf(given)], ",")).toEqual(records(given, ","));
    }),
    { seed: 12, numRuns: 1000 },
  );
});

it("a cell keeps only its first mebibyte, so no record can exhaust the memory", () => {
  const long = "ab".repeat(1 << 20);
  for (const given of [`${long},b\nc,${long}\n"${long}`, `a,"${long}","b"\n`, `"${'""'.repeat(1.2e6)}"x,y`])
    for (const size of [1 << 16, 1 << 20])
      expect(found(inPieces(bytesOf(given), size), ",")).toEqual(records(given, ",", 1 << 20));
});

describe("the place for the next bytes", () => {
  it("is refused beyond the most that are taken at once, and so are bytes beyond it", () => {
    const parser = engine.exports.parserOpen(44);
    expect(engine.exports.parserText(parser, (1 << 20) + 1)).toBe(0);
    const place = engine.exports.parserText(parser, 4);
    expect(place).toBeGreaterThan(0);
    expect(engine.exports.parserPush(parser, 5)).not.toBe(0);
    engine.write(place, bytesOf('a,"b'));
    expect(engine.exports.parserPush(parser, 4)).toBe(0);
    expect(engine.exports.parserInQuotes(parser)).toBe(1);
    const begun = engine.readU8(engine.exports.parserBegun(parser), engine.exports.parserBegunBytes(parser));
    expect(characters(begun)).toBe("b");
    expect(characters(engine.readU8(place, 1))).toBe("a");
  });
});
