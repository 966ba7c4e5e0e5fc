// The installed package in workerd, the runtime of Cloudflare's workers: the engine as a compiled module, and no
// network access.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, inject, it, onTestFinished } from "vitest";
import * as standin from "../../src/node.js";
import { expected, measuredBy } from "../vectors/job.mjs";
import { VECTORS } from "../vectors/vectors.js";
import { sources } from "./bundlers.js";
import { startWorkerd } from "./start-workerd.js";

// Its package throws if it has no executable for the machine.
const workerd = await import("workerd").then(
  (found) => found.default,
  () => "workerd",
);
const cannotRun = spawnSync(workerd, ["--version"]).status !== 0 && "workerd does not run on this machine";

it("as a worker", async ({ skip }) => {
  if (cannotRun) skip(cannotRun);
  const folder = sources(inject("installed"));
  await build({
    entryPoints: { worker: join(folder, "worker.mjs") },
    outdir: join(folder, "out"),
    bundle: true,
    format: "esm",
    conditions: ["workerd"],
    loader: { ".wasm": "copy" },
    assetNames: "[name]",
  });
  const { url, stop } = await startWorkerd(workerd, join(folder, "out"));
  onTestFinished(stop);
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(VECTORS) });
  expect(await answer.json()).toEqual({ made: await expected(VECTORS), shared: await measuredBy(1, standin) });
});
