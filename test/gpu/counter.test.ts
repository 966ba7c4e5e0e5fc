// Answers of rows through GPUs.

import { afterEach, describe, expect, it } from "vitest";
import { Engines } from "../../src/core/engines.js";
import type { CodedRows, RowCounter } from "../../src/core/gpu.js";
import { host, provideHost } from "../../src/core/host.js";
import { Device } from "../../src/gpu/device.js";
import { WebGpu } from "../../src/gpu/webgpu.js";
import { parseCsv, parseSchema, plan, synthesize } from "../../src/node.js";
import { RowAnswers } from "../../src/queries/row-answers.js";
import { magnitudesOf } from "../answers.js";
import { fakeGpu } from "../fake-gpu.js";
import { dawn, gpuEngines, noDawn, openDawn } from "../gpu-engines.js";
import { ATTRIBUTES, MEASUREMENTS, QUERIES, uniformRows } from "../queries/mixed.js";

const CODES = uniformRows(1500);
const before = host();
afterEach(() => provideHost(before));

const opened = (engines?: Engines) => RowAnswers.ofCodes(ATTRIBUTES, CODES, engines);

function provideGpu(openCounter: (rows: CodedRows) => RowCounter): void {
  provideHost({ ...before, gpu: async () => fakeGpu({ openCounter }) });
}

describe.each(gpuEngines)("$name", ({ missing, open }) => {
  it.for([undefined, 5000, 1500])("answers as the engine does, with %s bytes a buffer", async (mostBytes, { skip }) => {
    if (missing) skip(missing);
    const gpu = await open();
    provideGpu(({ codes }) => ({
      count: (queries) => gpu.count(codes, queries, queries.map(magnitudesOf), mostBytes),
      close() {},
    }));
    const engines = new Engines("webgpu");
    expect(await opened(engines).scaled(QUERIES, 4000)).toEqual(await opened().scaled(QUERIES, 4000));
    expect(await opened(engines).squares(MEASUREMENTS, 2)).toBe(await opened().squares(MEASUREMENTS, 2));
    expect(engines.uses.map(({ engine }) => engine)).toEqual(["webgpu", "webgpu", "webgpu"]);
  });
});

describe("a counter", () => {
  it("keeps rows from one call to the next", async ({ skip }) => {
    if (noDawn) skip(noDawn);
    const gpu = (await openDawn()) as WebGpu;
    provideHost({ ...before, gpu: openDawn });
    const answers = opened(new Engines("webgpu"));
    const expected = await opened().scaled(QUERIES, 4000);
    for (let turn = 0; turn < 3; turn++) expect(await answers.scaled(QUERIES, 4000)).toEqual(expected);
    answers.drop();
    expect(gpu.device.failure).toBeUndefined();
    // Nothing that was left behind speaks of memory that was given back.
    const memory = gpu.device.place(Uint32Array.of(7));
    expect(await gpu.device.read(memory, new Uint32Array(1))).toEqual(Uint32Array.of(7));
    memory.destroy();
  });

  it("leaves the rest to the engine if its device is lost meanwhile", async ({ skip }) => {
    if (noDawn) skip(noDawn);
    const adapter = await (await dawn()).requestAdapter();
    const gpu = new WebGpu(await Device.open(adapter!), adapter!.info);
    provideHost({ ...before, gpu: async () => gpu });
    const engines = new Engines("webgpu");
    const answers = opened(engines);
    const waiting = answers.scaled(QUERIES, 4000);
    await new Promise((resolve) => setTimeout(resolve));
    gpu.device.close();
    expect(await waiting).toEqual(await opened().scaled(QUERIES, 4000));
    expect(engines.uses.some(({ engine }) => engine === "wasm")).toBe(true);
    expect(await answers.squares(MEASUREMENTS, 2)).toBe(await opened().squares(MEASUREMENTS, 2));
    answers.drop();
  });
});

it("makes the same release and the same rows, round by round", async ({ skip }) => {
  if (noDawn) skip(noDawn);
  provideHost({ ...before, gpu: openDawn });
  const schema = parseSchema({
    fields: [
      { name: "sex", type: "string", constraints: { enum: ["F", "M"] } },
      { name: "age", type: "integer", constraints: { minimum: 0, maximum: 99 } },
    ],
  });
  const lines = Array.from({ length: 300 }, (_, row) => `${"FM"[row % 2]},${(7 * row) % 100}`);
  const set = { query: "random-half-spaces", columns: ["sex", "age"], count: 100, seed: 1 } as const;
  const planned = plan(schema, { epsilon: 2, workload: [["sex", "age"], set], rounds: 2 });
  const made = async (engine: "wasm" | "webgpu") => {
    const table = parseCsv(`sex,age\n${lines.join("\n")}`, schema);
    const options = { rows: 100, seed: 5, unsafeNoiseKey: new Uint8Array(32).fill(3), engine };
    const { outcome, items, table: rows } = await synthesize(table, planned, options);
    expect(new Set(outcome.engines.map((use) => use.engine))).toEqual(new Set([engine]));
    return { items, rows: [...rows.rows()], ratio: outcome.noiseRatio };
  };
  expect(await made("webgpu")).toEqual(await made("wasm"));
});
