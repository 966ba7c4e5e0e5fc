// The jobs that every runtime does: a schema and a table from files, a release, and its rows as a file.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PlanOptions } from "../../src/node.js";
import { toCsv } from "../../src/node.js";
import { WORKLOADS } from "../adaptive-workloads.js";
import { codedTable } from "../tables.js";
import { wideTable } from "../wide-tables.js";

export interface Job {
  readonly name: string;
  /** Paths of the schema and of the table. */
  readonly schema: string;
  readonly csv: string;
  readonly options: PlanOptions;
  /** How many rows are made; N̂ if absent. */
  readonly rows?: number;
}

/** Writes the jobs' files into a folder. */
export function jobs(data: string, folder: string): Job[] {
  const described = (name: string, schema: object) => {
    const path = join(folder, `${name}.schema.json`);
    writeFileSync(path, JSON.stringify(schema));
    return path;
  };
  const { schema, json, path: csv, table } = codedTable(join(data, "adult"), "adult_coded");
  const adult = { schema: described("adult", json), csv };
  const workload = WORKLOADS.map((columns) => columns.map((column) => schema.attributes[column].name));
  const adaptive = { workload, delta: "1/n2", neighbours: "replace", publicRows: table.length } as const;
  const wide = wideTable(data, 110);
  const wideCsv = join(folder, "wide.csv");
  writeFileSync(wideCsv, toCsv(wide.table));
  return [
    { name: "adult N'=2000", ...adult, options: { epsilon: 1 }, rows: 2000 },
    { name: "adult N'=n", ...adult, options: { epsilon: 1 } },
    { name: "adaptive 3-way", ...adult, options: { epsilon: 1, ...adaptive } },
    { name: "wide 110", schema: described("wide", wide.schema), csv: wideCsv, options: { epsilon: 1 } },
  ];
}
