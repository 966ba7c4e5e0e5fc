// What public rows are worth to densities. There is no national excerpt of 2018 to go with that of 2019. In its place:
// Massachusetts 2019 is private and the national excerpt of the same year public, without PUMA and with numbers in 16
// bins; and a random half of the national excerpt is private and the other half public, which is as close to it as
// another year would be (the excerpt of 2018 is said to be at .0234). All combinations of the codes of all columns
// would be far too many, so the versions without public rows run on seven columns, and those with public rows on these
// seven and on all. Distances over all pairs, which are also the workload; those of the public table itself are what
// public rows have to beat. Replace, δ = 1/n². Halves differ by so little that small budgets hardly find any of it, so
// figures with public rows are means of twelve seeds: at ε = .05, they are 0.2 % below the public table itself, with a
// standard deviation of 0.4 %. The others are of three.
//
// Weights start equal for all public rows. PEP-Pub's published code starts with equal weights for all *different* ones,
// which forgets how often a row occurs: at ε = .05, that alone is at .175 on seven columns of the halves.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  measure,
  type PlanOptions,
  parseCsv,
  parseSchema,
  plan,
  resample,
  type Schema,
  type Table,
} from "../src/node.js";
import { nonPrivateQueryErrors } from "../src/owner.js";
import type { Report, Setting } from "./bench.js";
import { excerpt, mean, NATIONAL_SEVEN, nationalHalves, noiseKey } from "./tables.js";

const EPSILONS = [0.05, 0.1, 0.25, 1];
const SEEDS = { given: 12, without: 3 };
const BINS = 16;
const NEIGHBOURS = { neighbours: "replace", delta: "1/n2" } as const;
/** The places of one table are none of the other's, so no weights of public rows could tell them apart. */
const PLACE = "PUMA";
/** By a mechanism with public rows, the one without. */
const VERSIONS = { "pmw-pub": "mwem-past", "pep-pub": "pep" };

type Field = { readonly name: string; readonly type: string; readonly standin?: object };

interface Case {
  readonly schema: Schema;
  readonly table: Table;
  readonly publicTable: Table;
}

function massachusetts(data: string): Case {
  const [real, known] = ["sdnist_ma2019", "sdnist_national2019"].map((name) => excerpt(join(data, "acs"), name));
  const fields = (real.json.fields as Field[]).map((field) => {
    if (field.name === PLACE) return { ...field, standin: { role: "drop" } };
    return field.type === "string" ? field : { ...field, standin: { ...field.standin, bins: BINS } };
  });
  const schema = parseSchema({ ...real.json, fields });
  const [table, publicTable] = [real, known].map(({ path }) => parseCsv(readFileSync(path, "utf8"), schema));
  return { schema, table, publicTable };
}

const pairsOf = (columns: readonly string[]) =>
  columns.flatMap((a, at) => columns.slice(at + 1).map((b): readonly string[] => [a, b]));

export default async function pmwPub(report: Report, { data }: Setting) {
  if (!data) return console.log("pmw-pub skipped: STANDIN_DATA names no folder of tables.");
  const cases = { Massachusetts: massachusetts(data), halves: nationalHalves(data) };
  for (const [which, { schema, table, publicTable }] of Object.entries(cases)) {
    const workloads = {
      "7 columns": pairsOf(NATIONAL_SEVEN),
      "all columns": pairsOf(schema.attributes.map(({ name }) => name)),
    };
    for (const [what, workload] of Object.entries(workloads)) {
      const distance = (rows: Table) => nonPrivateQueryErrors(table, rows, schema, workload).meanTv;
      const itself = distance(publicTable);
      report({ metric: `${which}: public table itself, ${what}`, value: itself });
      for (const epsilon of EPSILONS) {
        const found = async (options: PlanOptions) => {
          const planned = plan(schema, { ...NEIGHBOURS, publicRows: table.length, epsilon, workload, ...options });
          const seeds = options.publicTable ? SEEDS.given : SEEDS.without;
          const distances: number[] = [];
          const start = performance.now();
          for (let seed = 1; seed <= seeds; seed++) {
            const release = await measure(table, planned, { seed, unsafeNoiseKey: noiseKey(seed) });
            const { table: made } = await resample(release, { publicTable: options.publicTable });
            distances.push(distance(made));
          }
          return { tv: mean(distances), seconds: (performance.now() - start) / 1000 / seeds };
        };
        const gsd = await found({ publicTable });
        report({ metric: `${which} ε=${epsilon} ${what}, private-gsd with public rows`, value: gsd.tv });
        for (const [withRows, without] of Object.entries(VERSIONS)) {
          const metric = `${which} ε=${epsilon} ${what}, ${withRows}`;
          const used = await found({ mechanism: withRows, publicTable });
          report({ metric, value: used.tv, target: itself });
          report({ metric: `${metric}, s`, value: used.seconds });
          // The whole domain of all columns is out of reach, and that of private-gsd's rows is not.
          const other = what === "7 columns" ? without : "private-gsd";
          const { tv } = await found({ mechanism: other });
          report({ metric: `${metric} / ${other}`, value: used.tv / tv, target: 1 });
        }
      }
    }
  }
}
