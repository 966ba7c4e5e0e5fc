// How tests and benches run cargo in the Rust crate's folder.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const CARGO = process.env.STANDIN_CARGO;
const LINTER = "clippy-driver";
/** Where cargo builds. */
export const BUILT = process.env.CARGO_TARGET_DIR ?? resolve("node_modules/.cache/standin-rust");
/** Clippy, if it is there, compiles the crate: so what the crate depends on is compiled once for both. */
const isLinted = CARGO === undefined && spawnSync(LINTER, ["--version"]).status === 0;
const linted = isLinted ? { RUSTC_WORKSPACE_WRAPPER: LINTER } : {};
const env = { ...process.env, ...linted, CARGO_TARGET_DIR: BUILT };

/** Runs cargo. Returns its status and what it printed. */
export function cargo(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(CARGO ?? "cargo", args, { cwd: "bindings/rust", encoding: "utf8", env });
  return { status, output: `${stdout}${stderr}` };
}

/** Why the crate cannot be built here, if it cannot. */
export function missingCargo(): string | undefined {
  if (cargo("--version").status !== 0) return `${CARGO ?? "cargo"} is no cargo; STANDIN_CARGO can name another`;
  return cargo("fetch", "--locked").status === 0 ? undefined : "cargo can download no crates";
}
