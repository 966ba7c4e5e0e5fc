import { describe, expect, it } from "vitest";
import type { Release } from "../../src/node.js";
import { type PlanOptions, parseCsv, parseRelease, parseSchema, plan, resume, synthesize } from "../../src/node.js";
import { paritySchema, parityTable } from "../parity.js";

const field = (name: string, size: number) => ({
  name,
  type: "integer",
  constraints: { minimum: 0, maximum: size - 1, required: true },
});
const SIZES = { a: 2, b: 3, c: 5, d: 40 };
const schema = parseSchema({ fields: Object.entries(SIZES).map(([name, size]) => field(name, size)) });
const numbers = parseSchema({ fields: [field("a", 2), field("b", 3), field("n", 100_000)] });
const wide = parseSchema({ fields: Array.from({ length: 12 }, (_, at) => field(`c${at}`, 12)) });
const KNOWN = { neighbours: "replace", publicRows: 50_000, delta: 1e-9, mechanism: "auto" } as const;
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, row) => Object.values(SIZES).map((size) => row % size)).map((row) => row.join());
const table = parseCsv(`a,b,c,d\n${rowsOf(400).join("\n")}\n`, schema);

const pickedBy = (options: PlanOptions, by = schema) => plan(by, { ...KNOWN, ...options }).mechanism;

describe("auto picks", () => {
  it.each([
    ["private-gsd", "pairs", { epsilon: 1, workload: "2-way" }],
    ["pgm", "triples that are little noise", { epsilon: 1, workload: "3-way" }],
    ["aim", "triples that would be mostly noise", { epsilon: 0.03, workload: "3-way" }],
    ["private-gsd", "a large budget", { epsilon: 10, workload: "3-way" }],
    ["private-gsd", "public rows", { epsilon: 1, workload: "3-way", publicTable: table }],
    ["private-gsd", "a target", { epsilon: 1, workload: "3-way", target: "a" }],
    ["private-gsd", "other queries", { epsilon: 1, workload: "3-way", queries: [{ expression: "a == 1" }] }],
  ] satisfies [string, string, PlanOptions][])("%s for %s", (name, _, options) => {
    expect(pickedBy(options)).toBe(name);
  });

  it("private-gsd for columns with trees, and where a graphical model would be too large", () => {
    expect(pickedBy({ epsilon: 1, workload: "3-way" }, numbers)).toBe("private-gsd");
    expect(pickedBy({ epsilon: 4, workload: "3-way" }, wide)).toBe("private-gsd");
  });

  it("by the noise of the whole workload, wherever that comes from", () => {
    const options = { epsilon: 0.2, workload: "3-way" } as const;
    expect(pickedBy(options)).toBe("pgm");
    expect(pickedBy({ ...options, publicRows: 5000 })).toBe("aim");
  });
});

describe("what auto picked", () => {
  const options = { epsilon: 1, workload: "3-way", mechanism: "auto" } as const;

  it("is what naming it gives, with the reason", () => {
    const planned = plan(schema, options).toJSON();
    const { auto, ...rest } = planned;
    expect(auto).toMatch(/graphical model/);
    expect(rest).toEqual(plan(schema, { ...options, mechanism: planned.mechanism }).toJSON());
  });

  it("is in the release, which rows are made from without the rule", async () => {
    const release = await synthesize(table, plan(schema, options), { seed: 1 });
    const read = parseRelease(JSON.stringify(release));
    expect(read.facts).toMatchObject({ mechanism: "pgm", auto: expect.stringMatching(/graphical model/) });
    const json = JSON.parse(JSON.stringify(release));
    expect(() => parseRelease(JSON.stringify({ ...json, auto: 1 }))).toThrow(/why its mechanism was picked/);
  });

  it("is resumed", async () => {
    const begun: string[] = [];
    const onRound = (unfinished: Release) => void begun.push(JSON.stringify(unfinished));
    const planned = plan(schema, { ...options, epsilon: 0.03 });
    expect(planned.mechanism).toBe("aim");
    await synthesize(table, planned, { seed: 1, onRound });
    const finished = await resume(table, parseRelease(begun[1]));
    expect(finished.facts).toMatchObject({ mechanism: "aim", auto: planned.facts.auto });
  });
});

