// Every table under STANDIN_DATA through the commands, as its owner would run them, and back through a strict reader. Prints the Markdown
// of tables.md. The schemas are proposals, not confirmed, so the releases have no guarantee: the bench asks whether any real table goes
// through, and what becomes of its header, types and spellings.
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import type { Report, Setting } from "./bench.js";
import { type Descriptor, spellingFaults, strictTable } from "./strict-table.js";

const EPSILON = "1";
/** More modelled columns than this have too many pairs for a bench: their one-ways are asked for. */
const WIDEST = 60;

interface Line {
  readonly name: string;
  readonly rows?: number;
  readonly columns?: number;
  readonly workload?: string;
  readonly seconds?: number;
  readonly meanTv?: number;
  readonly maxTv?: number;
  /** How it ended. */
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
const EMPTY = "no rows: nothing to model, refused";
const FINE = [SAME, EMPTY];

const HEAD = `| table | rows | columns | workload | seconds | mean TV | max TV | read back |
|---|---:|---:|---|---:|---:|---:|---|`;

const markdown = ({ name, rows, columns, workload, seconds, meanTv, maxTv, result }: Line): string => {
  const cells = [rows, columns, workload, seconds?.toFixed(1), meanTv?.toFixed(3), maxTv?.toFixed(3)];
  return `| ${[name, ...cells.map((cell) => cell ?? "–"), result].join(" | ")} |`;
};

const tableNames = (data: string): string[] =>
  readdirSync(data, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.[ct]sv(\.gz)?$/.test(name))
    .sort();

/** Proposes a schema, makes a synthetic table, compares its answers, and reads it back. */
async function through(data: string, name: string, cli: string): Promise<Line> {
  const folder = mkdtempSync(join(tmpdir(), "standin-tables-"));
  const standin = (...args: string[]) => promisify(execFile)(process.execPath, [cli, ...args], { cwd: folder });
  try {
    const real = join(data, name);
    const start = performance.now();
    await standin("schema", real, "-o", "s.json");
    const schema: Descriptor = JSON.parse(readFileSync(join(folder, "s.json"), "utf8"));
    const modelled = schema.fields.filter(({ standin }) => !standin.role).length;
    if (!modelled) return { name, rows: 0, columns: schema.fields.length, result: EMPTY };
    const workload = modelled > WIDEST ? "1-way" : "2-way";
    const shared = ["--schema", "s.json", "--workload", workload];
    const request = ["--epsilon", EPSILON, "--allow-unreviewed-schema", "-o", "out.csv"];
    await standin("synth", real, ...shared, ...request);
    const { stdout } = await standin("evaluate", "--real", real, "--synthetic", "out.csv", ...shared, "--json");
    const seconds = (performance.now() - start) / 1000;
    const { rows, meanTv, maxTv } = JSON.parse(stdout);
    const bytes = readFileSync(real);
    const faults = spellingFaults(
      strictTable(readFileSync(join(folder, "out.csv")), { delimiter: schema.dialect?.delimiter }),
      name.endsWith(".gz") ? gunzipSync(bytes) : bytes,
      schema,
    );
    const result = faults.length ? faults.join("; ") : SAME;
    return { name, rows: rows.real, columns: schema.fields.length, workload, seconds, meanTv, maxTv, result };
  } catch (error) {
    return { name, result: (error as Error).message.replace(/\s+/g, " ") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
