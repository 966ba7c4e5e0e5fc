import { expect, it } from "vitest";
import { measure, parseSchema, plan, readCsv } from "../../src/node.js";
import { rejection } from "../files/tables.js";
import { watchedMemories } from "../memories.js";

it("a table that was wiped has no rows any more, nowhere in the memory that held them, and says so", async () => {
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
  const error = await rejection(measure(table, plan(schema, { epsilon: 1 })));
  expect(error).toHaveProperty("code", "table/wiped");
});
