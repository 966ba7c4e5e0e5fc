// Runs once before all tests, so the tests that start child processes run the current sources.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export default function setup(): void {
  const engine = builtAt("dist/engine.wasm");
  if (changed("assembly") > engine) build("--engine");
  if (Math.max(changed("src"), engine) > Math.min(builtAt("dist/cli.js"), builtAt("dist/node.js"))) build("--entries");
}

/** Also builds the type declarations, if the sources have changed since. */
export function buildTypes(): void {
  if (changed("src") > builtAt("dist/types/src/node.d.ts")) build("--types");
}

function builtAt(path: string): number {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}

function changed(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Math.max(...files.map((name) => statSync(join(folder, name)).mtimeMs));
}

function build(part: string): void {
  execFileSync(process.execPath, ["build.mjs", part], { stdio: "inherit" });
}
