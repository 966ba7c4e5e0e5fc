import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll } from "vitest";

const PYTHON = process.env.STANDIN_PYTHON ?? "python3";
const SOURCES = resolve("bindings/python");
/** Most that downloading and installing packages takes. */
const PATIENCE = 300_000;

/** The Python package as it is built, installed in an environment of its own and nothing else but what its tests need. */
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
  const python = join(folder, "environment/bin/python");
  const state = { missing: lackOf(PYTHON), wheel: "" };
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1", PYTHONPATH: "", PIP_DISABLE_PIP_VERSION_CHECK: "1" };
  const run = (args: readonly string[], input = "") =>
    execFileSync(python, args, { cwd: folder, env, input, encoding: "utf8", stdio: "pipe", maxBuffer: 2 ** 26 });
  const pip = (...args: string[]) => run(["-m", "pip", "--quiet", ...args]);
  beforeAll(() => {
    if (state.missing) return;
    execFileSync(PYTHON, ["-m", "venv", join(folder, "environment")]);
    try {
      pip("install", "--requirement", join(SOURCES, "tests/requirements.txt"));
    } catch {
      state.missing = "pip cannot install what the package and its tests need";
      return;
    }
    const wheels = join(folder, "wheels");
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", wheels, SOURCES);
    state.wheel = join(wheels, readdirSync(wheels)[0]);
    pip("install", "--no-index", state.wheel);
  }, PATIENCE);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return Object.assign(state, { run });
}

/** Why a Python cannot be used; `undefined` where it can. */
function lackOf(python: string): string | undefined {
  const probe = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))";
  if (spawnSync(python, ["-c", probe]).status === 0) return undefined;
  return `${python} is no Python 3.11 that can make environments; STANDIN_PYTHON can name another`;
}
