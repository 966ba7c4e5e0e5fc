// The installed package in workerd, the runtime of Cloudflare's workers: the engine as a compiled module, and no way out.
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { build } from "esbuild";
import { expect, inject, it, onTestFinished } from "vitest";
import * as standin from "../../src/node.js";
import { expected, measuredBy } from "../vectors/job.mjs";
import { VECTORS } from "../vectors/vectors.js";
import { sources } from "./bundlers.js";

// Its package throws where it has no executable for the machine.
const workerd = await import("workerd").then(
  (found) => found.default,
  () => "workerd",
);
const cannotRun = spawnSync(workerd, ["--version"]).status !== 0 && "workerd does not run on this machine";

const CONFIG = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ (name = "main", worker = .worker), (name = "nowhere", network = (allow = [])) ],
  sockets = [ (name = "http", address = "127.0.0.1:0", http = (), service = "main") ],
);
const worker :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "engine.wasm", wasm = embed "engine.wasm"),
  ],
  compatibilityDate = "2026-11-01",
  globalOutbound = "nowhere",
);
`;

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
  writeFileSync(join(folder, "out/config.capnp"), CONFIG);
  const url = await start(join(folder, "out/config.capnp"));
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(VECTORS) });
  expect(await answer.json()).toEqual({ made: await expected(VECTORS), shared: await measuredBy(1, standin) });
});

/** Starts workerd until the test ends; returns where it listens, which it says on a descriptor of its own. */
async function start(config: string): Promise<string> {
  const child = spawn(workerd, ["serve", config, "--control-fd=3"], {
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
  onTestFinished(() => {
    child.kill();
  });
  for await (const line of createInterface(child.stdio[3] as Readable)) {
    const { event, port } = JSON.parse(line);
    if (event === "listen") return `http://127.0.0.1:${port}`;
  }
  throw new Error("workerd ended before it listened.");
}
