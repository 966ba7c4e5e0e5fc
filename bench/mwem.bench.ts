// MWEM and PEP on seven columns of Adult, all 35 sets of three (14,955 cells) over a domain of 336,000 points: replace,
// δ = 1/n², three seeds, with the default numbers of rounds. Single cells are compared with what prototypes of the
// papers' versions reached with the best number of rounds for each ε; whole marginals with single cells. A second table
// has no targets: the defaults were chosen with both in mind.
import { join } from "node:path";
import type { Report, Setting } from "./bench.js";
import { tried } from "./rounds.js";
import { codedTable, NATIONAL_SEVEN, reducedAdult } from "./tables.js";

const EPSILONS = [0.1, 0.25, 0.5, 1];
/** By mechanism, the largest errors that choosing cells may leave, for each ε. */
const CELLS: Readonly<Record<string, readonly number[]>> = {
  mwem: [0.139, 0.078, 0.057, 0.044],
  "mwem-past": [0.069, 0.036, 0.025, 0.0163],
  pep: [0.059, 0.033, 0.0223, 0.0128],
};
const SECONDS = 1.5;
const MEGABYTES = 200;
const TRIPLES = NATIONAL_SEVEN.flatMap((a, at) =>
  NATIONAL_SEVEN.slice(at + 1).flatMap((b, next) => NATIONAL_SEVEN.slice(at + next + 2).map((c) => [a, b, c])),
);

export default async function mwem(report: Report, { data }: Setting) {
  if (!data) return console.log("mwem skipped: STANDIN_DATA names no folder of tables.");
  const adult = reducedAdult(data);
  for (const [mechanism, targets] of Object.entries(CELLS))
    for (const [at, epsilon] of EPSILONS.entries()) {
      const asked = { mechanism, workload: "3-way" as const, epsilon };
      const cells = await tried(adult.schema, adult.table, { ...asked, selection: "cells" }, 3);
      const marginals = await tried(adult.schema, adult.table, asked, 3);
      const metric = (what: string) => `${mechanism} ε=${epsilon} ${what}`;
      report({ metric: metric("cells, max_error"), value: cells.error, target: targets[at] });
      report({ metric: metric("cells, s"), value: cells.seconds, target: SECONDS });
      report({ metric: metric("marginals, max_error"), value: marginals.error });
      report({ metric: metric("marginals / cells"), value: marginals.error / cells.error, target: 1 });
      report({ metric: metric("marginals, s"), value: marginals.seconds, target: SECONDS });
    }
  report({ metric: "peak resident memory, MB", value: process.resourceUsage().maxRSS / 1024, target: MEGABYTES });
  const national = codedTable(join(data, "acs"), "national2019_coded");
  for (const epsilon of EPSILONS) {
    const asked = { mechanism: "pep", workload: TRIPLES, epsilon };
    const { error } = await tried(national.schema, national.table, asked, 3);
    report({ metric: `national, pep ε=${epsilon} marginals, max_error`, value: error });
  }
}
