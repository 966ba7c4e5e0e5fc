import fc from "fast-check";
import { expect, it } from "vitest";
import { Engines } from "../../src/core/engines.js";
import { host, provideHost } from "../../src/core/host.js";
import { finished, type Progress } from "../../src/core/progress.js";
import { WHOLE_SWEEPS } from "../../src/engine/layout.js";
import { type SearchInput, searchRows } from "../../src/projection/genetic.js";
import { DESCENT, IN_BATCHES, isInBatches, PAPER } from "../../src/projection/settings.js";
import { failing, fakeGpu } from "../fake-gpu.js";
import { ATTRIBUTES, inputOf, inputsOf, PAIRS } from "../search-input.js";

const found = (input: SearchInput) => finished(searchRows(input), {});

it("finds the same rows with a GPU that has only the map, the tables and the rows", async () => {
  await fc.assert(
    fc.asyncProperty(inputsOf(1100), async (input) => {
      const { engines, counted } = failing(-1);
      const alone = await found(input);
      const together = await found({ ...input, engines });
      expect({ ...together, candidates: 0 }).toEqual({ ...alone, candidates: 0 });
      expect([counted.open, counted.calls > 0]).toEqual([0, alone.steps > WHOLE_SWEEPS]);
    }),
    { seed: 1, numRuns: 15 },
  );
});

it("finds the same rows whichever call fails", async () => {
  const input = inputOf(ATTRIBUTES, PAIRS, 1100, 3);
  const { candidates: _, ...alone } = await found(input);
  expect(alone.steps).toBeGreaterThan(WHOLE_SWEEPS + 1);
  const { engines, counted } = failing(-1);
  await found({ ...input, engines });
  expect(engines.uses).toEqual([{ kernel: "neighbourhood", engine: "webgpu", why: "a GPU" }]);
  expect(counted.calls).toBeGreaterThan(4);
  for (let at = 0; at < counted.calls; at++) {
    const lost = failing(at);
    const { candidates: _, ...rest } = await found({ ...input, engines: lost.engines });
    expect(rest).toEqual(alone);
    expect(lost.engines.uses).toMatchObject([{ engine: "wasm", why: expect.stringContaining("it fell off the bus.") }]);
    expect(lost.counted).toEqual({ calls: at + 1, open: 0 });
  }
});

it("does not hide other errors behind the engine", async () => {
  const openSearch = () => Promise.reject(new TypeError("a bug"));
  provideHost({ ...host(), gpu: async () => fakeGpu({ openSearch }) });
  const input = { ...inputOf(ATTRIBUTES, PAIRS, 1100, 3), engines: new Engines("webgpu") };
  await expect(found(input)).rejects.toThrow("a bug");
});

it("gives the search on the GPU back if it is cancelled", async () => {
  const { engines, counted } = failing(-1);
  const steps = searchRows({ ...inputOf(ATTRIBUTES, PAIRS, 4000, 3), engines });
  let step: IteratorResult<Progress, unknown> = await steps.next();
  while (!step.done && counted.calls < 2) step = await steps.next();
  expect([step.done, counted.open]).toEqual([false, 1]);
  await steps.return(undefined as never);
  expect(counted.open).toBe(0);
});

it("uses no GPU for searches that are small, or match other queries", async () => {
  const small = inputOf(ATTRIBUTES, PAIRS, 300, 3);
  const finer = [ATTRIBUTES[0], { ...ATTRIBUTES[1], fine: 99 }, ATTRIBUTES[2]];
  for (const input of [{ ...small, settings: DESCENT }, inputOf(finer, PAIRS, 300, 3)]) {
    const { engines, counted } = failing(-1);
    expect(await found({ ...input, engines })).toEqual(await found(input));
    expect([counted.calls, engines.uses]).toEqual([0, []]);
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
