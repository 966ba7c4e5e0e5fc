// Compares variants of a release: how close the rows come to tables of any two and three columns, and how long it
// takes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { measure, type PlanOptions, plan, resample, type Schema, type Table, toCsv } from "../src/node.js";
import { nonPrivateQueryErrors } from "../src/owner.js";
import type { Report } from "./bench.js";
import { dotPlot } from "./plot.js";
import { mean, noiseKey } from "./tables.js";

/** `independent`: no column depends on any other, and the whole budget is spent on one-way marginals. */
export const VARIANTS = {
  default: {},
  raw: { estimate: "raw" },
  "one stage": { stages: 1 },
  adaptive: { selection: "max" },
  aim: { selection: "aim" },
  independent: { workload: "1-way" },
} satisfies Record<string, PlanOptions>;
export type Variant = keyof typeof VARIANTS;
const ALL_VARIANTS = Object.keys(VARIANTS) as Variant[];

/** A table used by a bench. */
export interface Subject {
  readonly name: string;
  readonly schema: Schema;
  /** Reads the table from its file. */
  readonly read: () => Table;
}

/**
 * The result of one variant on one table at one ε: mean total variation distances over all pairs, and over 50 triples.
 */
export interface Row {
  readonly table: string;
  readonly epsilon: number;
  readonly variant: Variant;
  readonly pairs: number;
  readonly triples: number;
  /** The time of the slowest run, from reading the file to the text of the synthetic table. */
  readonly seconds: number;
}

const SEEDS = 3;
const TRIPLES = 50;
const ORDERS = { "2-way": "pairs", "3-way": "triples" } as const;

/** Compares all variants on tables at several ε, reports the rows and stores them under `name`. */
export async function compareAll(
  report: Report,
  { folder, name }: { folder: string; name: string },
  subjects: readonly Subject[],
  epsilons: readonly number[],
  boundsOf: (table: string, epsilon: number) => Bounds,
): Promise<void> {
  const kept: Row[] = [];
  for (const subject of subjects)
    for (const epsilon of epsilons) {
      const rows = await compared(subject, epsilon, ALL_VARIANTS);
      reportRows(report, rows, boundsOf(subject.name, epsilon));
      kept.push(...rows);
    }
  keepRows(folder, name, kept);
}

/** All requested variants on one table at one ε: add-remove, δ = 1e-9, N̂ rows, mean over three noise seeds. */
export async function compared(
  { name, schema, read }: Subject,
  epsilon: number,
  variants: readonly Variant[],
): Promise<Row[]> {
  const triples = seededTriples(schema.attributes.map((attribute) => attribute.name));
  const rows: Row[] = [];
  for (const variant of variants) {
    const planned = plan(schema, { epsilon, delta: 1e-9, ...VARIANTS[variant] });
    const distances: { pairs: number; triples: number }[] = [];
    let seconds = 0;
    for (let seed = 0; seed < SEEDS; seed++) {
      const start = performance.now();
      const table = read();
      const made = await resample(await measure(table, planned, { seed, unsafeNoiseKey: noiseKey(seed) }));
      toCsv(made.table);
      seconds = Math.max(seconds, (performance.now() - start) / 1000);
      const tv = (workload: "2-way" | string[][]) => nonPrivateQueryErrors(table, made.table, schema, workload).meanTv;
      distances.push({ pairs: tv("2-way"), triples: tv(triples) });
    }
    rows.push({
      ...{ table: name, epsilon, variant, seconds },
      pairs: mean(distances.map(({ pairs }) => pairs)),
      triples: mean(distances.map(({ triples }) => triples)),
    });
  }
  return rows;
}

/** The bounds that the default has to meet on one table at one ε. */
export interface Bounds {
  readonly pairs?: number;
  readonly triples?: number;
  readonly seconds?: number;
  /** The most by which the default may exceed the best of all variants, and one of them in particular, as a factor. */
  readonly best?: number;
  readonly over?: { readonly variant: Variant; readonly factor: number };
}

/** Reports the rows of one table at one ε. */
export function reportRows(report: Report, rows: readonly Row[], bounds: Bounds = {}): void {
  const made = rows.find(({ variant }) => variant === "default")!;
  const name = `${made.table} ε=${made.epsilon}`;
  for (const [order, key] of Object.entries(ORDERS)) {
    for (const row of rows)
      report({
        metric: `${name} ${order} TV, ${row.variant}`,
        value: row[key],
        target: row === made ? bounds[key] : undefined,
      });
    if (bounds.best)
      report({
        metric: `${name} ${order} default / best`,
        value: made[key] / Math.min(...rows.map((row) => row[key])),
        target: bounds.best,
      });
    if (!bounds.over) continue;
    const { variant, factor } = bounds.over;
    const other = rows.find((row) => row.variant === variant)!;
    report({ metric: `${name} ${order} default / ${variant}`, value: made[key] / other[key], target: factor });
  }
  report({ metric: `${name} s`, value: made.seconds, target: bounds.seconds });
}

/** Stores a bench's rows next to it, as NAME.csv, and as a plot in NAME.svg. */
export function keepRows(folder: string, name: string, rows: readonly Row[]): void {
  const lines = rows.map(({ table, epsilon, variant, pairs, triples, seconds }) =>
    [table, epsilon, variant, pairs.toFixed(5), triples.toFixed(5), seconds.toFixed(2)].join(),
  );
  writeFileSync(join(folder, `${name}.csv`), `table,epsilon,variant,tv_2way,tv_3way,seconds\n${lines.join("\n")}\n`);
  const panels = Object.entries(ORDERS).map(([order, key]) => ({
    title: `${order}: mean total variation distance`,
    dots: rows.map((row) => ({ line: `${row.table} ε=${row.epsilon}`, series: row.variant, value: row[key] })),
  }));
  writeFileSync(
    join(folder, `${name}.svg`),
    dotPlot(`${name}: total variation distances, by variant`, panels, Object.keys(VARIANTS)),
  );
}

/** Sets of three columns from a linear congruential generator, so that everyone compares the same sets. */
export function seededTriples(names: readonly string[]): string[][] {
  let state = 7;
  const below = (bound: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
  const triples = new Map<string, string[]>();
  while (triples.size < TRIPLES) {
    const columns = [...new Set([0, 0, 0].map(() => below(names.length)))].sort((a, b) => a - b);
    if (columns.length === 3)
      triples.set(
        columns.join(),
        columns.map((column) => names[column]),
      );
  }
  return [...triples.values()];
}
