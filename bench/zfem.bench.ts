import { join } from "node:path";
import { adult64 } from "./adult-64.js";
import type { Report, Setting } from "./bench.js";
import { tried } from "./rounds.js";
import { codedTable, reducedAdult } from "./tables.js";
const EPS = (process.env.EPS ?? "0.1,0.25,1").split(",").map(Number);
const SEEDS = Number(process.env.SEEDS ?? 2);
export default async function z(_: Report, { data }: Setting) {
  const national = codedTable(join(data!, "acs"), "national2019_coded");
  const names = national.schema.attributes.map(({ name }) => name);
  const all = names.flatMap((a, i) => names.slice(i + 1).flatMap((b, j) => names.slice(i + j + 2).map((c) => [a, b, c])));
  const picked = Array.from({ length: 64 }, (_, at) => all[(at * 7919 + 13) % all.length]);
  const cases = { adult64: adult64(data!), red: { ...reducedAdult(data!), workload: "3-way" }, national: { ...national, workload: picked } } as const;
  for (const [name, { schema, table, workload }] of Object.entries(cases).filter(([n]) => n.match(process.env.CASE ?? "")))
    for (const epsilon of EPS) {
      const run = async (label: string, options: object) => {
        const { error, meanError, seconds } = await tried(schema, table, { workload: workload as never, epsilon, ...options }, SEEDS);
        console.log([name, epsilon, label, error.toPrecision(3), meanError.toPrecision(3), seconds.toPrecision(3)].join());
      };
      if (process.env.DQ) {
        await run("dq default", { mechanism: "dual-query" });
        for (const s of [10, 25, 50, 100]) for (const eta of [1.5, 3, 6]) {
          // rounds from cube law
          const rho = Number(process.env.RHO ?? 0) || (await import("../src/node.js")).plan(schema, { neighbours: "replace", delta: "1/n2", publicRows: table.length, epsilon, workload: workload as never }).ledger.rho;
          const rounds = Math.max(1, Math.min(400, Math.floor(Math.cbrt((6 * rho * table.length ** 2) / (s * eta ** 2)))));
          await run(`dq s${s} eta${eta} T${rounds}`, { mechanism: "dual-query", rounds, perRound: s });
        }
        continue;
      }
      await run("default", { mechanism: "fem" });
      for (const per of (process.env.PER ?? "25,50,100,200").split(",").map(Number))
        for (const rounds of (process.env.ROUNDS ?? "50,100").split(",").map(Number)) {
          const choices = Math.max(1, Math.round((epsilon * table.length) / per));
          const T = Math.max(1, Math.min(rounds, choices));
          const s = Math.max(1, Math.min(40, Math.round(choices / T)));
          await run(`per${per} T${T} s${s}`, { mechanism: "fem", rounds: T, perRound: s });
        }
    }
}
