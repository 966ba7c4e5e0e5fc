// The benches' accuracy on real tables, if STANDIN_DATA names their folder. Seeds are fixed, so the figures are the
// same each time; timing is left to the benches.
import { resolve } from "node:path";
import { expect, it } from "vitest";
import adaptiveAll from "../bench/adaptive-all.bench.js";
import adult from "../bench/adult.bench.js";
import type { Figure, Report, Setting } from "../bench/bench.js";
import missing from "../bench/missing.bench.js";
import nist from "../bench/nist.bench.js";
import table3 from "../bench/table3.bench.js";

const data = process.env.STANDIN_DATA;
const isTime = ({ metric }: Figure) => /(_s\b|, s$|_per_s$)/.test(metric);

const BENCHES: [string, (report: Report, setting: Setting) => Promise<unknown>, number][] = [
  ["table3: the paper's errors on the ACS samples", table3, 6],
  ["adult: all pairs at ε = 1, the search's loss and the command line's memory", adult, 5],
  ["adaptive-all: the largest errors of Adult's three-way tables, by the default rounds", adaptiveAll, 3],
  ["nist: two-way distances of the national excerpt", nist, 2],
  ["missing: the pattern of the excerpt's missing cells", missing, 1],
];

for (const [name, bench, count] of BENCHES)
  it(name, { timeout: 600_000 }, async ({ skip }) => {
    if (!data) skip("STANDIN_DATA names no folder of real tables");
    const figures: Figure[] = [];
    await bench((figure) => figures.push(figure), {
      data,
      cli: resolve("dist/cli.js"),
      folder: resolve("bench"),
      json: true,
    });
    const judged = figures.filter((figure) => figure.target !== undefined && !isTime(figure));
    expect(judged).toHaveLength(count);
    expect(judged.filter(({ value, target }) => !(value <= target!))).toEqual([]);
  });
