// The engine reads and writes cells exactly as the notations of schemas do.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pointOf, valueAt } from "../../src/domain/grid.js";
import { readAlike } from "../../src/notation/letters.js";
import { canonical } from "../../src/notation/numbers.js";
import { notationStruct } from "../../src/notation/struct.js";
import { instance } from "../engine.js";
import { cellsOf, placedText, type Spelled, spelledMoment, spelledNumber } from "../random-notations.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const SPELLED: [string, fc.Arbitrary<Spelled>][] = [
  ["numbers", spelledNumber],
  ["dates and times", spelledMoment],
];

describe.each(SPELLED)("%s", (_, spelled) => {
  it("are read as the same values", () => {
    const cells = spelled.chain((one) => fc.tuple(fc.constant(one), cellsOf(one)));
    fc.assert(
      fc.property(cells, ([{ given, field }, list]) => {
        exports.rewind(bottom);
        const { domain, notation } = field;
        const struct = engine.place(notationStruct(notation.spelling, domain));
        const out = engine.alloc(1024);
        for (const bytes of list) {
          const [from, to] = placedText(engine, bytes);
          const text = decoder.decode(bytes);
          const number = notation.read(text);
          const message = `${JSON.stringify(text)} as ${JSON.stringify(given)}`;
          expect(exports.readPoint(struct, from, to), message).toBe(number ? pointOf(domain, number) : -1);
          const length = exports.readCanonical(struct, from, to, out);
          expect(length < 0 ? undefined : decoder.decode(engine.readU8(out, length)), message).toBe(
            number && canonical(number),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it("are written as the same texts", () => {
    fc.assert(
      fc.property(spelled, fc.array(fc.double({ min: 0, max: 1, noNaN: true })), ({ given, field }, parts) => {
        exports.rewind(bottom);
        const { domain, notation } = field;
        const struct = engine.place(notationStruct(notation.spelling, domain));
        const most = exports.pointBytes(struct);
        const out = engine.alloc(most);
        const last = domain.points - 1;
        for (const point of [0, last, Math.min(1, last), ...parts.map((part) => Math.floor(part * last))]) {
          const length = exports.writePoint(struct, point, out) - out;
          const text = notation.write(valueAt(domain, point));
          expect(decoder.decode(engine.readU8(out, length)), JSON.stringify(given)).toBe(
            decoder.decode(new TextEncoder().encode(text)),
          );
          expect(length).toBeLessThanOrEqual(most);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("letters that a regular expression takes for each other when it ignores case", () => {
  const units = Array.from({ length: 0x10000 }, (_, unit) => unit).filter((unit) => unit < 0xd800 || unit > 0xdfff);
  const cased = units.filter((unit) => /\p{Changes_When_Casemapped}/u.test(String.fromCharCode(unit)));
  const escaped = (unit: number) => `\\u${unit.toString(16).padStart(4, "0")}`;

  it("are read as each other", () => {
    const all = cased.map((unit) => String.fromCharCode(unit)).join("");
    for (const unit of cased) {
      const alike = [...all.matchAll(new RegExp(escaped(unit), "gi"))].map(([match]) => match.charCodeAt(0));
      expect(readAlike(String.fromCharCode(unit)).sort((a, b) => a - b)).toEqual(alike);
    }
  });

  it("are all of those with two cases", () => {
    const known = new Set(cased);
    const others = units.filter((unit) => !known.has(unit));
    const any = new RegExp(`[${others.map(escaped).join("")}]`, "i");
    expect(cased.filter((unit) => any.test(String.fromCharCode(unit)))).toEqual([]);
    for (const unit of others) expect(readAlike(String.fromCharCode(unit))).toEqual([unit]);
  });
});
