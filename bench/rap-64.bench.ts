// RAP and RAPsoftmax on Adult with the 64 sets of three columns of Liu et al. 2021 (458,996 cells): replace, δ = 1/n²,
// ρ by the simple bound as in the paper, ε = 1.
import { join } from "node:path";
import type { Report, Setting } from "./bench.js";
import { simpleRho, tried } from "./rounds.js";
import { codedTable } from "./tables.js";

/** The columns of each set, by their places in the table, in base 14. */
const SETS =
  "57a 58c 46d 038 135 45d 7cd 59d 4bd 179 469 139 367 2bd 18c 234 04d 6ad 13d 36b 346 027 018 167 1ac 156 79c 035 47a " +
  "267 68c 145 01d 238 48c 67d 68a 34b 256 0cd 6bc 35c 689 89c 3cd 9bd 369 23d 123 35d 37c 289 067 26c 359 46c 58d 089 " +
  "567 489 48a 048 159 157";

export default async function rap64(report: Report, { data }: Setting) {
  if (!data) return console.log("rap-64 skipped: STANDIN_DATA names no folder of tables.");
  const { schema, table } = codedTable(join(data, "adult"), "adult_coded");
  const nameOf = (place: string) => schema.attributes[Number.parseInt(place, 14)].name;
  const workload = SETS.split(" ").map((set) => [...set].map(nameOf));
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
