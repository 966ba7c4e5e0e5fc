// What public rows are worth to densities: Massachusetts 2019 is private, the national excerpt of the same year is
// public. All combinations of the codes of 23 columns would be far too many, so the versions without public rows run on
// seven columns, and those with public rows on these seven and on all. Distances over all pairs, which are also the
// workload; those of the public table itself are what public rows have to beat. Numbers are in 16 bins. Replace,
// δ = 1/n².
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { measure, type PlanOptions, parseCsv, parseSchema, plan, resample, type Table } from "../src/node.js";
import { nonPrivateQueryErrors } from "../src/owner.js";
import type { Report, Setting } from "./bench.js";
import { excerpt, mean, NATIONAL_SEVEN, noiseKey } from "./tables.js";

const EPSILONS = [0.05, 0.1, 0.25];
const SEEDS = 3;
const BINS = 16;
const NEIGHBOURS = { neighbours: "replace", delta: "1/n2" } as const;
/** The places of one table are none of the other's, so no weights of public rows could tell them apart. */
const PLACE = "PUMA";
/** By a mechanism with public rows, the one without. */
const VERSIONS = { "pmw-pub": "mwem-past", "pep-pub": "pep" };

type Field = { readonly name: string; readonly type: string; readonly standin?: object };

export default async function pmwPub(report: Report, { data }: Setting) {
  if (!data) return console.log("pmw-pub skipped: STANDIN_DATA names no folder of tables.");
  const folder = join(data, "acs");
  const [real, known] = ["sdnist_ma2019", "sdnist_national2019"].map((name) => excerpt(folder, name));
  const fields = (real.json.fields as Field[]).map((field) => {
    if (field.name === PLACE) return { ...field, standin: { role: "drop" } };
    return field.type === "string" ? field : { ...field, standin: { ...field.standin, bins: BINS } };
  });
  const schema = parseSchema({ ...real.json, fields });
  const [table, publicTable] = [real, known].map(({ path }) => parseCsv(readFileSync(path, "utf8"), schema));
  const pairs = (columns: readonly string[]) =>
    columns.flatMap((a, at) => columns.slice(at + 1).map((b): readonly string[] => [a, b]));
  const workloads = {
    "7 columns": pairs(NATIONAL_SEVEN),
    "all columns": pairs(schema.attributes.map(({ name }) => name)),
  };
  const distance = (rows: Table, workload: readonly (readonly string[])[]) =>
    nonPrivateQueryErrors(table, rows, schema, workload).meanTv;
  for (const [what, workload] of Object.entries(workloads)) {
    const itself = distance(publicTable, workload);
    report({ metric: `public table itself, ${what}`, value: itself });
    for (const epsilon of EPSILONS)
      for (const [withRows, without] of Object.entries(VERSIONS)) {
        const found = async (options: PlanOptions) => {
          const planned = plan(schema, { ...NEIGHBOURS, publicRows: table.length, epsilon, workload, ...options });
          const distances: number[] = [];
          const start = performance.now();
          for (let seed = 1; seed <= SEEDS; seed++) {
            const release = await measure(table, planned, { seed, unsafeNoiseKey: noiseKey(seed) });
            const { table: made } = await resample(release, { publicTable: options.publicTable });
            distances.push(distance(made, workload));
          }
          return { tv: mean(distances), seconds: (performance.now() - start) / 1000 / SEEDS };
        };
        const metric = `${withRows} ε=${epsilon} ${what}`;
        const used = await found({ mechanism: withRows, publicTable });
        report({ metric: `${metric}, mean TV`, value: used.tv, target: itself });
        report({ metric: `${metric}, s`, value: used.seconds });
        // The whole domain of all columns is out of reach, and that of private-gsd's rows is not.
        const isFew = workload.length === pairs(NATIONAL_SEVEN).length;
        const { tv } = await found({ mechanism: isFew ? without : "private-gsd" });
        report({ metric: `${metric} / ${isFew ? without : "private-gsd"}`, value: used.tv / tv, target: 1 });
      }
  }
}
