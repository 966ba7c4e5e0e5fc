// Tables that the default was not tuned on: other shapes, with trees, bin edges and missing cells. Compares the default
// with its variants.
import { join } from "node:path";
import type { Report, Setting } from "./bench.js";
import { codeBookSubjects } from "./code-books.js";
import { paperTask } from "./tables.js";
import { compareAll, type Subject } from "./variants.js";

const EPSILONS = [0.3, 1, 3, 10];
const TASKS = ["MOB", "INC", "COV"] as const;

export default async function otherTables(report: Report, { data, folder }: Setting) {
  if (!data) return console.log("other-tables skipped: STANDIN_DATA names no folder of tables.");
  const tasks = TASKS.map((name): Subject => {
    const { schema, table } = paperTask(join(data, "acs"), name);
    return { name, schema, read: () => table };
  });
  const subjects = [...tasks, ...codeBookSubjects(data)];
  await compareAll(report, { folder, name: "other-tables" }, subjects, EPSILONS, () => ({
    over: { variant: "raw", factor: 1.03 },
    best: 1.03,
  }));
}
