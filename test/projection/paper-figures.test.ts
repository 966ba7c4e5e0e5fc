// What the Private-GSD paper shows of its search, in short; bench/figure1.bench.ts and figure2.bench.ts do it in full.
import { expect, it } from "vitest";
import { measure, type PlanOptions, parseCsv, parseSchema, plan, resample } from "../../src/index.js";
import { uniforms } from "../reference/statistics.js";

const noiseKey = Uint8Array.from({ length: 32 }, () => 1);

async function made(table: Parameters<typeof measure>[0], schema: ReturnType<typeof parseSchema>, options: object) {
  const planned = plan(schema, { epsilon: 1000, estimate: "raw", ...options } as PlanOptions);
  return resample(await measure(table, planned, { rows: table.length, seed: 1, unsafeNoiseKey: noiseKey }));
}

it.each(["descent", "paper"])(
  "%s puts values between the thresholds of three prefixes, and nowhere else",
  async (method) => {
    const constraints = { minimum: 0, maximum: 1, required: true };
    const schema = parseSchema({
      fields: [{ name: "x", type: "number", constraints, standin: { granularity: "0.01" } }],
    });
    const table = parseCsv(`x\n${"0.5\n".repeat(200)}`, schema);
    const workload = [{ expressions: ["x <= 0.49", "x <= 0.5", "x <= 0.51"] }];
    const { table: rows } = await made(table, schema, { workload, search: { method } });
    // Codes of the grid 0, 0.01, …, 1.
    expect(new Set(rows.columns[0].codes)).toEqual(new Set([50]));
  },
);

it("converges faster with crossovers than with mutations alone where categories are many and few of them occur", async () => {
  const constraints = { minimum: 0, maximum: 299, required: true };
  const field = (name: string) => ({ name, type: "integer", constraints, standin: { bins: 300 } });
  const schema = parseSchema({ fields: [field("a"), field("b")] });
  const uniform = uniforms(1);
  const row = () => `${Math.floor(uniform() * 8) * 37},${Math.floor(uniform() * 8) * 29}`;
  const table = parseCsv(`a,b\n${Array.from({ length: 400 }, row).join("\n")}\n`, schema);
  const losses: number[] = [];
  for (const [mutations, crossovers] of [
    [40, 0],
    [20, 20],
  ]) {
    const search = { method: "paper", mutations, crossovers, generations: 1200, tolerance: 0 };
    losses.push((await made(table, schema, { workload: "1-way", search })).outcome.loss);
  }
  expect(losses[0]).toBeGreaterThan(10 * losses[1]);
});
