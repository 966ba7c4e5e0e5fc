// Gets wasmtime's C API for the tests: its library from a package of PyPI, its headers from one of crates.io, pinned by
// their hashes.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { alone } from "../../../core/alone.mjs";

// All paths begin at the repository, since benches bundle this file.
const CACHE = resolve("node_modules/.cache/standin-wasmtime");
const LIBRARY = resolve("bindings/c/test/requirements.txt");
const HEADERS = {
  name: "wasmtime-c-api-impl-50.0.1",
  address: "https://static.crates.io/crates/wasmtime-c-api-impl/wasmtime-c-api-impl-50.0.1.crate",
  sha256: "3c24d3970786b4baecb5b6aff31759b4f361879e8d99dbd5dc36a9524a0db6e6",
};

/**
 * @returns {string} a folder with include/ and lib/, which lasts
 * @throws where Python or curl are missing, or reach no registry
 */
export function wasmtimeFolder() {
  const pinned = hash(readFileSync(LIBRARY, "utf8") + HEADERS.sha256).slice(0, 12);
  const place = join(CACHE, pinned);
  const done = join(place, "done");
  if (!existsSync(done)) alone(CACHE, () => existsSync(done) || install(place, done));
  return place;
}

function install(place, done) {
  rmSync(CACHE, { recursive: true, force: true });
  mkdirSync(join(place, "lib"), { recursive: true });
  const run = (program, ...args) => execFileSync(program, args, { cwd: place, stdio: "pipe" });
  run(process.env.STANDIN_PYTHON ?? "python3", "-m", "venv", "environment");
  run("environment/bin/python", "-m", "pip", "install", "--quiet", "--require-hashes", "--requirement", LIBRARY);
  const installed = readdirSync(join(place, "environment"), { recursive: true, encoding: "utf8" });
  const library = installed.find((name) => name.endsWith("/_libwasmtime.so"));
  copyFileSync(join(place, "environment", library), join(place, "lib/libwasmtime.so"));
  const archive = `${HEADERS.name}.tar.gz`;
  run("curl", "--fail", "--silent", "--show-error", "--output", archive, HEADERS.address);
  if (hash(readFileSync(join(place, archive))) !== HEADERS.sha256) throw new Error(`${archive} has other contents.`);
  run("tar", "-xzf", archive);
  cpSync(join(place, HEADERS.name, "include"), join(place, "include"), { recursive: true });
  // The library was built with all features.
  const features = readFileSync(join(place, "include/wasmtime/conf.h.in"), "utf8");
  writeFileSync(join(place, "include/wasmtime/conf.h"), features.replaceAll("#cmakedefine", "#define"));
  writeFileSync(done, "");
}

const hash = (bytes) => createHash("sha256").update(bytes).digest("hex");