describe("where a request states a budget only", () => {
  const binary = paritySchema(10);
  const chosenBy = (by: typeof schema, options: PlanOptions = {}) => {
    const { mechanism, problem } = plan(by, { epsilon: 1, ...options });
    return `${mechanism} ${Math.max(...problem.workload.map(({ columns }) => columns.length))}`;
  };
  const sized = (size: number, columns: number) =>
    parseSchema({ fields: Array.from({ length: columns }, (_, at) => field(`c${at}`, size)) });

  it.each([
    ["aim 4", "binary columns", binary, {}],
    ["aim 4", "binary columns at a small ε", binary, { epsilon: 0.01 }],
    ["aim 4", "the rule by its name", binary, { mechanism: "auto" }],
    ["aim 4", "a workload without a value", binary, { workload: undefined }],
    ["aim 3", "columns of five codes at a small ε", sized(5, 10), { epsilon: 0.1 }],
    ["aim 4", "columns of five codes", sized(5, 10), {}],
    ["aim 3", "many sets of four columns", sized(2, 30), {}],
    ["private-gsd 2", "many sets of three columns", sized(2, 60), {}],
    ["private-gsd 2", "columns of seven codes", sized(7, 10), {}],
    ["private-gsd 2", "five columns", sized(2, 5), {}],
    [
      "private-gsd 2",
      "a column with a tree",
      parseSchema({ fields: [...Array.from({ length: 9 }, (_, at) => field(`c${at}`, 2)), field("n", 100_000)] }),
      {},
    ],
    ["private-gsd 2", "pairs that are asked for", binary, { workload: "2-way" }],
    ["private-gsd 2", "more queries", binary, { queries: [{ expression: "y == 1" }] }],
    ["private-gsd 3", "a target", binary, { target: "y" }],
    ["private-gsd 2", "the mechanism by its name", binary, { mechanism: "private-gsd" }],
    ["private-gsd 2", "an option of it", binary, { estimate: "raw" }],
    ["private-gsd 2", "persons", parseSchema({ ...binary.toJSON(), standin: { unit: { maxRows: 3 } } }), {}],
  ] satisfies [string, string, typeof schema, PlanOptions][])("%s for %s", (expected, _, by, options) => {
    expect(chosenBy(by, options)).toBe(expected);
  });

  it("leaves misspelt options to those who know them", () => {
    expect(() => plan(binary, { epsilom: 1 } as PlanOptions)).toThrow(/epsilom/);
  });

  it("says what was picked and why, in plan and release, which is resumed", async () => {
    const rows = parityTable(binary, 500, 2);
    const planned = plan(binary, { epsilon: 1 });
    const { items, rule, auto } = planned.toJSON();
    expect(auto).toMatch(/few values, so that sets of four columns/);
    expect(rule).toMatch(/^15 rounds, each with the same noise/);
    const begun: string[] = [];
    const onRound = (unfinished: Release) => void begun.push(JSON.stringify(unfinished));
    const release = await synthesize(rows, planned, { seed: 1, onRound });
    expect(parseRelease(JSON.stringify(release)).facts).toMatchObject({ mechanism: "aim", auto });
    const measured = release.items.filter((entry) => "measurement" in entry);
    expect(measured).toHaveLength(10 + 15);
    expect(items).toHaveLength(10 + 2);
    const finished = await resume(rows, parseRelease(begun.at(-1)!));
    expect(finished.facts).toMatchObject({ mechanism: "aim", auto });
  });
});

it("auto takes no option of any mechanism", () => {
  const refused = () => plan(schema, { ...KNOWN, epsilon: 1, rounds: 3 });
  expect(refused).toThrow(/auto has no option "rounds"\. These have: private-gsd, /);
});
