import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type Environment, pythonEnvironment } from "./python-environment.js";

/** The longest time for downloading and installing packages. */
const PATIENCE = 300_000;

/** The built Python package, installed in its own environment with only what its tests need. */
export interface Installed {
  /** The reason why there is none; `undefined` if there is one. */
  readonly missing: string | undefined;
  readonly wheel: string;
  /** Runs Python in an empty folder. Returns its output. */
  run(args: readonly string[], input?: string): string;
}

/** Installs it for the tests of one file: call it at the file's top, and read the result in tests. */
export function pythonPackage(): Installed {
  const folder = mkdtempSync(join(tmpdir(), "standin-python-"));
  let made: Environment | string = "";
  beforeAll(() => {
    made = existsSync("dist/standin-core.wasm") ? pythonEnvironment(folder) : "there is no core (npm run core)";
  }, PATIENCE);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    get missing() {
      return typeof made === "string" ? made : undefined;
    },
    get wheel() {
      return (made as Environment).wheel;
    },
    run(args, input = "") {
      const { python, env } = made as Environment;
      const options = { cwd: folder, env, input, encoding: "utf8", stdio: "pipe", maxBuffer: 2 ** 26 } as const;
      return execFileSync(python, args, options);
    },
  };
}
