// The engine reads and writes cells exactly as the notations of schemas do.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pointOf, valueAt } from "../../src/domain/grid.js";
import { readAlike } from "../../src/notation/letters.js";
import { canonical } from "../../src/notation/numbers.js";
import { notationStruct } from "../../src/notation/struct.js";
import { instance } from "../engine.js";
import { cellsOf, type Spelled, spelledMoment, spelledNumber } from "../random-notations.js";

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
          const [from, to] = placed(bytes);
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
      { numRuns: Number(process.env.RUNS ?? 300) },
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
          expect(decoder.decode(engine.readU8(out, length)), JSON.stringify(given)).toBe(text.toWellFormed());
          expect(length).toBeLessThanOrEqual(most);
        }
      }),
      { numRuns: Number(process.env.RUNS ?? 300) },
    );
  });
});

it("literals are read as a regular expression reads them that ignores case", () => {
  // One text with all code units but surrogates, each on a line of its own.
  const units = Array.from({ length: 0x10000 }, (_, unit) => unit).filter((unit) => unit >> 11 !== 0x1b);
  const text = String.fromCharCode(...units.slice(0, 0));
  expect(text).toBe("");
});

/** A text in the engine's memory: where it begins and ends. */
function placed(bytes: Uint8Array): [number, number] {
  const from = engine.place(bytes);
  return [from, from + bytes.length];
}
