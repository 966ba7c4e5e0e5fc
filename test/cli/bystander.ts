// What everybody except the table's owner can see of a run, with everything that comes through the noise removed. The
// rest must not depend on a row.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { dsvFormat } from "d3-dsv";
import type { Ended, Folder } from "./cli.js";

export interface Sight {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Every file of the folder, by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** The parts that the noise reaches, besides the output's cells and the release's answers. */
export interface Noisy {
  /** The number of rows, if none was requested. */
  readonly rows?: true;
  /** Standard output, if the table goes there. */
  readonly stdout?: true;
}

/** What a run shows, except the files that the table's owner put there. */
export function sightOf(folder: Folder, { code, stdout, stderr }: Ended, inputs: readonly string[]): Sight {
  const names = folder.names().filter((name) => !inputs.includes(name));
  return { code, stdout, stderr, files: Object.fromEntries(names.map((name) => [name, content(folder.at(name))])) };
}

/** A sight without DP outputs. Those of two neighbouring tables must be equal to the last character. */
export function withoutOutputs({ code, stdout, stderr, files }: Sight, noisy: Noisy): Sight {
  return {
    code,
    stdout: noisy.stdout ? tableShape(stdout, noisy) : stdout,
    stderr: stderr.split("\n").filter(isNoLossLine).map(withoutSweeps).join("\n"),
    files: Object.fromEntries(
      Object.entries(files).map(([name, text]) => [
        name,
        name.includes(".csv") && !name.endsWith(".json") ? tableShape(text, noisy) : jsonShape(text, noisy),
      ]),
    ),
  };
}

function content(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
}

/** How often the loss against the noisy answers is reported depends on how long the search runs. */
const isNoLossLine = (line: string) =>
  !/^searching: (step|sweep|generation) [\d,]+, [\d.e+-]+ % of the first loss$/.test(line);

/** The search's own report of its end and of how close the rows came, which depend on the noisy answers. */
const withoutSweeps = (line: string) =>
  line.replace(
    /^The search ended (after [\d,]+ sweeps: the last .* %|at its limit of [\d,]+ sweeps)\. Squared distance of .*: [\d.e+]+ times .*$/,
    "The search ended.",
  );

/** A table's header unchanged, the number of cells of each row, and how the last row ends. */
function tableShape(text: string, { rows }: Noisy): string {
  const header = text.slice(0, text.indexOf("\n"));
  const widths = dsvFormat(header.includes(";") ? ";" : ",")
    .parseRows(text)
    .map((cells) => cells.length);
  return [header, ...(rows ? new Set(widths) : widths), text.slice(-1)].join("\n");
}

/**
 * A JSON file with its members in order, without the noisy numbers. Of the answers only their number remains, and of
 * the items that a second stage chose by noisy answers only that there were some.
 */
function jsonShape(text: string, { rows }: Noisy): string {
  const noisy = rows ? ["total", "meanCell", "rows"] : ["total", "meanCell"];
  return JSON.stringify(JSON.parse(text), (key, value) => {
    if (key === "items" && Array.isArray(value)) return firstStage(value);
    if (key === "answers" && Array.isArray(value)) return value.map((answer) => typeof answer);
    return noisy.includes(key) ? typeof value : value;
  });
}

/** The items that a plan names: one column each, until a column is repeated, two come together, or some are chosen. */
function firstStage(items: readonly { columns?: readonly string[] | null }[]): unknown[] {
  const isSecond = ({ columns }: { columns?: readonly string[] | null }, at: number) =>
    columns?.length !== 1 || items.slice(0, at).some((item) => item.columns?.[0] === columns[0]);
  const second = items.findIndex(isSecond);
  return second < 0 ? [...items] : [...items.slice(0, second), "what noisy answers chose"];
}
