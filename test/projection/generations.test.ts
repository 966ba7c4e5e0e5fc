import fc from "fast-check";
import { expect, it } from "vitest";
import { Engines } from "../../src/core/engines.js";
import { finished, type Progress } from "../../src/core/progress.js";
import { type SearchInput, searchRows } from "../../src/projection/genetic.js";
import { failing } from "../fake-gpu.js";
import { ATTRIBUTES, genetic, inputOf, inputsOf, PAIRS } from "../search-input.js";

const INPUT = genetic(inputOf(ATTRIBUTES, PAIRS, 60, 3), 30);

const found = (input: SearchInput) => finished(searchRows(input), {});

it("finds the same rows with a GPU that has only the map, the tables and the rows", async () => {
  await fc.assert(
    fc.asyncProperty(inputsOf(40), async (input) => {
      const { engines, counted } = failing(-1);
      const alone = await found(genetic(input, 100));
      expect(await found({ ...genetic(input, 100), engines })).toEqual(alone);
      expect(counted.open).toBe(0);
      expect(counted.calls).toBeGreaterThan(0);
    }),
    { seed: 1, numRuns: 20 },
  );
});

it("finds the same rows whichever call fails", async () => {
  const alone = await found(INPUT);
  const { engines, counted } = failing(-1);
  expect(await found({ ...INPUT, engines })).toEqual(alone);
  expect(engines.uses).toEqual([{ kernel: "fitness", engine: "webgpu", why: "a GPU" }]);
  expect(counted.calls).toBeGreaterThan(40);
  for (let at = 0; at < counted.calls; at++) {
    const lost = failing(at);
    expect(await found({ ...INPUT, engines: lost.engines })).toEqual(alone);
    expect(lost.engines.uses).toMatchObject([{ engine: "wasm", why: expect.stringContaining("it fell off the bus.") }]);
    expect(lost.counted).toEqual({ calls: at + 1, open: 0 });
  }
});

it("gives the search on the GPU back if it is cancelled", async () => {
  const { engines, counted } = failing(-1);
  const steps = searchRows({ ...genetic(INPUT, 1e6, -1), engines });
  let step: IteratorResult<Progress, unknown> = await steps.next();
  while (!step.done && counted.calls < 2) step = await steps.next();
  expect([step.done, counted.open]).toEqual([false, 1]);
  await steps.return(undefined as never);
  expect(counted.open).toBe(0);
});

it("goes to a GPU by how many residuals a generation reads", async () => {
  const { counted } = failing(-1);
  const engines = new Engines("auto");
  // Of three columns, each in two pairs, a candidate reads two residuals in both.
  await found({ ...INPUT, engines });
  expect(engines.uses).toMatchObject([{ engine: "wasm", why: expect.stringMatching(/for a GPU: 40 elements/) }]);
  expect(counted.calls).toBe(0);
  await found({ ...INPUT, engines: new Engines("auto", { fitness: 40 }) });
  expect(counted.calls).toBeGreaterThan(0);
});

it("uses no GPU for queries that are no tables of codes", async () => {
  const { engines, counted } = failing(-1);
  const finer = [ATTRIBUTES[0], { ...ATTRIBUTES[1], fine: 99 }, ATTRIBUTES[2]];
  const input = genetic(inputOf(finer, PAIRS, 60, 3), 30);
  expect(await found({ ...input, engines })).toEqual(await found(input));
  expect([counted.calls, engines.uses]).toEqual([0, []]);
});
