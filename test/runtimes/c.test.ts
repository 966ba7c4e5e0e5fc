// The C library, with the core that was built before the tests. It is skipped without a C compiler and CMake, without a
// core, and where wasmtime's C API cannot be downloaded.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CTools, cTools } from "./c-tools.js";

const MINUTES = 60_000;
const FOLDER = "bindings/c";
const STRICT = "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror";
const SANITIZED = "-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all";
const PEOPLE = `sex,age\n${"F,31\nM,64\nF,18\n".repeat(300)}`;
const made = mkdtempSync(join(tmpdir(), "standin-c-"));
let missing: string | undefined;
let tools: CTools;

beforeAll(() => {
  const found = existsSync("dist/standin-core.wasm") ? cTools() : "there is no core (npm run core)";
  if (typeof found === "string") missing = found;
  else tools = found;
}, 10 * MINUTES);
afterAll(() => rmSync(made, { recursive: true, force: true }));

it("passes its own tests, including all vectors, under sanitizers", { timeout: 10 * MINUTES }, ({ skip }) => {
  if (missing) skip(missing);
  const folder = join(made, "tests");
  tools.build(FOLDER, folder, ["STANDIN_TESTS=ON", `CMAKE_C_FLAGS=${STRICT} ${SANITIZED}`]);
  expect(tools.run("ctest", ["--output-on-failure", "--parallel", "2"], folder)).toContain("100% tests passed");
});

it("gives other projects a package without names of theirs, with which the README's program runs", {
  timeout: 10 * MINUTES,
}, ({ skip }) => {
  if (missing) skip(missing);
  const [library, installed, programs] = ["library", "installed", "programs"].map((name) => join(made, name));
  tools.build(FOLDER, library, ["CMAKE_BUILD_TYPE=Release", `CMAKE_C_FLAGS=${STRICT}`]);
  const names = tools.run("nm", ["--extern-only", "--defined-only", "--format=just-symbols", "libstandin.a"], library);
  expect(names.match(/^\w+$/gm)!.filter((name) => !/^(standin|stn)_/.test(name))).toEqual([]);
  tools.run("cmake", ["--install", library, "--prefix", installed]);
  const strict = [`CMAKE_C_FLAGS=${STRICT}`, `CMAKE_CXX_FLAGS=${STRICT}`];
  tools.build(join(FOLDER, "test/installed"), programs, [`CMAKE_PREFIX_PATH=${installed}`, ...strict]);
  writeFileSync(join(programs, "people.csv"), PEOPLE);
  const [guarantee, header, ...rows] = tools.run("./example", [], programs).trimEnd().split("\n");
  expect(JSON.parse(guarantee)).toMatchObject({ epsilon: 1, neighbours: "add-remove" });
  expect([header, rows.length]).toEqual(["sex,age", 5]);
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(tools.run("./version", [], programs)).toBe(`${version}\n`);
});
