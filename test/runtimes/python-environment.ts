import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

const PYTHON = process.env.STANDIN_PYTHON ?? "python3";
const SOURCES = resolve("bindings/python");

/** A Python environment in a folder, with the built package in it. */
export interface Environment {
  readonly python: string;
  readonly wheel: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Builds the package and installs it with only what its tests need. Returns the reason if it cannot. */
export function pythonEnvironment(folder: string): Environment | string {
  const probe = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))";
  if (spawnSync(PYTHON, ["-c", probe]).status !== 0)
    return `${PYTHON} is no Python 3.11 that can make environments; STANDIN_PYTHON can name another`;
  const python = join(folder, "environment/bin/python");
  const wheels = join(folder, "wheels");
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1", PYTHONPATH: "", PIP_DISABLE_PIP_VERSION_CHECK: "1" };
  const pip = (...args: string[]) => execFileSync(python, ["-m", "pip", "--quiet", ...args], { env, stdio: "pipe" });
  execFileSync(PYTHON, ["-m", "venv", join(folder, "environment")]);
  try {
    pip("install", "--requirement", join(SOURCES, "tests/requirements.txt"));
  } catch {
    return "pip cannot install what the package and its tests need";
  }
  pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", wheels, SOURCES);
  const wheel = join(wheels, readdirSync(wheels)[0]);
  pip("install", "--no-index", wheel);
  return { python, wheel, env };
}
