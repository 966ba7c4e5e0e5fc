// What a plan says about the vault's memory, compared with what a vault reserves.
import { expect, it, onTestFinished, vi } from "vitest";
import { Instance } from "../../src/engine/instance.js";
import { workbench } from "../../src/engine/workbench.js";
import { parseCsv, parseSchema, plan } from "../../src/index.js";
import { candidateAt } from "../../src/privacy/candidates.js";
import { measurementItems } from "../../src/privacy/items.js";
import { isQueryItem } from "../../src/privacy/ledger.js";
import { Vault } from "../../src/privacy/vault.js";
import { vaultBytes } from "../../src/privacy/vault-bytes.js";
import { cellsOf } from "../../src/queries/query.js";
import { writeQueries } from "../../src/queries/struct.js";
import { modelColumns } from "../../src/schema/encode.js";
import { allPlaces } from "../../src/selection/draw.js";

const ROWS = 40_000;
const FIELDS = [
  { name: "who", standin: { role: "drop" } },
  { name: "sex", type: "string", constraints: { enum: ["F", "M"] } },
  { name: "code", type: "integer", constraints: { minimum: 0, maximum: 99 } },
  { name: "pay", type: "integer", constraints: { minimum: 0, maximum: 9999 } },
];
const PAIRS = [
  ["sex", "code"],
  ["code", "pay"],
];
/** The same columns without trees. */
const LISTED = FIELDS.map((field) =>
  "type" in field && field.type === "integer"
    ? { name: field.name, type: "string", constraints: { enum: Array.from({ length: 1000 }, (_, at) => `${at}`) } }
    : field,
);
const PREFIXES = { query: "random-prefixes", columns: ["sex", "code", "pay"], count: 60_000, seed: 1 };
const LINES = Array.from({ length: ROWS }, (_, row) => `p${row},${row % 3 ? "F" : "M"},${row % 100},${row % 9999}`);

it.each([
  // Plans that may choose reserve room for the counts of all candidates. This one leaves nothing out.
  ["of rows", { workload: "2-way", selection: "none" }, "row"],
  ["of rounds", { workload: "2-way", selection: "max", rounds: 1, perRound: 2 }, "row"],
  ["of sets", { workload: [...PAIRS, PREFIXES], selection: "max", rounds: 1, perRound: 2 }, "row"],
  ["of cells and complements", { mechanism: "fem", workload: PAIRS.slice(1), rounds: 1, perRound: 2 }, "row", LISTED],
  ["of few members", { workload: [{ ...PREFIXES, count: 3 }], selection: "max", rounds: 1, perRound: 2 }, "row"],
  ["of persons", { workload: "1-way" }, { column: "who", maxRows: 2 }],
])(
  "a plan %s knows in advance how much memory its vault takes",
  async (_, options, unit, fields: object[] = FIELDS) => {
    const schema = parseSchema({ fields, standin: { unit } });
    const planned = plan(schema, { epsilon: 1, ...options } as Parameters<typeof plan>[1]);
    const { ledger } = planned;
    const table = parseCsv(`who,sex,code,pay\n${LINES.join("\n")}\n`, schema);
    const { attributes } = planned.schema;
    const told = vaultBytes(ledger, attributes, ROWS);
    // What is drawn at random and what noise costs is computed in another instance: beforehand.
    const members = ledger.candidates
      .slice(-1)
      .flatMap(({ first }) => [first, first + 1].map((number) => candidateAt(ledger.candidates, number)));
    const picked = measurementItems(members, () => ledger.budget / 100n, { schema: { attributes }, ...ledger });
    writeQueries(workbench(), members, attributes);
    const { marks, engines } = watched();
    const vault = new Vault(ledger, ledger.budget, attributes, new Uint8Array(32).fill(1));
    await vault.load(modelColumns(table, planned.schema), ROWS, table.persons);
    const queries = [...ledger.items, ...ledger.shown].filter(isQueryItem);
    await vault.measure(queries, 0);
    const selection = ledger.items.find((item) => item.kind === "selection");
    if (selection) {
      const candidates = allPlaces(ledger.candidates).map((places, at) => {
        const group = ledger.candidates[at];
        const cells = cellsOf(group.query, attributes);
        return { group, places, weight: 1, targets: async () => new Int32Array(cells), bias: async () => 0n };
      });
      const chosen = await vault.select(selection, queries.length, candidates);
      expect(chosen).toHaveLength(2);
      if (selection.score !== "signed") await vault.measure(picked, queries.length + 1);
    }
    expect(engines.size).toBe(1);
    const taken = Math.max(...marks) - marks[0];
    expect(told).toBeGreaterThanOrEqual(taken);
    // What loading one column takes is known only to a quarter of a megabyte: a plan does not see the grids' points.
    expect(told).toBeLessThan(1.1 * taken + 2 ** 18);
  },
);

/** How full an engine is at the start, and whenever it has reserved memory or gets a block of codes. */
function watched(): { marks: number[]; engines: Set<Instance> } {
  const marks: number[] = [];
  const engines = new Set<Instance>();
  for (const name of ["alloc", "copy"] as const) {
    const original = Instance.prototype[name] as (...given: number[]) => number;
    const spy = vi.spyOn(Instance.prototype, name).mockImplementation(function (this: Instance, ...given: unknown[]) {
      if (!marks.length) marks.push(this.exports.mark());
      const result = original.apply(this, given as number[]);
      engines.add(this);
      marks.push(this.exports.mark());
      return result as never;
    });
    onTestFinished(() => spy.mockRestore());
  }
  return { marks, engines };
}
