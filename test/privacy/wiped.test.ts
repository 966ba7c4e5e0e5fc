import { expect, it } from "vitest";
import { Budget, measure, parseCsv, parseSchema, plan, readCsv } from "../../src/node.js";
import { nonPrivateQueryErrors } from "../../src/owner-node.js";
import { rejection } from "../files/tables.js";
import { watchedMemories } from "../memories.js";
import { pretended, withThreads } from "../threads.js";

it("a wiped table leaves no rows in any memory, and says that they were overwritten", async () => {
  const memories = watchedMemories();
  const schema = parseSchema({ fields: [{ name: "pay", type: "integer", constraints: { minimum: 0, maximum: 1e9 } }] });
  const table = await readCsv(new Blob(["pay\n", "471147114\n".repeat(100)]), schema);
  const code = Buffer.from(Uint32Array.of(471_147_114).buffer);
  const holders = () => memories.filter(({ buffer }) => Buffer.from(buffer).includes(code)).length;
  await measure(table, plan(schema, { epsilon: 1 }));
  expect(holders()).toBe(1);
  table.wipe();
  table.wipe();
  expect(holders()).toBe(0);
  expect(() => table.column("pay")).toThrow(/rows of this table were overwritten/);
  const budget = new Budget({ epsilon: 9, delta: 1e-8, neighbours: "add-remove", unit: "row" });
  const error = await rejection(measure(table, plan(schema, { epsilon: 1 }), { budget }));
  expect(error).toHaveProperty("code", "table/wiped");
  expect(budget.toJSON().spent).toEqual([]);
});

it("comparing tables leaves their rows in no memory but their own", () => {
  const memories = watchedMemories();
  const labels = Array.from({ length: 30_000 }, (_, code) => `label ${code}`);
  const schema = parseSchema({ fields: [{ name: "word", type: "string", constraints: { enum: labels } }] });
  const [real, synthetic] = ["label 28013\n", "label 1\n"].map((line) => parseCsv(`word\n${line.repeat(500)}`, schema));
  nonPrivateQueryErrors(real, synthetic, schema, "1-way");
  const code = Buffer.from(new Uint16Array(9).fill(28_013).buffer);
  expect(memories.filter(({ buffer }) => Buffer.from(buffer).includes(code))).toHaveLength(1);
});

it("rows that several threads have read are left in the table's engine alone", async () => {
  withThreads(pretended);
  const memories = watchedMemories();
  const schema = parseSchema({ fields: [{ name: "pay", type: "integer", constraints: { minimum: 0, maximum: 1e9 } }] });
  const table = await readCsv(new Blob(["pay\n", "471147114\n".repeat(200_000)]), schema, { threads: 3 });
  expect(table.length).toBe(200_000);
  const code = Buffer.from(Uint32Array.of(471_147_114).buffer);
  const holders = memories.filter(({ buffer }) => Buffer.from(buffer).includes(code)).length;
  expect({ memories: memories.length >= 4, holders }).toEqual({ memories: true, holders: 1 });
});
