// Runs every table under STANDIN_DATA through the commands, as its owner would, and reads the result with a strict
// reader. Prints the Markdown of tables.md. The schemas are unconfirmed proposals, so the releases have no guarantee.
// The bench checks that every real table can be processed, and what happens to its header, types and spellings.
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import type { Report, Setting } from "./bench.js";
import { type Descriptor, spellingFaults, strictTable } from "./strict-table.js";

const EPSILON = "1";
interface Line {
  readonly name: string;
  readonly rows?: number;
  readonly columns?: number;
  readonly seconds?: number;
  readonly meanTv?: number;
  readonly maxTv?: number;
  /** The outcome. */
  readonly result: string;
}

export default async function tables(report: Report, { data, cli, json }: Setting) {
  if (!data) return console.log("tables skipped: STANDIN_DATA names no folder of tables.");
  const lines: Line[] = [];
  if (!json) console.log(HEAD);
  for (const name of tableNames(data)) {
    const line = await through(data, name, cli);
    lines.push(line);
    if (!json) console.log(markdown(line));
    else
      for (const metric of ["seconds", "meanTv", "maxTv"] as const)
        if (line[metric] !== undefined) report({ metric: `${name} ${metric}`, value: line[metric] });
  }
  const faults = lines.filter(({ result }) => !FINE.includes(result)).length;
  if (json) report({ metric: "tables with a fault", value: faults, target: 0 });
  else console.log(`\n${lines.length} tables, ${faults} with a fault.`);
}

const SAME = "same header, types, spellings";
/** Without rows, a proposal has no facts, and there are no shares to compare. */
const EMPTY = "no rows: with stated facts, same header";
const FINE = [SAME, EMPTY];

const HEAD = `| table | rows | columns | seconds | mean TV | max TV | read back |
|---|---:|---:|---:|---:|---:|---|`;

const markdown = ({ name, rows, columns, seconds, meanTv, maxTv, result }: Line): string => {
  const cells = [rows, columns, seconds?.toFixed(1), meanTv?.toFixed(3), maxTv?.toFixed(3)];
  return `| ${[name, ...cells.map((cell) => cell ?? "–"), result].join(" | ")} |`;
};

const tableNames = (data: string): string[] =>
  readdirSync(data, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.[ct]sv(\.gz)?$/.test(name))
    .sort();

/** Proposes a schema, makes a synthetic table, compares its answers, and reads it back. */
async function through(data: string, name: string, cli: string): Promise<Line> {
  const folder = mkdtempSync(join(tmpdir(), "standin-tables-"));
  const real = join(data, name);
  const standin = (...args: string[]) => promisify(execFile)(process.execPath, [cli, ...args], { cwd: folder });
  const synth = async (schema: Descriptor) => {
    writeFileSync(join(folder, "s.json"), JSON.stringify(schema));
    const request = ["--epsilon", EPSILON, "--allow-unreviewed-schema", "-o", "out.csv"];
    await standin("synth", real, "--schema", "s.json", ...request);
    return strictTable(readFileSync(join(folder, "out.csv")), { delimiter: schema.dialect?.delimiter });
  };
  try {
    const start = performance.now();
    const proposed = await standin("schema", real, "-o", "-");
    const schema: Descriptor = JSON.parse(proposed.stdout);
    const columns = schema.fields.length;
    if (schema.fields.every(({ standin }) => standin.role)) {
      const names = schema.fields.map((field) => field.name);
      const fields = names.map((column) => ({ name: column, type: "boolean", standin: {} }));
      const { header } = await synth({ ...schema, fields });
      return { name, rows: 0, columns, result: `${header}` === `${names}` ? EMPTY : "another header" };
    }
    const synthetic = await synth(schema);
    const files = ["--real", real, "--synthetic", "out.csv", "--schema", "s.json"];
    const compared = await standin("evaluate", ...files, "--json");
    const seconds = (performance.now() - start) / 1000;
    const { rows, meanTv, maxTv } = JSON.parse(compared.stdout);
    const bytes = readFileSync(real);
    const faults = spellingFaults(synthetic, name.endsWith(".gz") ? gunzipSync(bytes) : bytes, schema);
    const result = faults.length ? faults.join("; ") : SAME;
    return { name, rows: rows.real, columns, seconds, meanTv, maxTv, result };
  } catch (error) {
    return { name, result: (error as Error).message.replace(/\s+/g, " ") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
