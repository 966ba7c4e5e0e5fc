import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** One worker of two modules, without access to a network. */
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

/**
 * Starts workerd on the worker.js and engine.wasm of a folder.
 * @param executable the path that the package `workerd` gives
 * @returns the address where it listens, which it reports on its own descriptor, and a function that stops it
 */
export async function startWorkerd(executable: string, folder: string): Promise<{ url: string; stop: () => void }> {
  const config = join(folder, "config.capnp");
  writeFileSync(config, CONFIG);
  const child = spawn(executable, ["serve", config, "--control-fd=3"], {
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
  for await (const line of createInterface(child.stdio[3] as Readable)) {
    const { event, port } = JSON.parse(line);
    if (event === "listen") return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
  }
  throw new Error("workerd ended before it listened.");
}
