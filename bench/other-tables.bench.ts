// What the default was not tuned on: tables of other shapes, with trees, edges and missing cells, beside its variants.
import { join } from "node:path";
import type { Report, Setting } from "./bench.js";
import { codeBookSubjects } from "./code-books.js";
import { paperTask } from "./tables.js";
import { ALL_VARIANTS, compared, keepRows, type Row, reportRows, type Subject } from "./variants.js";

const EPSILONS = [1, 10];
const TASKS = ["MOB", "INC", "COV"] as const;

export default async function otherTables(report: Report, { data, folder }: Setting) {
  if (!data) return console.log("other-tables skipped: STANDIN_DATA names no folder of tables.");
  const tasks = TASKS.map((name): Subject => {
    const { schema, table } = paperTask(join(data, "acs"), name);
    return { name, schema, read: () => table };
  });
  const kept: Row[] = [];
  for (const subject of [...tasks, ...codeBookSubjects(data)])
    for (const epsilon of EPSILONS) {
      const rows = await compared(subject, epsilon, ALL_VARIANTS);
      reportRows(report, rows, { over: { variant: "raw", factor: 1.03 }, best: 1.03 });
      kept.push(...rows);
    }
  keepRows(folder, "other-tables", kept);
}
