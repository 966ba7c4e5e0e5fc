// Which queries of synthetic rows go to a GPU, and what happens where that fails. The GPU is the engine in disguise.

import { afterEach, describe, expect, it } from "vitest";
import { Engines } from "../../src/core/engines.js";
import { gpuLost } from "../../src/core/gpu.js";
import { host, provideHost } from "../../src/core/host.js";
import { QUERY_CELLS } from "../../src/engine/layout.js";
import { RowAnswers } from "../../src/queries/row-answers.js";
import { instance } from "../engine.js";
import { fakeGpu } from "../fake-gpu.js";
import { ATTRIBUTES, MEASUREMENTS, QUERIES, uniformRows } from "./mixed.js";

const ROWS = 400;
const CODES = uniformRows(ROWS);
const before = host();
afterEach(() => provideHost(before));

/** A GPU that fails at its nth call, and at all later ones. */
function provideGpu(failsAt = Number.POSITIVE_INFINITY) {
  const did = { counted: 0, calls: 0, opened: 0, closed: 0 };
  const act = () => {
    if (++did.calls >= failsAt) throw gpuLost("it was unplugged");
  };
  const gpu = fakeGpu({
    openCounter({ codes, rows }) {
      act();
      did.opened++;
      const engine = instance();
      const columns = engine.place(Uint32Array.from(codes, (column) => engine.place(column)));
      const block = engine.place(Uint32Array.of(columns, rows));
      return {
        async count(queries) {
          act();
          did.counted += queries.length;
          return queries.map((words) => {
            const out = engine.alloc(4 * words[QUERY_CELLS / 4]);
            engine.exports.answerBlocks(engine.place(words), block, 1, out);
            return engine.readI32(out, words[QUERY_CELLS / 4]);
          });
        },
        close: () => void did.closed++,
      };
    },
  });
  provideHost({ ...before, gpu: async () => gpu });
  return did;
}

const opened = (engines?: Engines) => RowAnswers.ofCodes(ATTRIBUTES, CODES, engines);
const expected = () => opened().scaled(QUERIES, 1000);

it("has all queries but expressions counted there, and gives its memory back", async () => {
  const did = provideGpu();
  const engines = new Engines("webgpu");
  const answers = opened(engines);
  expect(await answers.scaled(QUERIES, 1000)).toEqual(await expected());
  expect(did).toEqual({ counted: QUERIES.length - 1, calls: 4, opened: 1, closed: 0 });
  expect(await answers.squares(MEASUREMENTS, 2)).toBe(await opened().squares(MEASUREMENTS, 2));
  expect(did).toEqual({ counted: 2 * (QUERIES.length - 1), calls: 7, opened: 1, closed: 0 });
  expect(engines.uses.map(({ kernel, engine }) => [kernel, engine])).toEqual([
    ["marginal", "webgpu"],
    ["half-spaces", "webgpu"],
    ["ranges", "webgpu"],
  ]);
  answers.drop();
  expect(did.closed).toBe(1);
});

it("decides by rows times tables, boxes and members", async () => {
  const did = provideGpu();
  const members = ROWS * (300 + 4);
  for (const [from, counted] of [
    [{ marginal: 4 * ROWS, ranges: 200 * ROWS, "half-spaces": members }, QUERIES.length - 1],
    [{ marginal: 4 * ROWS + 1, ranges: 200 * ROWS + 1, "half-spaces": members + 1 }, 0],
    [{ marginal: 1e9, ranges: 200 * ROWS, "half-spaces": 1e9 }, 1],
  ] as const) {
    did.counted = 0;
    expect(await opened(new Engines("auto", from)).scaled(QUERIES, 1000)).toEqual(await expected());
    expect(did.counted).toBe(counted);
  }
});

it.each([
  ["WASM was asked for", new Engines("wasm")],
  ["rows may be real", undefined],
])("leaves all to the engine where %s", async (_, engines) => {
  const did = provideGpu();
  await opened(engines).scaled(QUERIES, 1000);
  expect(did.calls).toBe(0);
});

describe("where it fails, the engine counts", () => {
  it.each([1, 2, 3, 4])("from call %i on", async (call) => {
    const did = provideGpu(call);
    const engines = new Engines("webgpu");
    const answers = opened(engines);
    expect(await answers.scaled(QUERIES, 1000)).toEqual(await expected());
    expect(await answers.squares(MEASUREMENTS, 2)).toBe(await opened().squares(MEASUREMENTS, 2));
    expect(engines.uses.map(({ engine }) => engine)).toEqual(["wasm", "wasm", "wasm"]);
    expect(engines.uses[0].why).toMatch(/unplugged/);
    expect(did.closed).toBe(did.opened);
  });

  it("and there is no other", async () => {
    provideHost({ ...before, gpu: () => Promise.reject(gpuLost("it has failed before")) });
    expect(await opened(new Engines("webgpu")).scaled(QUERIES, 1000)).toEqual(await expected());
  });

  it("but no error of anything else is taken for the GPU's", async () => {
    const openCounter = () => {
      throw new TypeError("a bug");
    };
    provideHost({ ...before, gpu: async () => fakeGpu({ openCounter }) });
    await expect(opened(new Engines("webgpu")).scaled(QUERIES, 1000)).rejects.toThrow(TypeError);
  });
});

it.each([-1, ROWS + 1, 2 ** 31 - 1])("counts in WASM where a GPU says that %i rows count", async (wrong) => {
  const counted = async (queries: readonly Uint32Array[]) =>
    queries.map((words) => new Int32Array(words[QUERY_CELLS / 4]).fill(wrong));
  provideHost({ ...before, gpu: async () => fakeGpu({ openCounter: () => ({ count: counted, close() {} }) }) });
  const engines = new Engines("webgpu");
  expect(await opened(engines).scaled(QUERIES, 1000)).toEqual(await expected());
  expect(engines.uses.map(({ why }) => why).join()).toMatch(/counted what cannot be/);
});
