import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instance } from "../engine.js";
import { gpuEngines } from "../gpu-engines.js";
import { philox, word } from "../reference/philox.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();
const u32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });

function engineBlock(counter: number[], key: number[]): number[] {
  exports.rewind(bottom);
  const out = engine.alloc(16);
  exports.philoxBlock(engine.place(Uint32Array.from(counter)), engine.place(Uint32Array.from(key)), out);
  return [...engine.u32(out, 4)];
}

// The known answers for philox4x32-10 that come with the authors' library, Random123 (kat_vectors).
const KNOWN = [
  [
    [0, 0, 0, 0],
    [0, 0],
    [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
  ],
  [
    [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
    [0xffffffff, 0xffffffff],
    [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
  ],
  [
    [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
    [0xa4093822, 0x299f31d0],
    [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
  ],
];

it.each(KNOWN)("gives the known answer for counter %j, key %j", (counter, key, answer) => {
  expect(engineBlock(counter, key)).toEqual(answer);
  expect(philox(counter, key)).toEqual(answer);
});

const block = fc.tuple(fc.tuple(u32, u32, u32, u32), fc.tuple(u32, u32));

it("gives the reference's blocks", () => {
  fc.assert(
    fc.property(block, ([counter, key]) => {
      expect(engineBlock(counter, key)).toEqual(philox(counter, key));
    }),
    { seed: 1 },
  );
});

it("gives the words of a stream by their position", () => {
  fc.assert(
    fc.property(u32, u32, u32, fc.integer({ min: 0, max: 11 }), (seed, purpose, id, count) => {
      exports.rewind(bottom);
      const out = engine.alloc(4 * count);
      exports.philoxWords(out, count, seed, purpose, id);
      expect([...engine.u32(out, count)]).toEqual(
        Array.from({ length: count }, (_, index) => word(seed, purpose, id, index)),
      );
    }),
    { seed: 2 },
  );
});

describe.each(gpuEngines)("$name", ({ missing, open }) => {
  it("gives the known answers and the reference's blocks", async ({ skip }) => {
    if (missing) skip(missing);
    const cases = [...KNOWN.map(([counter, key]) => [counter, key]), ...fc.sample(block, { seed: 3, numRuns: 200 })];
    const [counters, keys] = [0, 1].map((at) => Uint32Array.from(cases.flatMap((one) => one[at])));
    const blocks = await (await open()).philoxBlocks(counters, keys);
    expect([...blocks]).toEqual(cases.flatMap(([counter, key]) => philox(counter, key)));
    expect([...blocks.subarray(0, 4 * KNOWN.length)]).toEqual(KNOWN.flatMap(([, , answer]) => answer));
  });
});
