import fc from "fast-check";
import { expect, it } from "vitest";
import { finished, type Progress } from "../../src/core/progress.js";
import type { OpenSearch, SearchDevice } from "../../src/core/search-device.js";
import type { Attribute } from "../../src/domain/attribute.js";
import { type SearchInput, searchRows } from "../../src/projection/genetic.js";
import { DESCENT, IN_BATCHES, isInBatches, PAPER } from "../../src/projection/settings.js";
import { cellsOf, type Query, queryOf } from "../../src/queries/query.js";
import { MapDevice } from "../map-device.js";
import { attribute, integers, named, queryAmong } from "../random-tables.js";

const SETTINGS = { ...IN_BATCHES, tolerance: 0 } as typeof IN_BATCHES;

/** A search for random targets. */
function inputOf(attributes: readonly Attribute[], queries: readonly Query[], rows: number, seed: number): SearchInput {
  const targets = queries.map((query, at) => ({
    query,
    answers: Float64Array.from(integers(cellsOf(query, attributes), 20, seed + at), Math.abs),
  }));
  const start = attributes.map(({ size }, column) => ({ column, weights: new Float64Array(size) }));
  return { attributes, targets, total: 60, rows, seed, settings: SETTINGS, start };
}

const inputs: fc.Arbitrary<SearchInput> = fc
  .array(attribute(9), { minLength: 1, maxLength: 4 })
  .filter((attributes) => attributes.filter(({ tree }) => tree).length < 3)
  .map((attributes) => named(attributes.map(({ fine: _, ...cells }) => cells)))
  .chain((attributes) =>
    fc
      .tuple(fc.array(queryAmong(attributes, 3), { minLength: 1, maxLength: 5 }), fc.integer({ min: 0, max: 999 }))
      .map(([queries, seed]) => inputOf(attributes, queries, 1100, seed)),
  );

const found = (input: SearchInput) => finished(searchRows(input), {});

it("finds the same rows with a device that has only the map, the tables and the rows", async () => {
  await fc.assert(
    fc.asyncProperty(inputs, async (input) => {
      const devices: MapDevice[] = [];
      const open: OpenSearch = async (tables) => {
        devices.push(new MapDevice(tables));
        return devices[0];
      };
      const alone = await found(input);
      const together = await found({ ...input, device: open });
      expect({ ...together, candidates: 0 }).toEqual({ ...alone, candidates: 0 });
      expect(devices.map(({ isClosed }) => isClosed)).toEqual(alone.steps > 1 ? [true] : []);
    }),
    { seed: 1, numRuns: 15 },
  );
});

const ATTRIBUTES: Attribute[] = [
  { name: "sex", size: 2, tree: false, missing: false },
  { name: "age", size: 33, tree: true, missing: true },
  { name: "job", size: 7, tree: false, missing: false },
];
const PAIRS = [
  [0, 1],
  [0, 2],
  [1, 2],
].map((columns) => queryOf(columns, ATTRIBUTES));

/** Opens a device of which the call with this number fails; opening it is the first. Counts the calls. */
function failing(at: number) {
  const counted = { calls: 0, isClosed: false };
  const call = () => {
    if (counted.calls++ === at) throw new Error("the device is lost");
  };
  const open: OpenSearch = async (tables): Promise<SearchDevice> => {
    call();
    const device = new MapDevice(tables);
    return {
      async findMoves(rows) {
        call();
        return device.findMoves(rows);
      },
      change(rows, codes) {
        call();
        device.change(rows, codes);
      },
      close() {
        counted.isClosed = true;
      },
    };
  };
  return { open, counted };
}

it("finds the same rows whichever call fails", async () => {
  const input = inputOf(ATTRIBUTES, PAIRS, 1100, 3);
  const alone = await found(input);
  expect(alone.steps).toBeGreaterThan(2);
  const { open, counted } = failing(-1);
  expect((await found({ ...input, device: open })).deviceFailure).toBeUndefined();
  expect(counted.calls).toBeGreaterThan(4);
  for (let at = 0; at < counted.calls; at++) {
    const lost = failing(at);
    const { candidates: _, deviceFailure, ...rest } = await found({ ...input, device: lost.open });
    const { candidates: __, deviceFailure: ___, ...expected } = alone;
    expect(rest).toEqual(expected);
    expect(deviceFailure).toBe("the device is lost");
    expect(lost.counted).toEqual({ calls: at + 1, isClosed: at > 0 });
  }
});

it("gives the device back if it is cancelled", async () => {
  const { open, counted } = failing(-1);
  const input = { ...inputOf(ATTRIBUTES, PAIRS, 4000, 3), device: open };
  const steps = searchRows(input);
  let step: IteratorResult<Progress, unknown> = await steps.next();
  while (!step.done && counted.calls < 2) step = await steps.next();
  expect(step.done).toBe(false);
  await steps.return(undefined as never);
  expect(counted.isClosed).toBe(true);
});

it("uses no device for searches that are small, or match other queries, and says so", async () => {
  const small = inputOf(ATTRIBUTES, PAIRS, 300, 3);
  const ordered = [ATTRIBUTES[0], { ...ATTRIBUTES[1], fine: 99 }, ATTRIBUTES[2]];
  for (const input of [
    { ...small, settings: DESCENT },
    { ...small, settings: { ...PAPER, generations: 50 } as typeof PAPER },
    { ...inputOf(ordered, PAIRS, 300, 3), settings: IN_BATCHES },
  ]) {
    const { open, counted } = failing(-1);
    const { deviceFailure, ...together } = await found({ ...input, device: open });
    const { deviceFailure: none, ...alone } = await found(input);
    expect(together).toEqual(alone);
    expect([none, deviceFailure]).toEqual([undefined, expect.stringContaining("large searches")]);
    expect(counted.calls).toBe(0);
  }
});

it("goes in batches from 50,000 rows or a million targets on, if all queries are tables", () => {
  const cases = [
    [DESCENT, true, 49_999, 999_999, false],
    [DESCENT, true, 50_000, 1, true],
    [DESCENT, true, 1, 1_000_000, true],
    [DESCENT, false, 1e6, 1e7, false],
    [IN_BATCHES, false, 1, 1, true],
    [PAPER, true, 1e6, 1e7, false],
  ] as const;
  for (const [settings, isTables, rows, cells, expected] of cases)
    expect(isInBatches(settings, isTables, rows, cells)).toBe(expected);
});
