// What public rows are worth: Massachusetts 2019 is private, the national excerpt of the same year is public, with the
// same columns but other places and other people. And where public rows are of the same people as the private ones, a
// random half of the national excerpt each, or where they are wrong: the same half with its columns shuffled, one after
// the other. Distances over all pairs and over 50 triples, with and without public rows, and those of the public table
// itself.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { measure, parseCsv, parseSchema, plan, resample, type Schema, type Table } from "../src/node.js";
import { nonPrivateQueryErrors } from "../src/owner.js";
import { uniforms } from "../test/reference/statistics.js";
import type { Report, Setting } from "./bench.js";
import { excerpt, mean, nationalHalves, noiseKey } from "./tables.js";
import { seededTriples } from "./variants.js";

const EPSILONS = [0.05, 0.1, 0.3, 1, 3, 10];
const SEEDS = 3;
/** Public rows pay where the budget is small. Where it is large, or where they are wrong, they cost next to nothing. */
const MOST = { small: 0.95, large: 1.03, wrong: 1.04 };
const SHUFFLED = "halves, shuffled";

interface Case {
  readonly schema: Schema;
  readonly table: Table;
  readonly publicTable: Table;
}

function casesOf(data: string): Record<string, Case> {
  const [real, known] = ["sdnist_ma2019", "sdnist_national2019"].map((name) => excerpt(join(data, "acs"), name));
  const schema = parseSchema(real.json);
  const [table, publicTable] = [real, known].map(({ path }) => parseCsv(readFileSync(path, "utf8"), schema));
  const halves = nationalHalves(data);
  return {
    national: { schema, table, publicTable },
    halves,
    [SHUFFLED]: { ...halves, publicTable: shuffled(halves.publicTable, halves.schema) },
  };
}

/** The same columns, none of which depends on another. */
function shuffled(table: Table, schema: Schema): Table {
  const uniform = uniforms(1);
  const rows = [...table.rows()];
  const columns = table.names.map((name) => shuffledCells(rows.map((row) => row[name])));
  const lines = rows.map((_, at) => columns.map((cells) => cells[at]).join());
  return parseCsv([table.names.join(), ...lines].join("\n"), schema);

  function shuffledCells<Cell>(cells: Cell[]): Cell[] {
    for (let at = cells.length - 1; at > 0; at--) {
      const other = Math.floor((at + 1) * uniform());
      [cells[at], cells[other]] = [cells[other], cells[at]];
    }
    return cells;
  }
}

export default async function publicRows(report: Report, { data }: Setting) {
  if (!data) return console.log("public skipped: STANDIN_DATA names no folder of tables.");
  for (const [which, { schema, table, publicTable }] of Object.entries(casesOf(data))) {
    const workloads = { pairs: "2-way", triples: seededTriples(schema.attributes.map(({ name }) => name)) } as const;
    const distances = (rows: Table) =>
      Object.entries(workloads).map(([name, workload]) => ({
        name,
        tv: nonPrivateQueryErrors(table, rows, schema, workload).meanTv,
      }));
    for (const { name, tv } of distances(publicTable))
      report({ metric: `${which}: public table itself, ${name}`, value: tv });
    for (const epsilon of EPSILONS) {
      const found = new Map<string, number[]>();
      for (let seed = 1; seed <= SEEDS; seed++)
        for (const rows of [undefined, publicTable]) {
          const planned = plan(schema, { epsilon, publicTable: rows });
          const release = await measure(table, planned, { seed, unsafeNoiseKey: noiseKey(seed) });
          const { table: made } = await resample(release, { publicTable: rows });
          for (const { name, tv } of distances(made)) {
            const key = `${rows ? "with" : "without"} ${name}`;
            found.set(key, [...(found.get(key) ?? []), tv]);
          }
        }
      for (const name of Object.keys(workloads)) {
        const [without, used] = ["without", "with"].map((how) => mean(found.get(`${how} ${name}`)!));
        const metric = `${which} ε=${epsilon} ${name}`;
        report({ metric: `${metric} without public rows`, value: without });
        report({ metric: `${metric} with public rows`, value: used });
        const target = MOST[which === SHUFFLED ? "wrong" : epsilon < 1 ? "small" : "large"];
        report({ metric: `${metric} with / without`, value: used / without, target });
      }
    }
  }
}
