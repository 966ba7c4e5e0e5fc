// How soon the command line answers, and what importing standin adds to a program, against Node's own start.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Report, Setting } from "./bench.js";

const RUNS = 20;

export default function startup(report: Report, { cli }: Setting): void {
  const entry = JSON.stringify(pathToFileURL(join(dirname(cli), "node.js")).href);
  const module = (script: string) => ["--input-type=module", "-e", script];
  const [bare, version, empty, imported] = fastest([
    ["-e", "0"],
    [cli, "--version"],
    module("0"),
    module(`import ${entry}`),
  ]);
  report({ metric: "node_ms", value: bare });
  report({ metric: "version_ms", value: version });
  report({ metric: "version_over_node", value: version / bare, target: 2.5 });
  report({ metric: "import_ms", value: imported - empty, target: 40 });
}

/** The least time of each command line of Node's, in ms; they take turns, so that a busy machine is busy for all of them. */
function fastest(commands: readonly (readonly string[])[]): number[] {
  const least = commands.map(() => Number.POSITIVE_INFINITY);
  for (let run = 0; run < RUNS; run++)
    for (const [at, args] of commands.entries()) {
      const start = performance.now();
      const { status } = spawnSync(process.execPath, args, { stdio: "ignore" });
      if (status !== 0) throw new Error(`node ${args.join(" ")} ended with exit code ${status}`);
      least[at] = Math.min(least[at], performance.now() - start);
    }
  return least;
}
