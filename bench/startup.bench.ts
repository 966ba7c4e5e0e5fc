// How soon the command line answers, compared with Node's own start; how long importing standin takes a program; and
// how large it is for a page.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { Report, Setting } from "./bench.js";

const RUNS = 20;

export default function startup(report: Report, { cli }: Setting): void {
  const entry = JSON.stringify(pathToFileURL(join(dirname(cli), "node.js")).href);
  const timed = `const start = performance.now(); await import(${entry}); console.log(performance.now() - start);`;
  let [bare, version, imported] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  // The measurements take turns, so that other load on the machine affects all of them.
  for (let run = 0; run < RUNS; run++) {
    bare = Math.min(bare, node(["-e", "0"]).ms);
    version = Math.min(version, node([cli, "--version"]).ms);
    imported = Math.min(imported, Number(node(["--input-type=module", "-e", timed]).stdout));
  }
  report({ metric: "node_ms", value: bare });
  report({ metric: "version_ms", value: version });
  report({ metric: "version_over_node", value: version / bare, target: 2.5 });
  report({ metric: "import_ms", value: imported, target: 40 });
  report({ metric: "browser_entry_gzip_kb", value: packedSize(join(dirname(cli), "browser.js")) / 1000, target: 64 });
}

/** The size in bytes of a built entry and the chunks that it imports, each compressed as a server would. */
function packedSize(entry: string): number {
  const files = new Set([entry]);
  for (const file of files)
    for (const [, path] of readFileSync(file, "utf8").matchAll(/(?:from|import)\s*"(\.[^"]+\.js)"/g))
      files.add(join(dirname(file), path));
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0);
}

/** Runs Node until it exits. Returns its output and how long it took. */
function node(args: readonly string[]): { stdout: string; ms: number } {
  const start = performance.now();
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const ms = performance.now() - start;
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with exit code ${status}`);
  return { stdout, ms };
}
