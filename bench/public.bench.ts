// What public rows are worth: Massachusetts 2019 is private, the national excerpt of the same year is public. It has
// the same columns but other places and other people. Distances over all pairs and over 50 triples, with and without
// public rows, and those of the public table itself.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { measure, parseCsv, parseSchema, plan, resample, type Table } from "../src/node.js";
import { nonPrivateQueryErrors } from "../src/owner.js";
import type { Report, Setting } from "./bench.js";
import { excerpt, mean, noiseKey } from "./tables.js";
import { seededTriples } from "./variants.js";

const EPSILONS = [0.05, 0.1, 0.3, 1, 3, 10];
const SEEDS = 3;
/** Public rows pay where the budget is small. Where it is large, they must cost next to nothing. */
const MOST = { small: 0.95, large: 1.03 };

export default async function publicRows(report: Report, { data }: Setting) {
  if (!data) return console.log("public skipped: STANDIN_DATA names no folder of tables.");
  const folder = join(data, "acs");
  const [real, known] = ["sdnist_ma2019", "sdnist_national2019"].map((name) => excerpt(folder, name));
  const schema = parseSchema(real.json);
  const [table, publicTable] = [real, known].map(({ path }) => parseCsv(readFileSync(path, "utf8"), schema));
  const workloads = { pairs: "2-way", triples: seededTriples(schema.attributes.map(({ name }) => name)) } as const;
  const distances = (rows: Table) =>
    Object.entries(workloads).map(([name, workload]) => ({
      name,
      tv: nonPrivateQueryErrors(table, rows, schema, workload).meanTv,
    }));
  for (const { name, tv } of distances(publicTable)) report({ metric: `public table itself, ${name}`, value: tv });
  for (const epsilon of EPSILONS) {
    const found = new Map<string, number[]>();
    for (let seed = 1; seed <= SEEDS; seed++)
      for (const rows of [undefined, publicTable]) {
        const planned = plan(schema, { epsilon, publicTable: rows });
        const release = await measure(table, planned, { seed, unsafeNoiseKey: noiseKey(seed) });
        const { table: made } = await resample(release, { publicTable: rows });
        for (const { name, tv } of distances(made)) {
          const key = `ε=${epsilon} ${rows ? "with" : "without"} ${name}`;
          found.set(key, [...(found.get(key) ?? []), tv]);
        }
      }
    for (const name of Object.keys(workloads)) {
      const [without, used] = ["without", "with"].map((how) => mean(found.get(`ε=${epsilon} ${how} ${name}`)!));
      report({ metric: `ε=${epsilon} ${name} without public rows`, value: without });
      report({ metric: `ε=${epsilon} ${name} with public rows`, value: used });
      const target = epsilon < 1 ? MOST.small : MOST.large;
      report({ metric: `ε=${epsilon} ${name} with / without`, value: used / without, target });
    }
  }
}
