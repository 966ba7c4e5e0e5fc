// Writes tables of a million rows and 20 columns as CSV, compared with plain JavaScript that looks the text of each
// code up and joins them.
import type { Column, Table } from "../src/core/table.js";
import { csvStream, readCsv } from "../src/node.js";
import type { Report, Setting } from "./bench.js";
import { withMillions } from "./millions.js";

const RUNS = 3;
/** The megabytes per second to reach on one core. */
const RATE = 100;

export default async function write(report: Report, { data }: Setting) {
  if (!data) return console.log("write skipped: STANDIN_DATA names no folder of tables.");
  await withMillions(data, async ({ name, path, schema }) => {
    const table = await readCsv(path, schema);
    let [ours, plain, bytes] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
    // The two take turns, so that other load on the machine affects both.
    for (let run = 0; run < RUNS; run++) {
      let start = performance.now();
      bytes = 0;
      for await (const chunk of csvStream(table)) bytes += chunk.length;
      ours = Math.min(ours, (performance.now() - start) / 1000);
      start = performance.now();
      const others = plainBytes(table);
      plain = Math.min(plain, (performance.now() - start) / 1000);
      if (bytes !== others) throw new Error(`${bytes} bytes were written, not ${others}.`);
    }
    report({ metric: `${name} write_mb_per_s`, value: bytes / 1e6 / ours, target: RATE, better: "higher" });
    report({ metric: `${name} javascript_mb_per_s`, value: bytes / 1e6 / plain, better: "higher" });
    report({ metric: `${name} write / javascript`, value: plain / ours, better: "higher" });
  });
}

const LINES = 1000;

/** How many bytes the table has, written by the codecs of its columns. */
function plainBytes({ columns, length, delimiter }: Table): number {
  const encoder = new TextEncoder();
  const quoted = (text: string) =>
    text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const cell = ({ codes, codec }: Column) => {
    const known: string[] = [];
    return (row: number) => {
      known[codes[row]] ??= quoted(codec.text(codes[row]));
      return known[codes[row]];
    };
  };
  const cells = columns.map(cell);
  let bytes = encoder.encode(`${columns.map(({ name }) => quoted(name)).join(delimiter)}\n`).length;
  for (let first = 0; first < length; first += LINES) {
    const lines: string[] = [];
    const line: string[] = cells.map(() => "");
    for (let row = first; row < Math.min(length, first + LINES); row++) {
      for (let at = 0; at < cells.length; at++) line[at] = cells[at](row);
      lines.push(line.join(delimiter));
    }
    bytes += encoder.encode(`${lines.join("\n")}\n`).length;
  }
  return bytes;
}
