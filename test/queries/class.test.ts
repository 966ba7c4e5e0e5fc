// A class of queries that is defined in these tests, in one file per side (prefixes.ts, prefixes.as), goes through the
// package. Nothing else changes except the list of classes on each side.
import { beforeAll, describe, expect, it } from "vitest";
import { type Change, imported } from "../bundled.js";
import { expectStructure } from "./structure.js";

const CLASSES = "src/queries/index.ts";
const KINDS = "assembly/queries/index.ts";
const LAST = "  expression,\n];";
const SWITCH = "switch (kindNumberOf(query)) {";

/** The lines that a class adds to the lists. */
const CHANGES: Change[] = [
  { file: CLASSES, text: LAST, instead: LAST.replace("]", "  prefixes,\n]") },
  {
    file: CLASSES,
    text: "import { total }",
    instead: 'import { prefixes } from "../../test/queries/prefixes.js";\nimport { total }',
  },
  {
    file: KINDS,
    text: "import { kindNumberOf }",
    instead: 'import { PREFIXES } from "./prefixes";\nimport { kindNumberOf }',
  },
  { file: KINDS, text: SWITCH, instead: `${SWITCH}\n    case 99:\n      return PREFIXES;` },
];

const ENTRY = `
  export * from "./src/node.ts";
  export { searchBytes, searchRows } from "./src/projection/genetic.ts";
  export { DESCENT, PAPER } from "./src/projection/settings.ts";
  export { cellsOf, keyOf, structureOf } from "./src/queries/query.ts";
  export { RowAnswers } from "./src/queries/row-answers.ts";
  export { nonPrivateQueryErrors } from "./src/owner.ts";
  export { workloadQueries } from "./src/queries/workload.ts";`;

type Exports = typeof import("../../src/node.js") &
  Pick<typeof import("../../src/projection/genetic.js"), "searchBytes" | "searchRows"> &
  Pick<typeof import("../../src/projection/settings.js"), "DESCENT" | "PAPER"> &
  Pick<typeof import("../../src/queries/query.js"), "cellsOf" | "keyOf" | "structureOf"> &
  Pick<typeof import("../../src/queries/row-answers.js"), "RowAnswers"> &
  Pick<typeof import("../../src/owner.js"), "nonPrivateQueryErrors"> &
  Pick<typeof import("../../src/queries/workload.js"), "workloadQueries">;

let standin: Exports;
beforeAll(async () => {
  standin = await imported<Exports>(ENTRY, CHANGES, { "assembly/queries/prefixes.ts": "test/queries/prefixes.as" });
});

const FIELDS = [
  { name: "age", type: "integer", constraints: { minimum: 0, maximum: 9, required: true } },
  { name: "sex", type: "string", constraints: { enum: ["F", "M"], required: true } },
  { name: "pay", type: "integer", constraints: { minimum: 0, maximum: 4, required: true } },
];
const ROWS = Array.from({ length: 300 }, (_, row) => [(row * row) % 10, row % 3 ? "F" : "M", ((row * row) % 10) >> 1]);
const CSV = `age,sex,pay\n${ROWS.map((row) => row.join(",")).join("\n")}\n`;
const CORNERS = [
  [2, 1],
  [5, 3],
  [5, 5],
  [10, 2],
];
const ASKED = { query: "prefixes", columns: ["age", "pay"], corners: CORNERS };
const workloadOf = (...entries: unknown[]) => entries as [];
const countsOf = (rows: readonly (readonly unknown[])[]) =>
  CORNERS.map(([age, pay]) => rows.filter((row) => Number(row[0]) < age && Number(row[2]) < pay).length);

/** Almost no noise: σ is far below 1. */
const LOUD = { rho: 400, delta: 1e-9 };
const KEY = new Uint8Array(32).fill(7);

const schemaOf = () => standin.parseSchema({ fields: FIELDS });
const measured = async (options: object) => {
  const schema = schemaOf();
  const plan = standin.plan(schema, options);
  return standin.measure(standin.parseCsv(CSV, schema), plan, { seed: 1, unsafeNoiseKey: KEY });
};

