// FEM and DualQuery on the 64 sets of three columns of Adult; and their default numbers of choices, compared with half
// as many and twice as many, on these, on all 35 sets of three of seven columns of Adult, and on 50 sets of three of
// the national excerpt. Replace, δ = 1/n², three seeds; largest errors of single runs differ by some 15 %.
import { join } from "node:path";
import { type PlanOptions, plan, type Schema, type Table, type Workload } from "../src/node.js";
import { adult64 } from "./adult-64.js";
import type { Report, Setting } from "./bench.js";
import { tried } from "./rounds.js";
import { codedTable, reducedAdult } from "./tables.js";
import { seededTriples } from "./variants.js";

/** By ε, the largest error of FEM's published code (means of five runs). */
const FEM = { 0.1: 0.172, 0.15: 0.134, 0.2: 0.113, 0.25: 0.106, 0.5: 0.078, 1: 0.076 };
const SEEDS = 3;
const MECHANISMS = ["fem", "dual-query"];
const EPSILONS = [0.1, 0.25, 1];
const FACTORS = [0.5, 2];

interface Case {
  readonly schema: Schema;
  readonly table: Table;
  readonly workload: Workload;
}

export default async function fem(report: Report, { data }: Setting) {
  if (!data) return console.log("fem skipped: STANDIN_DATA names no folder of tables.");
  const adult = adult64(data);
  for (const [mechanism, targets] of [
    ["fem", FEM],
    ["dual-query", { 1: undefined }],
  ] as const)
    for (const [epsilon, target] of Object.entries(targets)) {
      const { schema, table, workload } = adult;
      const found = await tried(schema, table, { mechanism, workload, epsilon: Number(epsilon) }, SEEDS);
      const metric = `${mechanism} ε=${epsilon}`;
      report({ metric: `${metric} max_error`, value: found.error, target });
      report({ metric: `${metric} mean_error`, value: found.meanError });
      report({ metric: `${metric} s`, value: found.seconds, target: 10 });
    }
  const national = codedTable(join(data, "acs"), "national2019_coded");
  const cases: Record<string, Case> = {
    "adult 64": adult,
    "adult 35": { ...reducedAdult(data), workload: "3-way" },
    "national 50": { ...national, workload: seededTriples(national.schema.attributes.map(({ name }) => name)) },
  };
  for (const [name, { schema, table, workload }] of Object.entries(cases))
    for (const mechanism of MECHANISMS)
      for (const epsilon of EPSILONS) {
        const errorOf = async (own: PlanOptions) => {
          const { error } = await tried(schema, table, { mechanism, workload, epsilon, ...own }, SEEDS);
          return error;
        };
        const known = { neighbours: "replace", delta: "1/n2", publicRows: table.length } as const;
        const { items } = plan(schema, { ...known, mechanism, workload, epsilon }).ledger;
        const picks = items[0].kind === "selection" ? items[0].picks : 0;
        const byDefault = await errorOf({});
        report({ metric: `${name} ${mechanism} ε=${epsilon} max_error`, value: byDefault });
        for (const factor of FACTORS) {
          const [rounds, perRound] =
            picks * factor < 1 ? [Math.round(items.length * factor), 1] : [items.length, Math.round(picks * factor)];
          const value = byDefault / (await errorOf({ rounds, perRound }));
          report({ metric: `${name} ${mechanism} ε=${epsilon} default / ${factor} times the choices`, value });
        }
      }
}
