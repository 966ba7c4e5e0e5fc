// What every mechanism has to do: go on from any round, only once where a budget is shared, with tables and budgets of
// any size, and without saying anything of the rows when it refuses.
import { describe, expect, it } from "vitest";
import { MECHANISM_OPTIONS } from "../../src/mechanisms/options.js";
import {
  Budget,
  measure,
  type PlanOptions,
  parseCsv,
  parseRelease,
  parseSchema,
  plan,
  type Release,
  resample,
  resume,
  type Schema,
  StandinError,
  type Table,
  toCsv,
} from "../../src/node.js";

const schemaOf = (sizes: Readonly<Record<string, number>>) =>
  parseSchema({
    fields: Object.entries(sizes).map(([name, size]) => {
      const constraints = { enum: Array.from({ length: size }, (_, code) => `v${code}`), required: true };
      return { name, type: "string", constraints };
    }),
  });

/** Rows in which the last column follows from the first. */
function tableOf(schema: Schema, rows: number, step: number): Table {
  const sizes = schema.attributes.map(({ size }) => size);
  const lines = Array.from({ length: rows }, (_, row) =>
    sizes.map((size, at) => `v${(row * (at % 2 ? step : 1)) % size}`).join(),
  );
  return parseCsv([schema.attributes.map(({ name }) => name).join(), ...lines].join("\n"), schema);
}

const small = schemaOf({ a: 2, b: 3, c: 4, d: 2 });
const table = tableOf(small, 300, 7);
const KEY = new Uint8Array(32).fill(3);

describe.each(Object.keys(MECHANISM_OPTIONS))("%s", (mechanism) => {
  const publicOf = (schema: Schema) => (mechanism.endsWith("-pub") ? { publicTable: tableOf(schema, 60, 5) } : {});
  const given = publicOf(small);
  const planned = (options: PlanOptions = {}) => plan(small, { epsilon: 0.3, mechanism, ...given, ...options });

  it("goes on from any round as if it had not been stopped", async () => {
    const begun: string[] = [];
    const how = { unsafeNoiseKey: KEY, onRound: (release: Release) => void begun.push(JSON.stringify(release)) };
    const whole = await measure(table, planned(), { seed: 1, ...how });
    for (const unfinished of begun.slice(0, 3)) {
      const release = await resume(table, parseRelease(unfinished), { ...given, unsafeNoiseKey: KEY });
      expect(JSON.stringify(release)).toBe(JSON.stringify(whole));
    }
    const [one, other] = [whole, parseRelease(JSON.stringify(whole))].map((release) => resample(release, given));
    expect(toCsv((await one).table)).toBe(toCsv((await other).table));
  });

  it("goes on once where a budget is shared", async () => {
    const budget = new Budget({ epsilon: 3, delta: 1e-8, neighbours: "add-remove", unit: "row" });
    let first: { readonly release: string; readonly budget: string } | undefined;
    const onRound = (release: Release) => {
      first ??= { release: JSON.stringify(release), budget: JSON.stringify(budget) };
    };
    await measure(table, planned(), { seed: 1, budget, onRound });
    if (!first) return expect(planned().ledger.items.every(({ kind }) => kind === "measurement")).toBe(true);
    const held = Budget.fromJSON(first.budget);
    const runs = [0, 1].map(() => resume(table, parseRelease(first!.release), { ...given, budget: held }));
    const ended = await Promise.allSettled(runs);
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(ended.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "budget/resumed" } });
  });

  it.each([
    ["one row", small, 1],
    ["columns with one code", schemaOf({ a: 1, b: 1, c: 4 }), 10],
  ])("makes rows of %s at any ε, or says the same of all tables", { timeout: 60_000 }, async (_, schema, rows) => {
    for (const epsilon of [1e-6, 1, 50])
      for (const neighbours of ["add-remove", "replace"] as const) {
        const said: string[] = [];
        for (const step of [1, 3])
          try {
            const publicRows = neighbours === "replace" ? rows : undefined;
            const options = { epsilon, mechanism, neighbours, publicRows, ...publicOf(schema) };
            const release = await measure(tableOf(schema, rows, step), plan(schema, options), { seed: 1 });
            const { table: made } = await resample(release, { ...publicOf(schema), rows: 5 });
            said.push(`${made.length} rows`);
          } catch (error) {
            if (!(error instanceof StandinError)) throw error;
            said.push(`${error.code}: ${error.message}`);
          }
        expect(said[0]).toMatch(/^5 rows$|^budget\/too-small: /);
        expect(said[1]).toBe(said[0]);
      }
  });
});
