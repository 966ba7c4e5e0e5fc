// What `--mechanism auto` picks, against the mechanisms that it picks among: mean total variation distances over the
// workload on tables of several shapes, replace, δ = 1/n², two seeds. No more than 3 % above the best is the aim.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import * as standin from "../src/node.js";
import { nonPrivateQueryErrors } from "../src/owner.js";
import type { Report, Setting } from "./bench.js";
import { codedTable, mean, NATIONAL_SEVEN, noiseKey, reducedAdult } from "./tables.js";

const SEEDS = 2;
const AMONG = ["private-gsd", "aim", "pgm"];
/** AIM takes minutes on many columns where ε is larger. */
const EPSILONS = { few: [0.1, 0.3, 1, 3, 10], many: [0.1, 1] };
const MOST = 1.03;

interface Case {
  readonly schema: standin.Schema;
  readonly table: standin.Table;
  readonly workload: standin.Workload;
  readonly size?: keyof typeof EPSILONS;
}

function casesOf(data: string): Record<string, Case> {
  const seven = reducedAdult(data);
  const adult = (columns?: string[]) => codedTable(join(data, "adult"), "adult_13", columns);
  const national = (columns?: readonly string[]) => codedTable(join(data, "acs"), "national2019_coded", columns);
  const four = ["sex", "income>50K", "marital-status", "age_10"];
  const parts = [
    ["sex", "race", "marital-status"],
    ["income>50K", "occupation"],
    ["education-num", "age_10"],
  ];
  return {
    "adult 4, triples": { ...adult(four), workload: "3-way" },
    "adult 4, all": { ...adult(four), workload: [four] },
    "adult 7, pairs": { ...seven, workload: "2-way" },
    "adult 7, triples": { ...seven, workload: "3-way" },
    "adult 7, quads": { ...seven, workload: "4-way" },
    "adult 7, parts": { ...seven, workload: parts },
    "national 7, triples": { ...national(NATIONAL_SEVEN), workload: "3-way" },
    "titanic 9, pairs": { ...codedTable(join(data, "dpbench"), "titanic_coded"), workload: "2-way" },
    "stroke 16 binary, pairs": { ...binaryStroke(data), workload: "2-way" },
    "stroke 16 binary, triples": { ...binaryStroke(data), workload: "3-way" },
    "adult 13, pairs": { ...adult(), workload: "2-way", size: "many" },
    "adult 13, triples": { ...adult(), workload: "3-way", size: "many" },
    "national 21, pairs": { ...national(), workload: "2-way", size: "many" },
  };
}

/** Sixteen columns of the International Stroke Trial that have two codes. */
function binaryStroke(data: string): Pick<Case, "schema" | "table"> {
  const folder = join(data, "dpbench");
  const domain: Record<string, number> = JSON.parse(readFileSync(join(folder, "stroke-domain.json"), "utf8"));
  const names = Object.keys(domain).filter((name) => domain[name] === 2);
  const constraints = { minimum: 0, maximum: 1, required: true };
  const schema = standin.parseSchema({
    fields: names.slice(0, 16).map((name) => ({ name, type: "integer", constraints })),
  });
  const text = gunzipSync(readFileSync(join(folder, "stroke.csv.gz"))).toString();
  return { schema, table: standin.parseCsv(text, schema) };
}

export default async function auto(report: Report, { data, folder }: Setting) {
  if (!data) return console.log("auto skipped: STANDIN_DATA names no folder of tables.");
  const lines: string[] = [];
  for (const [name, { schema, table, workload, size = "few" }] of Object.entries(casesOf(data)))
    for (const epsilon of EPSILONS[size]) {
      const planned = (mechanism: string) => {
        const known = { neighbours: "replace", publicRows: table.length, delta: "1/n2" } as const;
        return standin.plan(schema, { ...known, epsilon, workload, mechanism });
      };
      const found = new Map<string, number>();
      for (const mechanism of AMONG) {
        const used = unlessTooLarge(() => planned(mechanism));
        if (!used) continue;
        const distances: number[] = [];
        for (let seed = 1; seed <= SEEDS; seed++) {
          const release = await standin.measure(table, used, { seed, unsafeNoiseKey: noiseKey(seed) });
          const { table: made } = await standin.resample(release);
          distances.push(nonPrivateQueryErrors(table, made, schema, workload).meanTv);
        }
        found.set(mechanism, mean(distances));
        report({ metric: `${name} ε=${epsilon} ${mechanism}`, value: found.get(mechanism)! });
      }
      const picked = planned("auto").mechanism;
      const ratio = found.get(picked)! / Math.min(...found.values());
      report({ metric: `${name} ε=${epsilon} auto (${picked}) / best`, value: ratio, target: MOST });
      const values = AMONG.map((mechanism) => found.get(mechanism)?.toPrecision(3) ?? "");
      lines.push([name.replace(",", ""), epsilon, ...values, picked, ratio.toPrecision(3)].join());
      writeFileSync(join(folder, "auto.csv"), `case,epsilon,${AMONG},auto,ratio\n${lines.join("\n")}\n`);
    }
}

/** Graphical models of many columns are refused. */
function unlessTooLarge(planned: () => standin.Plan): standin.Plan | undefined {
  try {
    return planned();
  } catch (error) {
    if (error instanceof standin.StandinError && error.code === "options/megabytes") return;
    throw error;
  }
}
