// Runs once before all tests: what they drive as a child process is what the sources say now.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export default function setup(): void {
  const built = ["dist/engine.wasm", "dist/cli.js", "dist/node.js"].map((path) =>
    existsSync(path) ? statSync(path).mtimeMs : 0,
  );
  if (changed("assembly") > built[0]) build("--engine");
  if (Math.max(changed("src"), built[0]) > Math.min(built[1], built[2])) build("--entries");
}

function changed(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Math.max(...files.map((name) => statSync(join(folder, name)).mtimeMs));
}

function build(part: string): void {
  execFileSync(process.execPath, ["build.mjs", part], { stdio: "inherit" });
}
