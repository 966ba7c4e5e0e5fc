// Counting in several threads: the same answers and choices, and nothing left behind.
import { expect, it, vi } from "vitest";
import { StandinError } from "../../src/core/errors.js";
import { Instance } from "../../src/engine/instance.js";
import { BLOCK_ROWS } from "../../src/engine/layout.js";
import { measure, parseCsv, parseSchema, plan, resume } from "../../src/node.js";
import { measurementItem } from "../../src/privacy/items.js";
import { isQueryItem } from "../../src/privacy/ledger.js";
import { countsRows, RemoteSlice } from "../../src/privacy/slice.js";
import { cellsOf, queryOf } from "../../src/queries/query.js";
import { allPlaces } from "../../src/selection/draw.js";
import type { Engine } from "../engine.js";
import { measureInThreads, threadedVault } from "./door.js";

const schema = parseSchema({
  fields: [
    { name: "sex", type: "string", constraints: { enum: ["F", "M"], required: true } },
    { name: "code", type: "integer", constraints: { minimum: 0, maximum: 99, required: true } },
    { name: "pay", type: "integer", constraints: { minimum: 0, maximum: 9999 } },
  ],
});
const key = () => Uint8Array.from({ length: 32 }, (_, at) => at + 1);
const textOf = (rows: number) =>
  Array.from(
    { length: rows },
    (_, row) => `${row % 3 ? "F" : "M"},${(row * 7919) % 100},${(row * 104_729) % 10_000}\n`,
  );
const table = parseCsv(`sex,code,pay\n${textOf(100_000).join("")}`, schema);

it("answers are the same in 1, 2 and 4 threads, marginals, trees and groups of codes", async () => {
  const { ledger } = plan(schema, { epsilon: 1, estimate: "raw" });
  const tens = Array.from({ length: 100 }, (_, code) => Math.floor(code / 10));
  const grouped = { ...queryOf([0, 1], schema.attributes), groups: [null, tens] };
  const [{ share }] = ledger.items.filter(isQueryItem);
  // The ledger's cap leaves no room for more than the plan's own items, so one of them is dropped.
  const items = [...ledger.items.slice(1), measurementItem(grouped, share, { schema, ...ledger })];
  expect(new Set(items.filter(isQueryItem).map(({ query }) => query.kind))).toEqual(new Set(["marginal", "tree"]));
  const mixed = { ...ledger, items };
  const expected = await measureInThreads(1, table, schema, mixed, key());
  expect(expected.at(-1)).toHaveLength(20);
  for (const threads of [2, 4]) expect(await measureInThreads(threads, table, schema, mixed, key())).toEqual(expected);
});

it("choices are the same, and queries requested ahead may be requested in another order", async () => {
  const { ledger } = plan(schema, { epsilon: 1, workload: "2-way", selection: "max", rounds: 1, perRound: 2 });
  const [first, second] = ledger.items.filter(isQueryItem);
  const selection = ledger.items.find((item) => item.kind === "selection")!;
  const candidates = allPlaces(ledger.candidates).map((places, at) => {
    const group = ledger.candidates[at];
    const cells = cellsOf(group.query, schema.attributes);
    return { group, places, weight: 1, targets: async () => new Int32Array(cells), bias: async () => 0n };
  });
  const drawn = async (threads: number) => {
    const vault = await threadedVault(threads, table, schema, ledger, key());
    // Not the query that was announced as the next one.
    const answers = [await vault.measure([first], 0, [first.query]), await vault.measure([second], 1, [first.query])];
    const chosen = await vault.select(selection, 2, candidates);
    await vault.close();
    return { answers, chosen };
  };
  const expected = await drawn(1);
  for (const threads of [2, 3]) expect(await drawn(threads)).toEqual(expected);
});

it("a release is the same in any number of threads, including rounds and resumed rounds", {
  timeout: 120_000,
}, async () => {
  const large = parseCsv(`sex,code,pay\n${textOf(250_000).join("")}`, schema);
  const prefixes = { query: "random-prefixes", columns: ["sex", "code", "pay"], count: 5000, seed: 1 } as const;
  const rounds = { selection: "max", rounds: 2, perRound: 1 } as const;
  for (const options of [{}, { workload: "2-way", ...rounds }, { workload: [prefixes], ...rounds }] as const) {
    const planned = plan(schema, { epsilon: 1, ...options });
    const released = (threads: number) => measure(large, planned, { threads, seed: 1, unsafeNoiseKey: key() });
    expect(JSON.stringify(await released(2))).toBe(JSON.stringify(await released(1)));
  }
  const begun: Parameters<typeof resume>[1][] = [];
  const planned = plan(schema, { epsilon: 1, workload: "2-way", selection: "max", rounds: 2, perRound: 1 });
  await measure(large, planned, { seed: 1, unsafeNoiseKey: key(), onRound: (release) => void begun.push(release) });
  const resumed = (threads: number) => resume(large, begun[1], { threads, unsafeNoiseKey: key() });
  expect(JSON.stringify(await resumed(2))).toBe(JSON.stringify(await resumed(1)));
});

