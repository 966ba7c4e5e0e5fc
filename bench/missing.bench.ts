// How well the pattern of missing cells is preserved: NIST's national 2019 excerpt with its N's, all pairs, ε = 3, δ =
// 1e-9, add-remove.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { measure, parseCsv, parseSchema, plan, resample, type Table } from "../src/node.js";
import type { Report, Setting } from "./bench.js";
import { excerpt, mean, noiseKey } from "./tables.js";

const SEEDS = 3;

export default async function missing(report: Report, { data }: Setting) {
  if (!data) return console.log("missing skipped: STANDIN_DATA names no folder of tables.");
  const { path, json } = excerpt(join(data, "acs"), "sdnist_national2019");
  const schema = parseSchema(json);
  const table = parseCsv(readFileSync(path, "utf8"), schema);
  const gappy = schema.attributes.filter(({ missing }) => missing).map(({ name }) => name);
  const planned = plan(schema, { epsilon: 3, delta: 1e-9 });
  const distances: number[] = [];
  for (let seed = 0; seed < SEEDS; seed++) {
    const release = await measure(table, planned, { seed, unsafeNoiseKey: noiseKey(seed) });
    distances.push(flagDistance(table, (await resample(release)).table, gappy));
  }
  report({ metric: "mean 2-way TV of missing flags", value: mean(distances), target: 0.01 });
}

/**
 * The mean total variation distance of the 2 × 2 tables "missing or not", over all pairs of columns that can be
 * missing.
 */
function flagDistance(real: Table, synthetic: Table, columns: readonly string[]): number {
  const [one, other] = [real, synthetic].map((table) =>
    columns.map((name) => table.column(name).map((value) => value === null)),
  );
  const pairs = columns.flatMap((_, a) => columns.slice(a + 1).map((_, b) => [a, a + 1 + b]));
  return mean(pairs.map(([a, b]) => variation(shares(one[a], one[b]), shares(other[a], other[b]))));
}

function shares(one: readonly boolean[], other: readonly boolean[]): number[] {
  const counts = [0, 0, 0, 0];
  one.forEach((flag, row) => {
    counts[2 * Number(flag) + Number(other[row])]++;
  });
  return counts.map((count) => count / one.length);
}

const variation = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, share, cell) => sum + Math.abs(share - other[cell]), 0) / 2;
