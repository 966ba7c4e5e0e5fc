// RAP and RAPsoftmax on the 64 sets of three columns of Adult: replace, δ = 1/n², ρ by the simple bound as in the
// paper, ε = 1.
import { adult64 } from "./adult-64.js";
import type { Report, Setting } from "./bench.js";
import { simpleRho, tried } from "./rounds.js";

export default async function rap64(report: Report, { data }: Setting) {
  if (!data) return console.log("rap-64 skipped: STANDIN_DATA names no folder of tables.");
  const { schema, table, workload } = adult64(data);
  const rho = simpleRho(1, table.length);
  for (const [mechanism, perRound, target, seconds] of [
    ["rap-softmax", 10, 0.029, 8],
    ["rap", 50, undefined, 20],
  ] as const) {
    const found = await tried(schema, table, { rho, mechanism, workload, rounds: 10, perRound }, 2);
    report({ metric: `${mechanism} max_error T=10 K=${perRound}`, value: found.error, target });
    report({ metric: `${mechanism} s T=10 K=${perRound}`, value: found.seconds, target: seconds });
  }
}
