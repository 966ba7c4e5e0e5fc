import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type Environment, pythonEnvironment } from "./python-environment.js";

/** Most that downloading and installing packages takes. */
const PATIENCE = 300_000;

/**
 * The Python package as it is built, installed in an environment of its own and nothing else but what its tests need.
 */
export interface Installed {
  /** Why there is none; `undefined` where there is. */
  readonly missing: string | undefined;
  readonly wheel: string;
  /** Runs Python in an empty folder. Returns what it prints. */
  run(args: readonly string[], input?: string): string;
}

/** Installs it for the tests of one file: call it at the file's top, and read the result in tests. */
export function pythonPackage(): Installed {
  const folder = mkdtempSync(join(tmpdir(), "standin-python-"));
  let made: Environment | string = "";
  beforeAll(() => {
    made = pythonEnvironment(folder);
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
