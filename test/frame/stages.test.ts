// The default in two stages through the whole frame, on a table of many columns. Each depends on its neighbour or on
// none.
import { describe, expect, it } from "vitest";
import { measure, parseCsv, parseRelease, parseSchema, plan, type Release, resample } from "../../src/index.js";
import { unitsOf } from "../../src/privacy/accounting.js";
import { key } from "./people.js";

const COLUMNS = 20;
const LINKED = 5;
const ROWS = 4000;
const names = Array.from({ length: COLUMNS }, (_, at) => `c${at}`);
const schema = parseSchema({
  fields: names.map((name) => ({
    name,
    type: "integer",
    constraints: { minimum: 0, maximum: 4, required: true },
  })),
});
/** The first columns are equal in pairs; the others depend on nothing. */
const codeAt = (row: number, column: number) => {
  const source = column < 2 * LINKED ? column >> 1 : column;
  return Math.floor((((row + 1) * 2_654_435_761 * (source + 3)) % 4_294_967_291) / 858_993_459);
};
const table = parseCsv(
  [names.join(), ...Array.from({ length: ROWS }, (_, row) => names.map((_, at) => codeAt(row, at)).join()), ""].join(
    "\n",
  ),
  schema,
);
const linked = Array.from({ length: LINKED }, (_, at) => `c${2 * at},c${2 * at + 1}`);
const measured = (epsilon: number, options = {}) =>
  measure(table, plan(schema, { epsilon, workload: "2-way", ...options }), { seed: 1, unsafeNoiseKey: key(1) });
const setsOf = ({ ledger }: Release, order: number) =>
  ledger.flatMap((item) =>
    item.kind === "measurement" && item.columns!.length === order ? [item.columns!.join()] : [],
  );

describe("a release in two stages", () => {
  it("measures one-ways, chooses the pairs that independent columns are most wrong about, and measures these", async () => {
    const release = await measured(0.6);
    const kinds = release.ledger.map(({ kind }) => kind);
    const at = kinds.indexOf("selection");
    const choices = release.ledger.filter(({ kind }) => kind === "selection") as { picks: number }[];
    const picks = choices.reduce((sum, choice) => sum + choice.picks, 0);
    expect(picks).toBeGreaterThanOrEqual(LINKED);
    expect(picks).toBeLessThan(190);
    for (const choice of choices) expect(choice).toMatchObject({ score: "aim", candidates: 190, sensitivity: 1 });
    const pairs = setsOf(release, 2);
    expect(new Set(pairs).size).toBe(picks);
    expect(pairs.slice(0, LINKED).sort()).toEqual(linked);
    expect(kinds.slice(0, at)).toEqual(new Array(at).fill("measurement"));
    expect(setsOf(release, 1)).toEqual([...names, ...names].slice(0, at));
    expect(kinds).toHaveLength(at + choices.length + picks);
  });

  it("measures all pairs if the budget suffices or no selection is requested; none if one-ways need it all", async () => {
    expect(setsOf(await measured(300), 2)).toHaveLength(190);
    expect(setsOf(await measured(0.6, { selection: "none" }), 2)).toHaveLength(190);
    const poor = await measured(0.02);
    expect(setsOf(poor, 2)).toEqual([]);
    expect(setsOf(poor, 1)).toHaveLength(2 * COLUMNS);
  });

  it("charges what it planned, within the budget", async () => {
    for (const epsilon of [0.02, 0.6, 300]) {
      const planned = plan(schema, { epsilon, workload: "2-way" });
      const { ledger } = await measured(epsilon);
      const charged = ledger.reduce((sum, { rho }) => sum + unitsOf(rho), 0n);
      expect(charged).toBeLessThanOrEqual(planned.ledger.charge);
      expect(Number(charged)).toBeGreaterThan(0.9999 * Number(planned.ledger.budget));
    }
  });

  it("is read again with its choice, and makes the same rows", async () => {
    const release = await measured(0.6);
    const reread = parseRelease(JSON.stringify(release));
    const rowsOf = async (made: Release) => [...(await resample(made, { rows: 200 })).table.rows()];
    expect(JSON.stringify(reread)).toBe(JSON.stringify(release));
    expect(await rowsOf(reread)).toEqual(await rowsOf(release));
  });
});
