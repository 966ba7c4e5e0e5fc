// Interactions through the door: what is counted, the noise that is paid for, and how they are stated.
import { describe, expect, it } from "vitest";
import { parseCsv, parseSchema, plan } from "../../src/node.js";
import { measurementItem, measurementItems, measurementJson, noiseJson, sigma2Of } from "../../src/privacy/items.js";
import type { Ledger } from "../../src/privacy/ledger.js";
import { keyOf, parseQuery, type Query } from "../../src/queries/query.js";
import { centredTable } from "../reference/centred.js";
import { groupSums } from "../reference/groups.js";
import { measureInThreads, measureItems } from "./door.js";

const column = (name: string, count: number) => ({
  ...{ name, type: "string" },
  constraints: { enum: Array.from({ length: count }, (_, at) => `${name}${at}`), required: true },
});
const SIZES = [2, 3, 5, 40];
const NAMES = ["a", "b", "c", "d"];
const schema = parseSchema({ fields: NAMES.map((name, at) => column(name, SIZES[at])) });
const codeOf = (row: number, at: number) => Math.floor((row * row * (at + 3)) / 7) % SIZES[at];
const ROWS = 3000;
const lineOf = (row: number) => NAMES.map((name, at) => name + codeOf(row, at)).join();
const csv = `${[NAMES.join(), ...Array.from({ length: ROWS }, (_, row) => lineOf(row))].join("\n")}\n`;

/** The true answers to an interaction. */
function answersTo({ columns, groups, centred }: Query): number[] {
  const sizes = columns.map((column) => SIZES[column]);
  const counts = Array<number>(sizes.reduce((product, size) => product * size, 1)).fill(0);
  for (let row = 0; row < ROWS; row++)
    counts[columns.reduce((cell, column) => cell * SIZES[column] + codeOf(row, column), 0)]++;
  const maps = groups ?? columns.map(() => null);
  const shape = maps.map((map, axis) => (map ? Math.max(...map) + 1 : sizes[axis]));
  return centredTable(
    shape,
    columns.map((_, axis) => centred?.[axis] ?? true),
    groupSums(sizes, maps, counts),
  );
}

const tens = Array.from({ length: 40 }, (_, code) => Math.floor(code / 10));
const QUERIES: Query[] = [
  { kind: "interaction", columns: [0, 1] },
  { kind: "interaction", columns: [2] },
  { kind: "interaction", columns: [0, 1, 2] },
  { kind: "interaction", columns: [0, 3], centred: [true, false] },
  { kind: "interaction", columns: [1, 2, 3], centred: [true, true, false] },
  { kind: "interaction", columns: [1, 3], groups: [null, tens] },
  { kind: "interaction", columns: [0, 3], groups: [null, tens], centred: [false, true] },
];
/** What a row adds to the squares, ÷ the square of what a row counts for. */
const COSTS = [1 / 3, 0.8, 4 / 15, 0.5, 8 / 15, 0.5, 0.75];

const rich = plan(schema, { rho: 1, workload: "1-way", stages: 1 });
const itemsOf = (of: Pick<Ledger, "neighbours" | "unit" | "budget">, queries = QUERIES) =>
  measurementItems(queries, () => of.budget / BigInt(queries.length), { schema, ...of });

describe("interactions", () => {
  it("are centred counts, with the noise that their price buys", async () => {
    const items = itemsOf(rich.ledger);
    const ledger = { ...rich.ledger, items };
    const table = parseCsv(csv, schema);
    const key = new Uint8Array(32).fill(3);
    const answers = await measureItems(table, schema, ledger, { unsafeNoiseKey: key });
    expect(await measureInThreads(2, table, schema, ledger, key)).toEqual(answers);
    let [squares, cells] = [0, 0];
    for (const [at, query] of QUERIES.entries()) {
      const truth = answersTo(query);
      expect(answers[at]).toHaveLength(truth.length);
      for (const [cell, answer] of answers[at].entries()) squares += (answer - truth[cell]) ** 2 / sigma2Of(items[at]);
      cells += truth.length;
    }
    expect(Math.abs(squares / cells - 1)).toBeLessThan(5 * Math.sqrt(2 / cells));
  });

  it("cost less than tables with the same noise", () => {
    const items = itemsOf(rich.ledger);
    for (const [at, item] of items.entries()) {
      const json = measurementJson(item, schema);
      const table = measurementItem({ kind: "marginal", columns: QUERIES[at].columns }, item.share, {
        schema,
        ...rich.ledger,
      });
      const [noise, ofTable] = [json, measurementJson(table, schema)].map((of) => noiseJson(of, ROWS).sigma ** 2);
      expect(noise / ofTable).toBeCloseTo(COSTS[at], 5);
    }
  });

  it("of replaced rows cost what two rows can differ by", () => {
    const { ledger } = plan(schema, { epsilon: 1, neighbours: "replace", publicRows: ROWS, workload: "1-way" });
    // (r e − 1) ⊗ (s f − 1): 2 · (6 · 2 + 2 · 6) where the rows differ in the first column alone.
    expect(itemsOf(ledger, QUERIES.slice(0, 1))[0].noise.delta2).toBe(48n);
  });
});

describe("statements of interactions", () => {
  const read = (json: object, columns: readonly number[]) =>
    parseQuery({ query: "interaction", ...json }, columns, schema);

  it("are read as they were written", () => {
    for (const query of QUERIES) {
      const { query: kind, columns: _, ...json } = measurementJson(itemsOf(rich.ledger, [query])[0], schema);
      const stated = JSON.parse(JSON.stringify({ ...json, query: kind }));
      expect(keyOf(parseQuery(stated, query.columns, schema) as Query)).toBe(keyOf(query));
    }
    expect(new Set(QUERIES.map(keyOf)).size).toBe(QUERIES.length);
  });

  it.each([
    [{}, [2, 3, 1]],
    [{}, [1, 2, 3]],
    [{ centred: [true, true] }, [0, 1]],
    [{ centred: [false, false] }, [0, 1]],
    [{ centred: [true] }, [0, 1]],
    [{ centred: [1, 0] }, [0, 1]],
    [{ centred: "no" }, [0, 1]],
    [{ groups: [null, Array(40).fill(0)] }, [0, 3]],
    [{ groups: [null] }, [0, 3]],
    [{}, []],
  ])("that no plan makes are refused: %j of %j", (json, columns) => {
    expect(read(json, columns)).toEqual(expect.any(String));
  });
});
