// Wide tables at ε = 1: the International Stroke Trial's 110 columns, and 300 columns made from them, with 5,995 and
// 44,850 pairs.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseCsv, toCsv } from "../src/node.js";
import type { Report, Setting } from "./bench.js";
import { peakOf } from "./peak.js";
import { compared, keepRows, type Row, reportRows } from "./variants.js";
import { wideTable } from "./wide-tables.js";

const SECONDS = 60;
const MEGABYTES = 2000;
const COLUMNS = [110, 300];

export default async function wide(report: Report, { data, cli, folder }: Setting) {
  if (!data) return console.log("wide skipped: STANDIN_DATA names no folder of tables.");
  const kept: Row[] = [];
  for (const columns of COLUMNS) {
    const { schema, table: real } = wideTable(data, columns);
    const text = toCsv(real);
    const subject = { name: `stroke ${columns}`, schema, read: () => parseCsv(text, schema) };
    const rows = await compared(subject, 1, ["default", "independent"]);
    reportRows(report, rows, { seconds: SECONDS, over: { variant: "independent", factor: 1 } });
    kept.push(...rows);
    const temporary = mkdtempSync(join(tmpdir(), "standin-wide-"));
    try {
      const [table, described, out] = ["in.csv", "schema.json", "out.csv"].map((name) => join(temporary, name));
      writeFileSync(table, text);
      writeFileSync(described, JSON.stringify(schema));
      const start = performance.now();
      const options = ["--schema", described, "--epsilon", "1", "-o", out, "--quiet"];
      const peak = await peakOf([cli, "synth", table, ...options]);
      const seconds = (performance.now() - start) / 1000;
      report({ metric: `${subject.name}, standin synth, s`, value: seconds, target: SECONDS });
      report({ metric: `${subject.name}, standin synth, peak MB`, value: peak, target: MEGABYTES });
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  }
  keepRows(folder, "wide", kept);
}