describe("a plan", () => {
  it("prices free predicates by their number, after a total that measures the number of rows", () => {
    const { items, memory } = standin.plan(schemaOf(), { epsilon: 1, workload: workloadOf(ASKED) }).toJSON();
    expect(items).toMatchObject([
      { query: "total", columns: [], cells: 1, partitions: 1, free: 0, sensitivity: 1 },
      {
        query: "prefixes",
        columns: ["age", "pay"],
        corners: CORNERS,
        cells: 4,
        partitions: 0,
        free: 4,
        sensitivity: 2,
      },
    ]);
    const [total, prefixes] = items.map(({ rho }) => rho);
    expect(total / (total + prefixes)).toBeCloseTo(0.02, 6);
    expect(memory).toBeGreaterThan(0);
    expect(items[1]).toMatchObject({ noise: { sigma: expect.any(Number) } });
    expect(items[1]).not.toHaveProperty("noise.readableFrom");
  });

  it("counts a replaced row once for each predicate, and needs no total", () => {
    const options = {
      epsilon: 1,
      neighbours: "replace",
      publicRows: 300,
      workload: workloadOf(ASKED, ["sex"]),
    } as const;
    const { items } = standin.plan(schemaOf(), options).toJSON();
    expect(items).toMatchObject([
      { query: "prefixes", sensitivity: 2 },
      { query: "marginal", sensitivity: Math.SQRT2 },
    ]);
  });

  it("needs no total if a marginal sums to it", () => {
    const { items } = standin.plan(schemaOf(), { epsilon: 1, workload: workloadOf(["sex"], ASKED) }).toJSON();
    expect(items.map((item) => "query" in item && item.query)).toEqual(["marginal", "prefixes"]);
  });

  it("counts what its structure says, one more row at a time", () => {
    const { attributes } = schemaOf();
    const [query] = standin.workloadQueries(workloadOf(ASKED), schemaOf());
    const rows = Array.from({ length: 12 }, (_, row) => attributes.map(({ size }) => (row * row) % size));
    expectStructure(standin, query, attributes, rows);
    const halved = { ...standin, structureOf: () => ({ partitions: [{ shape: [4], isWhole: false }], free: 0 }) };
    expect(() => expectStructure(halved, query, attributes, rows)).toThrow();
  });

  it("is compared with the real table by its largest error", () => {
    const schema = schemaOf();
    const [real, none] = [CSV, `age,sex,pay\n${"9,F,4\n".repeat(10)}`].map((csv) => standin.parseCsv(csv, schema));
    const { meanTv, maxError, cells } = standin.nonPrivateQueryErrors(real, none, schema, workloadOf(ASKED));
    const shares = CORNERS.map(
      ([age, pay]) => ROWS.filter((row) => Number(row[0]) < age && Number(row[2]) < pay).length / ROWS.length,
    );
    const errors = shares.map((share, at) => Math.abs(share - Number(9 < CORNERS[at][0] && 4 < CORNERS[at][1])));
    expect(cells).toBe(4);
    expect(maxError).toBeCloseTo(Math.max(...errors), 12);
    expect(meanTv).toBe(maxError);
  });

  it("merges queries that are the same, and no others over the same columns", () => {
    const other = { ...ASKED, corners: CORNERS.slice(1) };
    const queries = standin.workloadQueries(workloadOf(ASKED, ["age", "pay"], other, { ...ASKED }), schemaOf());
    expect(queries.map(({ kind }) => kind)).toEqual(["prefixes", "marginal", "prefixes"]);
    expect(new Set(queries.map(standin.keyOf)).size).toBe(3);
  });

  it.each([
    [workloadOf({ ...ASKED, corners: [[11, 1]] }), {}, "workload/query", /whose corners are not codes of its columns/],
    [workloadOf({ ...ASKED, columns: ["age", "wage"] }), {}, "workload/unknown-column", /"wage"/],
    [workloadOf(["age"], { ...ASKED, query: "suffixes" }), {}, "workload/unknown", /Entry 2 .*"suffixes".*"prefixes"/],
    [workloadOf({ query: "prefixes", column: "age" }), {}, "workload/unknown", /Entry 1 .*"prefixes"/],
    [workloadOf({ query: "marginal", columns: ["age"] }), {}, "workload/unknown", /Entry 1 .*"marginal"/],
    [workloadOf({ ...ASKED, columns: ["pay", "age"] }), {}, "workload/query", /not in the schema's order/],
    [workloadOf(ASKED, ["age", "sex"]), { stages: 2 }, "options/stages", /other queries/],
    [workloadOf(ASKED, ["age", "sex"]), { selection: "aim" }, "options/selection", /other queries/],
  ])("refuses %j with %j", (workload, options, code, message) => {
    const refused = () => standin.plan(schemaOf(), { epsilon: 1, workload, ...(options as object) });
    expect(refused).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
  });
});

describe("a release", () => {
  it("holds the counts, charges the ledger, and is read back to the byte", async () => {
    const budget = new standin.Budget({ epsilon: 1000, delta: 1e-6, neighbours: "add-remove", unit: "row" });
    const schema = schemaOf();
    const plan = standin.plan(schema, { ...LOUD, workload: workloadOf(ASKED) });
    const release = await standin.measure(standin.parseCsv(CSV, schema), plan, {
      seed: 1,
      unsafeNoiseKey: KEY,
      budget,
    });
    expect(budget.toJSON().spent.map(({ rho }) => BigInt(rho))).toEqual([plan.ledger.charge]);
    expect(release.measurements.map(({ answers }) => [...answers])).toEqual([[300], countsOf(ROWS)]);
    const text = JSON.stringify(release);
    expect(JSON.stringify(standin.parseRelease(text))).toBe(text);
  });

  it.each([
    ["free", 3, /whose free predicates are not those of its query/],
    ["free", 0, /whose free predicates are not those of its query/],
    ["partitions", 4, /whose answers do not fit/],
    ["sensitivity", 1, /whose sensitivity is 1; .* give 2/],
    ["corners", [[1]], /whose corners are not codes/],
    ["corners", CORNERS.slice(1), /whose answers do not fit/],
  ])("is refused where %s is %j", async (member, value, message) => {
    const json = JSON.parse(JSON.stringify(await measured({ ...LOUD, workload: workloadOf(ASKED) })));
    json.items[1][member] = value;
    expect(() => standin.parseRelease(JSON.stringify(json))).toThrow(message);
  });

  it("takes N̂ only from queries that sum to it", async () => {
    const release = await measured({ epsilon: 2, workload: workloadOf(ASKED, ["sex"]) });
    const [, { answers }] = release.measurements;
    expect(release.facts.total).toBe(answers[0] + answers[1]);
  });
});

describe("rows", () => {
  it.each([{ method: "descent" }, { method: "paper" }])("answer like what was measured (%j)", async (search) => {
    const release = await measured({ ...LOUD, workload: workloadOf(ASKED, ["sex"]), search });
    const { table, outcome } = await standin.resample(release);
    const counts = countsOf([...table.rows()].map(({ age, sex, pay }) => [age, sex, pay]));
    // One-cell moves may stop one row away from it.
    for (const [at, answer] of release.measurements[0].answers.entries())
      expect(Math.abs(counts[at] - answer)).toBeLessThanOrEqual(1);
    expect(outcome.loss).toBeLessThan(outcome.startLoss / 100);
  });

  it.each(["DESCENT", "PAPER"] as const)("are searched with the loss of their definition (%s)", async (name) => {
    const { attributes } = schemaOf();
    const queries = standin.workloadQueries(
      workloadOf(ASKED, ["age", "pay"], ["age", "sex", "pay"], ["sex"]),
      schemaOf(),
    );
    const sizes = [4, 50, 100, 2];
    const targets = queries.map((query, at) => ({
      query,
      answers: Float64Array.from({ length: sizes[at] }, (_, cell) => (cell * 37) % 61),
    }));
    const uniform = attributes.map(({ size }, column) => ({ column, weights: new Float64Array(size).fill(1) }));
    const input = { attributes, targets, total: 90, rows: 90, seed: 3, start: uniform };
    const settings = name === "PAPER" ? { ...standin.PAPER, generations: 500 } : standin.DESCENT;
    const search = standin.searchRows({ ...input, settings } as Parameters<Exports["searchRows"]>[0]);
    let step = await search.next();
    while (!step.done) step = await search.next();
    const { codes, loss, startLoss } = step.value;
    const [age, sex, pay] = codes;
    const answers = [[0, 0, 0, 0], ...sizes.slice(1).map((size) => new Array<number>(size).fill(0))];
    for (let row = 0; row < 90; row++) {
      CORNERS.forEach(([a, p], at) => {
        answers[0][at] += Number(age[row] < a && pay[row] < p);
      });
      answers[1][age[row] * 5 + pay[row]]++;
      answers[2][(age[row] * 2 + sex[row]) * 5 + pay[row]]++;
      answers[3][sex[row]]++;
    }
    const squares = answers.flatMap((counts, at) =>
      counts.map((count, cell) => (count - targets[at].answers[cell]) ** 2),
    );
    expect(loss).toBe(squares.reduce((sum, square) => sum + square, 0));
    expect(loss).toBeLessThan(startLoss);
  });
});

describe("rounds", () => {
  const ROUNDS = { ...LOUD, selection: "l1", rounds: 2, workload: workloadOf(ASKED, ["age", "sex"], ["sex", "pay"]) };

  it("choose among them at the largest sensitivity, and a release of them is read back and resumed", async () => {
    const schema = schemaOf();
    const plan = standin.plan(schema, ROUNDS as never);
    const table = standin.parseCsv(CSV, schema);
    const kept: string[] = [];
    const onRound = (release: object) => void kept.push(JSON.stringify(release));
    const release = await standin.measure(table, plan, { seed: 1, unsafeNoiseKey: KEY, onRound });
    const choices = release.ledger.filter(({ kind }) => kind === "selection");
    expect(choices).toMatchObject([{ partitions: 0, free: 4, sensitivity: 4 }, { free: 4 }]);
    expect(release.ledger.some((item) => "query" in item && item.query === "prefixes")).toBe(true);
    const text = JSON.stringify(release);
    expect(JSON.stringify(standin.parseRelease(text))).toBe(text);
    const again = await standin.resume(table, standin.parseRelease(kept[1]), { unsafeNoiseKey: KEY });
    expect(again.items.length).toBe(release.items.length);
  });

  it("are refused if the choice states another structure", async () => {
    const json = JSON.parse(JSON.stringify(await measured(ROUNDS)));
    const at = json.items.findIndex(({ kind }: { kind: string }) => kind === "selection");
    for (const free of [3, 0, "4"]) {
      json.items[at].free = free;
      expect(() => standin.parseRelease(JSON.stringify(json))).toThrow(/not the most that its candidates have/);
    }
  });
});