it("keeps at most the rows that a person may have, whatever the threads", async () => {
  const persons = parseSchema({
    fields: [...schema.toJSON().fields, { name: "who", standin: { role: "drop" } }],
    standin: { unit: { column: "who", maxRows: 2 } },
  });
  const lines = textOf(60_000).map((line, row) => line.replace("\n", `,p${row % 17_000}\n`));
  const people = parseCsv(`sex,code,pay,who\n${lines.join("")}`, persons);
  const { ledger } = plan(persons, { epsilon: 5, workload: "1-way" });
  const expected = await measureInThreads(1, people, persons, ledger, key());
  expect(await measureInThreads(3, people, persons, ledger, key())).toEqual(expected);
});

it("a thread's engine, its messages and its answers hold no row when the vault is closed", () => {
  const allocated = vi.spyOn(Instance.prototype, "alloc");
  const answerTo = countsRows({ kind: "counting", attributes: schema.attributes });
  const rows = Uint16Array.from(
    schema.attributes.flatMap(({ size }) => Array.from({ length: 500 }, (_, row) => row % size)),
  );
  answerTo({ rows, count: 500 });
  const query = queryOf([0, 1], schema.attributes);
  const { message, transfer } = answerTo({ queries: [query] });
  const [counts] = message as Int32Array[];
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(500);
  expect(transfer).toEqual([counts.buffer]);
  const [engine] = allocated.mock.contexts as Engine[];
  const [start] = allocated.mock.results.map(({ value }) => value as number);
  allocated.mockRestore();
  const { buffer } = engine.exports.memory;
  const used = () => new Uint8Array(buffer, start).some((byte) => byte !== 0);
  expect(used()).toBe(true);
  answerTo("wipe");
  expect(used()).toBe(false);
  expect(rows.every((code) => code === 0)).toBe(true);
});

it("a reused buffer contains only its own rows, however few", async () => {
  const { attributes } = schema;
  const answerTo = countsRows({ kind: "counting", attributes });
  const rooms = new Set<unknown>();
  const call = async (request: never) => {
    if ("rows" in (request as object)) rooms.add((request as { rows: Uint16Array }).rows.buffer);
    return answerTo(request).message;
  };
  const slice = new RemoteSlice({ call } as never);
  const blocks = [...Array.from({ length: 11 }, () => BLOCK_ROWS), 100];
  for (const rows of blocks) await slice.append(attributes.map(() => new Uint16Array(rows).fill(1)));
  const [counts] = await slice.count([queryOf([0, 1], attributes)]);
  expect([...counts].filter((count) => count)).toEqual([11 * BLOCK_ROWS + 100]);
  expect(rooms.size).toBeLessThan(blocks.length);
});

it("rows that a failed thread did not take are overwritten, and loading ends with its error", async () => {
  const taken: Uint16Array[] = [];
  const call = async (request: { rows: Uint16Array }) => {
    taken.push(request.rows);
    throw new StandinError("engine/thread", "lost");
  };
  const slice = new RemoteSlice({ call } as never);
  const load = async () => {
    for (let block = 0; block < 20; block++) await slice.append([new Uint16Array(BLOCK_ROWS).fill(7)]);
  };
  await expect(load()).rejects.toThrow("lost");
  expect(taken.length).toBeGreaterThan(0);
  expect(taken.every((rows) => rows.every((code) => code === 0))).toBe(true);
});

it("closing a vault wipes every thread's engine before it is released", async () => {
  const { ledger } = plan(schema, { epsilon: 1, workload: "1-way" });
  const asked: unknown[] = [];
  const { RemoteWorker } = await import("../../src/core/threads.js");
  vi.spyOn(RemoteWorker.prototype, "call").mockImplementation(async (request) => void asked.push(request));
  vi.spyOn(RemoteWorker.prototype, "begin");
  const vault = await threadedVault(4, table, schema, ledger, key());
  await vault.close();
  vi.restoreAllMocks();
  expect(asked.slice(-3)).toEqual(["wipe", "wipe", "wipe"]);
});
