// The recipe for R, with the C library. It is skipped without R, and where the C library cannot be built.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseRelease } from "../../src/node.js";
import { type CTools, cTools } from "./c-tools.js";

const MINUTES = 60_000;
const made = mkdtempSync(join(tmpdir(), "standin-r-"));
let missing: string | undefined;
let tools: CTools;

beforeAll(() => {
  if (spawnSync("R", ["--version"]).status !== 0) missing = "there is no R";
  else if (!existsSync("dist/standin-core.wasm")) missing = "there is no core (npm run core)";
  const found = missing ?? cTools();
  if (typeof found === "string") missing = found;
  else tools = found;
}, 10 * MINUTES);
afterAll(() => rmSync(made, { recursive: true, force: true }));

it("runs the README's program, and takes and gives columns of every kind", { timeout: 10 * MINUTES }, ({ skip }) => {
  if (missing) skip(missing);
  const [library, installed] = ["library", "installed"].map((name) => join(made, name));
  tools.build("bindings/c", library, ["CMAKE_BUILD_TYPE=Release", "CMAKE_INSTALL_LIBDIR=lib"]);
  tools.run("cmake", ["--install", library, "--prefix", installed]);
  for (const file of ["standin.c", "standin.R", "test.R"]) copyFileSync(join("bindings/r", file), join(made, file));
  const env = {
    R_USER_CACHE_DIR: join(made, "cache"),
    PKG_CPPFLAGS: `-Wall -Werror -I${installed}/include`,
    PKG_LIBS: `-L${installed}/lib -lstandin -L${tools.wasmtime}/lib -lwasmtime -Wl,-rpath,${tools.wasmtime}/lib`,
  };
  tools.run("R", ["CMD", "SHLIB", "standin.c"], made, env);

  const [, program] = readFileSync("bindings/r/README.md", "utf8").match(/```r\n(.*?)```/s)!;
  writeFileSync(join(made, "program.R"), program);
  const printed = tools.run("Rscript", ["--vanilla", "program.R"], made, env).trimEnd().split("\n");
  expect(printed[0].trim().split(/\s+/)).toEqual(["sex", "age"]);
  expect(printed.slice(1)).toHaveLength(5);
  for (const row of printed.slice(1)) expect(row).toMatch(/^\d +[FM] +\d+$/);
  const { facts } = parseRelease(readFileSync(join(made, "release.json"), "utf8"));
  expect(facts.guarantee).toMatchObject({ epsilon: 1 });
  tools.run("Rscript", ["--vanilla", "test.R"], made, env);
});
