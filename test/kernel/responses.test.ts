import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instance } from "../engine.js";
import { type Asked, bestResponse, pullsOf, type Response, type Sought, worthOf } from "../reference/responses.js";
import { uniforms } from "../reference/statistics.js";

const engine = instance();
const { exports } = engine;
const bottom = exports.mark();

/** What the engine finds for so many records. */
function found({ sizes, queries, restarts, scale, seed, round }: Sought, records: number): Response[] {
  exports.rewind(bottom);
  const words = queries.flatMap(({ weight, literals }) => [weight, literals.length, ...literals.flat()]);
  const cells = sizes.reduce((sum, size) => sum + size, 0);
  const literals = queries.reduce((sum, query) => sum + query.literals.length, 0);
  const [at, out, worth] = [
    engine.place(Uint32Array.from(words)),
    engine.alloc(2 * sizes.length * records),
    engine.alloc(4 * records),
  ];
  exports.bestResponses(
    ...([engine.place(Uint32Array.from(sizes)), sizes.length, at, 4 * words.length, records, restarts] as const),
    ...([scale, seed, round] as const),
    ...([engine.alloc(exports.responseScratch(sizes.length, cells, literals)), out, worth] as const),
  );
  const codes = engine.u16(out, sizes.length * records);
  const sums = new Float32Array(engine.exports.memory.buffer, worth, records);
  return Array.from({ length: records }, (_, record) => ({
    codes: sizes.map((_, column) => codes[column * records + record]),
    worth: sums[record],
  }));
}

const anySought: fc.Arbitrary<Sought> = fc
  .array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 6 })
  .chain((sizes) => {
    const literals = fc
      .subarray([...sizes.keys()], { minLength: 1, maxLength: Math.min(4, sizes.length) })
      .chain((columns) =>
        fc.tuple(...columns.map((column) => fc.nat(sizes[column] - 1).map((code) => [column, code] as const))),
      );
    const weight = fc.integer({ min: -5, max: 9 }).filter((number) => number !== 0);
    return fc.record({
      sizes: fc.constant(sizes),
      queries: fc.array(fc.record({ weight, literals }), { maxLength: 15 }),
      restarts: fc.integer({ min: 1, max: 4 }),
      scale: fc.constantFrom(0, 0.5, 3),
      seed: fc.nat(),
      round: fc.nat(1000),
    });
  });

it("finds the records that the oracle finds, in any number, to the last bit", () => {
  fc.assert(
    fc.property(anySought, fc.integer({ min: 1, max: 6 }), (sought, records) => {
      const expected = Array.from({ length: records }, (_, record) => bestResponse(sought, record, exports.logarithm));
      expect(found(sought, records)).toEqual(expected);
    }),
    { seed: 1, numRuns: 400 },
  );
});

it("pulls with exponential variates, of which some are of no record twice", () => {
  const sought = { sizes: [1], queries: [], restarts: 1, scale: 2, seed: 3, round: 4 };
  const pulls = found(sought, 4000).map(({ worth }) => -worth / 2);
  expect(new Set(pulls).size).toBeGreaterThan(3990);
  // The mean and the share above 1 of 4000 variates: σ = 1/√4000 and .0076.
  expect(pulls.reduce((sum, pull) => sum + pull, 0) / 4000).toBeCloseTo(1, 1);
  expect(pulls.filter((pull) => pull > 1).length / 4000).toBeCloseTo(Math.exp(-1), 1);
  expect(found({ ...sought, round: 5 }, 1)).not.toEqual(found(sought, 1));
});

describe("compared with all records of small domains", () => {
  const SIZES = [4, 3, 5, 2, 4, 3];
  const all = SIZES.reduce<number[][]>(
    (records, size) => records.flatMap((record) => Array.from({ length: size }, (_, code) => [...record, code])),
    [[]],
  );

  /** Queries of three codes, a third of them with a weight below 0. */
  function drawnQueries(count: number, seed: number): Asked[] {
    const uniform = uniforms(seed);
    const draw = (bound: number) => Math.floor(uniform() * bound);
    return Array.from({ length: count }, () => {
      const columns = [...SIZES.keys()].sort(() => uniform() - 0.5).slice(0, 3);
      const weight = draw(3) ? 1 + draw(3) : -1 - draw(3);
      return { weight, literals: columns.sort().map((column) => [column, draw(SIZES[column])] as const) };
    });
  }

  it.each([
    ["without pulls, as DualQuery", 0, 16, 0.9, 0.005],
    ["with pulls, as FEM", 1.5, 6, 0.7, 0.02],
  ])("most sums are the largest, and the others almost: %s", (_, scale, restarts, share, loss) => {
    let [optimal, lost] = [0, 0];
    const RECORDS = 8;
    for (let seed = 1; seed <= 25; seed++) {
      const queries = drawnQueries(60, seed);
      const sought = { sizes: SIZES, queries, restarts, scale, seed, round: 0 };
      for (const [record, { worth }] of found(sought, RECORDS).entries()) {
        const pulls = pullsOf(sought, record, exports.logarithm);
        const sums = all.map((codes) => worthOf(queries, pulls, codes));
        const [best, least] = [Math.max(...sums), Math.min(...sums)];
        if (worth > best - 1e-4) optimal++;
        lost += (best - worth) / (best - least);
      }
    }
    expect(optimal / (25 * RECORDS)).toBeGreaterThan(share);
    expect(lost / (25 * RECORDS)).toBeLessThan(loss);
  });
});
