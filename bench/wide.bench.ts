// Wide tables at ε = 1: the International Stroke Trial's 110 columns, and 300 made of them; 5,995 and 44,850 pairs.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parseCsv, parseSchema } from "../src/node.js";
import type { Report, Setting } from "./bench.js";
import { peakOf } from "./peak.js";
import { compared, keepRows, type Row, reportRows } from "./variants.js";

const SECONDS = 60;
const MEGABYTES = 2000;
const COLUMNS = 300;
/** How many rows each further copy of the columns is moved on by: it has the same tables within, and is independent of the others. */
const SHIFT = 97;

export default async function wide(report: Report, { data, cli, folder }: Setting) {
  if (!data) return console.log("wide skipped: STANDIN_DATA names no folder of tables.");
  const kept: Row[] = [];
  for (const columns of [110, COLUMNS]) {
    const { json, text } = widened(join(data, "dpbench"), columns);
    const schema = parseSchema(json);
    const subject = { name: `stroke, ${columns} columns`, schema, read: () => parseCsv(text, schema) };
    const rows = await compared(subject, 1, ["default", "independent"]);
    reportRows(report, rows, { seconds: SECONDS, over: { variant: "independent", factor: 1 } });
    kept.push(...rows);
    const temporary = mkdtempSync(join(tmpdir(), "standin-wide-"));
    try {
      const [table, described, out] = ["in.csv", "schema.json", "out.csv"].map((name) => join(temporary, name));
      writeFileSync(table, text);
      writeFileSync(described, JSON.stringify(json));
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

/** The table of the trial, its columns again and again up to `columns`. */
function widened(data: string, columns: number): { json: { fields: object[] }; text: string } {
  const domain: Record<string, number> = JSON.parse(readFileSync(join(data, "stroke-domain.json"), "utf8"));
  const [header, ...rows] = gunzipSync(readFileSync(join(data, "stroke.csv.gz")))
    .toString("utf8")
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(","));
  const places = Array.from({ length: columns }, (_, at) => {
    const copy = Math.floor(at / header.length);
    const name = header[at % header.length];
    return { at: at % header.length, copy, size: domain[name], name: copy ? `${name}_${copy + 1}` : name };
  });
  const fields = places.map(({ name, size }) => ({
    name,
    type: "integer",
    constraints: { minimum: 0, maximum: size - 1, required: true },
  }));
  const lines = rows.map((_, row) => places.map(({ at, copy }) => rows[(row + copy * SHIFT) % rows.length][at]).join());
  return { json: { fields }, text: `${places.map(({ name }) => name).join()}\n${lines.join("\n")}\n` };
}
