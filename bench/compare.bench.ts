// Every mechanism on one table small enough for all of them: seven columns of Adult, all 35 sets of three (14,955
// cells), replace, δ = 1/n². Each figure is the mean of three runs of the command, each with noise of its own.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseCsv } from "../src/node.js";
import { nonPrivateQueryErrors } from "../src/owner.js";
import type { Report, Setting } from "./bench.js";
import { peakOf } from "./peak.js";
import { dotPlot } from "./plot.js";
import { mean, reducedAdult } from "./tables.js";

const EPSILONS = [0.1, 0.25, 0.5, 1];
const RUNS = 3;

const TRIPLES = ["--workload", "3-way"];
const by = (name: string, ...options: string[]) => [...TRIPLES, "--mechanism", name, ...options];
/**
 * What is compared, and its options. `independent` is private-gsd with one-ways alone. Mechanisms that need public rows
 * have a bench of their own, `pmw-pub`.
 */
const COMPARED: Readonly<Record<string, readonly string[]>> = {
  "private-gsd": TRIPLES,
  "private-gsd --selection max": [...TRIPLES, "--selection", "max"],
  independent: ["--workload", "1-way"],
  "mwem --selection cells": by("mwem", "--selection", "cells"),
  mwem: by("mwem"),
  "mwem-past --selection cells": by("mwem-past", "--selection", "cells"),
  "mwem-past": by("mwem-past"),
  "pep --selection cells": by("pep", "--selection", "cells"),
  pep: by("pep"),
  "dual-query": by("dual-query"),
  fem: by("fem"),
  rap: by("rap"),
  "rap --selection max": by("rap", "--selection", "max"),
  "rap-softmax": by("rap-softmax"),
  "rap-softmax --selection max": by("rap-softmax", "--selection", "max"),
  "rap++": by("rap++"),
  mst: by("mst"),
  aim: by("aim"),
  "mwem-pgm": by("mwem-pgm"),
  pgm: by("pgm"),
  hdmm: by("hdmm"),
};

/** How far the cells of all sets are from the truth, and what a run takes: seconds, and MB of memory. */
const FIGURES = ["maxError", "meanError", "rmse", "meanTv", "seconds", "megabytes"] as const;
const PLOTTED = { maxError: "largest error of a cell", meanTv: "mean total variation distance" };
type Row = { readonly name: string; readonly epsilon: number } & Record<(typeof FIGURES)[number], number>;

export default async function compare(report: Report, { data, cli, folder }: Setting) {
  if (!data) return console.log("compare skipped: STANDIN_DATA names no folder of tables.");
  const { schema, table, path, json } = reducedAdult(data);
  const temporary = mkdtempSync(join(tmpdir(), "standin-compare-"));
  const rows: Row[] = [];
  try {
    const [described, out] = ["schema.json", "out.csv"].map((name) => join(temporary, name));
    writeFileSync(described, JSON.stringify(json));
    const setting = ["--neighbours", "replace", "--public-rows", `${table.length}`, "--delta", "1/n2"];
    const common = ["--schema", described, ...setting, "-o", out, "--quiet"];
    for (const epsilon of EPSILONS)
      for (const [name, options] of Object.entries(COMPARED)) {
        const runs: Omit<Row, "name" | "epsilon">[] = [];
        for (let run = 0; run < RUNS; run++) {
          const start = performance.now();
          const megabytes = await peakOf([cli, "synth", path, "--epsilon", `${epsilon}`, ...common, ...options]);
          const seconds = (performance.now() - start) / 1000;
          const made = parseCsv(readFileSync(out, "utf8"), schema);
          runs.push({ ...nonPrivateQueryErrors(table, made, schema, "3-way"), seconds, megabytes });
        }
        const means = FIGURES.map((figure) => [figure, mean(runs.map((run) => run[figure]))]);
        const row = { name, epsilon, ...Object.fromEntries(means) } as Row;
        for (const figure of FIGURES) report({ metric: `ε=${epsilon} ${name}, ${figure}`, value: row[figure] });
        rows.push(row);
      }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  keep(folder, rows);
}

/** Stores the rows next to the bench, and a plot of them. */
function keep(folder: string, rows: readonly Row[]): void {
  const lines = rows.map((row) =>
    [row.name, row.epsilon, ...FIGURES.map((figure) => +row[figure].toPrecision(3))].join(),
  );
  writeFileSync(join(folder, "compare.csv"), `mechanism,epsilon,${FIGURES}\n${lines.join("\n")}\n`);
  const panels = Object.entries(PLOTTED).map(([figure, title]) => ({
    title,
    dots: rows.map((row) => ({
      line: row.name,
      series: `ε=${row.epsilon}`,
      value: row[figure as keyof typeof PLOTTED],
    })),
  }));
  const series = EPSILONS.map((epsilon) => `ε=${epsilon}`);
  writeFileSync(join(folder, "compare.svg"), dotPlot("compare: errors on seven columns of Adult", panels, series));
}
