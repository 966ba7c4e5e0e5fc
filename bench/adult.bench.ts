// Adult, all pairs, ε = 1, δ = 1e-9, add-remove: the most common use.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measure, plan, resample } from "../src/node.js";
import { nonPrivateQueryErrors } from "../src/owner.js";
import { best, type Report, type Setting } from "./bench.js";
import { peakOf } from "./peak.js";
import { codedTable, mean, noiseKey } from "./tables.js";

export default async function adult(report: Report, { data, cli }: Setting) {
  if (!data) return console.log("adult skipped: STANDIN_DATA names no folder of tables.");
  const { schema, table, path, json } = codedTable(join(data, "adult"), "adult_coded");
  const planned = plan(schema, { epsilon: 1, delta: 1e-9 });
  const errors: Record<"2000" | "n", number[]> = { "2000": [], n: [] };
  for (let seed = 0; seed < 3; seed++) {
    const release = await measure(table, planned, { seed, unsafeNoiseKey: noiseKey(seed) });
    for (const rows of [2000, undefined]) {
      const made = await resample(release, { rows });
      errors[rows ? "2000" : "n"].push(nonPrivateQueryErrors(table, made.table, schema).meanError);
    }
  }
  report({ metric: "mean_error N'=2000", value: mean(errors["2000"]), target: 9e-5 });
  report({ metric: "mean_error N'=n", value: mean(errors.n), target: 9e-5 });
  report({ metric: "mean_error ratio n / 2000", value: mean(errors.n) / mean(errors["2000"]), target: 1.05 });

  const release = await measure(table, planned, { seed: 1, unsafeNoiseKey: noiseKey(1) });
  const small = await best(5, () => resample(release, { rows: 2000 }));
  report({ metric: "projection_s N'=2000", value: small, target: 0.2 });
  const full = await best(5, () => resample(release));
  report({ metric: "projection_s N'=n", value: full, target: 2.5 });
  // How far the descent gets on noisy answers if it settles at 0.1 %. (The default stops earlier, and matches
  // estimates.)
  const lossAt = async (tolerance: number) => {
    const settings = plan(schema, { epsilon: 1, estimate: "raw", search: { tolerance } });
    const measured = await measure(table, settings, { seed: 1, unsafeNoiseKey: noiseKey(1) });
    return (await resample(measured)).outcome.loss;
  };
  report({
    metric: "loss N'=n / loss after 50 sweeps",
    value: (await lossAt(0.001)) / (await lossAt(0)),
    target: 1.002,
  });

  const folder = mkdtempSync(join(tmpdir(), "standin-adult-"));
  try {
    const schemaPath = join(folder, "adult.schema.json");
    writeFileSync(schemaPath, JSON.stringify(json));
    const args = [
      cli,
      "synth",
      path,
      "--schema",
      schemaPath,
      "--epsilon",
      "1",
      "-o",
      join(folder, "out.csv"),
      "--quiet",
    ];
    let peak = 0;
    const seconds = await best(3, async () => {
      peak = Math.max(peak, await peakOf(args));
    });
    report({ metric: "standin synth, whole, s", value: seconds, target: 6 });
    report({ metric: "standin synth, peak MB", value: peak, target: 500 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
