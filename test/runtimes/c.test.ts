// The C library, with the core that was built before the tests. It is skipped without a C compiler, CMake and Python,
// without a core, and where wasmtime's C API cannot be downloaded. Its tests need the linker of Linux.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { wasmtimeFolder } from "../../bindings/c/test/wasmtime.mjs";

const MINUTES = 60_000;
const FOLDER = resolve("bindings/c");
const STRICT = "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror";
const SANITIZED = "-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all";
const PEOPLE = `sex,age\n${"F,31\nM,64\nF,18\n".repeat(300)}`;
const made = mkdtempSync(join(tmpdir(), "standin-c-"));
let missing: string | undefined;
let wasmtime = "";

/** Runs a program. Returns what it printed, and fails unless it succeeds. */
function run(program: string, args: readonly string[], cwd = made): string {
  const { error, status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  expect(status, error ? error.message : stdout + stderr).toBe(0);
  return stdout;
}

/** Builds a CMake project. Returns where. */
function build(name: string, source: string, ...options: string[]): string {
  const into = join(made, name);
  const defined = [`WASMTIME_DIR=${wasmtime}`, ...options].flatMap((option) => ["-D", option]);
  run("cmake", ["-S", source, "-B", into, ...defined]);
  run("cmake", ["--build", into, "--parallel", "2"]);
  return into;
}

const runs = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

beforeAll(() => {
  if (process.platform !== "linux") missing = "it is tested on Linux";
  else if (!runs("cc", "--version") || !runs("c++", "--version")) missing = "there are no compilers of C and C++";
  else if (!runs("cmake", "--version") || !runs("make", "--version")) missing = "there is no CMake, or no make";
  else if (!existsSync("dist/standin-core.wasm")) missing = "there is no core (npm run core)";
  if (missing) return;
  try {
    wasmtime = wasmtimeFolder();
  } catch (error) {
    missing = `wasmtime's C API cannot be installed: ${(error as Error).message.split("\n")[0]}`;
  }
}, 10 * MINUTES);
afterAll(() => rmSync(made, { recursive: true, force: true }));

it("passes its own tests, including all vectors, under sanitizers", { timeout: 10 * MINUTES }, ({ skip }) => {
  if (missing) skip(missing);
  const built = build("tests", FOLDER, "STANDIN_TESTS=ON", `CMAKE_C_FLAGS=${STRICT} ${SANITIZED}`);
  expect(run("ctest", ["--output-on-failure", "--parallel", "2"], built)).toContain("100% tests passed");
});

it("gives other projects a package, with which the README's program runs", { timeout: 10 * MINUTES }, ({ skip }) => {
  if (missing) skip(missing);
  const installed = join(made, "installed");
  const built = build("library", FOLDER, "CMAKE_BUILD_TYPE=Release", `CMAKE_C_FLAGS=${STRICT}`);
  run("cmake", ["--install", built, "--prefix", installed]);
  const strict = [`CMAKE_C_FLAGS=${STRICT}`, `CMAKE_CXX_FLAGS=${STRICT}`];
  const options = [`CMAKE_PREFIX_PATH=${installed}`, `README=${join(FOLDER, "README.md")}`, ...strict];
  const programs = build("programs", join(FOLDER, "test/installed"), ...options);
  writeFileSync(join(programs, "people.csv"), PEOPLE);
  const [guarantee, header, ...rows] = run(join(programs, "example"), [], programs).trimEnd().split("\n");
  expect(JSON.parse(guarantee)).toMatchObject({ epsilon: 1, neighbours: "add-remove" });
  expect([header, rows.length]).toEqual(["sex,age", 5]);
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(run(join(programs, "version"), [])).toBe(`${version}\n`);
});
