// Runs before the tests (npm test): installs Debian's Python if there is none that can create environments. Tests that
// find none are skipped, and say so.
import { spawnSync } from "node:child_process";
import { installFromDebian } from "./debian.mjs";

if (!process.env.STANDIN_PYTHON && spawnSync("python3", ["-c", "import ensurepip, venv"]).status !== 0)
  installFromDebian("python3-venv", "Python", "tests of the Python package will be skipped");
