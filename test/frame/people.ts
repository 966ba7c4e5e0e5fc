// A small table with links between its columns, and plans with rounds over it.
import { type PlanOptions, parseCsv, parseSchema, plan } from "../../src/index.js";

export const schema = parseSchema({
  fields: [
    { name: "sex", type: "string", constraints: { enum: ["F", "M"], required: true } },
    { name: "work", type: "string", constraints: { enum: ["a", "b", "c"], required: true } },
    { name: "home", type: "string", constraints: { enum: ["n", "s", "w"] } },
    { name: "pay", type: "integer", constraints: { minimum: 0, maximum: 9999, required: true } },
  ],
});

const rowAt = (row: number) =>
  `${row % 3 ? "F" : "M"},${"abc"[row % 3]},${row % 7 ? "nsw"[(row * row) % 3] : ""},${(row * 104_729) % 10_000}`;

export const people = parseCsv(
  `sex,work,home,pay\n${Array.from({ length: 400 }, (_, row) => rowAt(row)).join("\n")}\n`,
  schema,
);

export const adaptivePlan = (options: PlanOptions = {}) =>
  plan(schema, { epsilon: 2, workload: "2-way", selection: "max", rounds: 3, ...options });

export const key = (seed: number) =>
  Uint8Array.from({ length: 32 }, (_, at) => (at < 4 ? (seed >>> (8 * at)) & 255 : 1));
