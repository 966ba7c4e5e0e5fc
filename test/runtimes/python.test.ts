// The Python package, built and installed as its users do.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import * as standin from "../../src/node.js";
import { VECTORS } from "../vectors/vectors.js";
import { pythonPackage } from "./python.js";

const installed = pythonPackage();

/** Reads a wheel's files from its path, and prints their names and the digest of the engine. */
const CONTENT = `
import hashlib, json, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
engine = hashlib.sha256(wheel.read("standin/engine.wasm")).hexdigest()
print(json.dumps({"names": wheel.namelist(), "engine": engine}))`;

it("is a wheel of the package, with the same engine as the npm package", async ({ skip }) => {
  if (installed.missing) skip(installed.missing);
  const { names, engine } = JSON.parse(installed.run(["-c", CONTENT, installed.wheel]));
  const digest = await crypto.subtle.digest("SHA-256", readFileSync("dist/engine.wasm"));
  expect(engine).toBe(Buffer.from(digest).toString("hex"));
  const known = /^(standin\/([a-z_]+\/)*([a-z_]+\.py|engine\.wasm|py\.typed|LICENSE)|standin-[^/]+\.dist-info\/.+)$/;
  expect(names.filter((name: string) => !known.test(name))).toEqual([]);
});

it("passes its own tests, including its vectors, examples and README", { timeout: 300_000 }, ({ skip }) => {
  if (installed.missing) skip(installed.missing);
  const options = ["-p", "no:cacheprovider", "-q", "-rs", "--doctest-modules", "--pyargs"];
  const output = installed.run(["-m", "pytest", ...options, "standin", resolve("bindings/python/tests")]);
  expect(output).toMatch(/^\d+ passed in [\d.]+s/m);
});

it("is tested with what this package currently says about schemas", ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), "standin-recorded-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "recorded.json");
  execFileSync(process.execPath, ["bindings/python/tests/record.mjs", path]);
  expect(readFileSync(path, "utf8")).toBe(readFileSync("bindings/python/tests/recorded.json", "utf8"));
});

/** Prints the plans for schemas and options in the order they arrive, one per line. */
const PLANS = `
import json, sys, standin
assert "environment" in standin.__file__
for descriptor, options in json.load(sys.stdin):
    print(standin.plan(standin.parse_schema(descriptor), **options).to_json())`;

/** Options in terms that both languages have. */
const OPTIONS: readonly standin.PlanOptions[] = [
  { epsilon: 0.3 },
  { rho: 0.7, delta: 1e-6 },
  { epsilon: 1, workload: "1-way" },
  { epsilon: 1, workload: "3-way" },
  { epsilon: 1, workload: "3-way", selection: "none" },
  { epsilon: 2, selection: "l1", rounds: 1 },
  { epsilon: 2, selection: "aim" },
  { epsilon: 2, stages: 1, search: { tolerance: 0.05, maxSweeps: 7 } },
  { epsilon: 2, search: { method: "paper" } },
  { epsilon: 9, workload: [["sex"], ["age", "sex"]] },
];

it("makes the same plans", ({ skip }) => {
  if (installed.missing) skip(installed.missing);
  const requests = VECTORS.flatMap(({ schema }) => OPTIONS.map((options) => [schema, options] as const));
  const made = installed.run(["-c", PLANS], JSON.stringify(requests)).trimEnd().split("\n");
  const expected = requests.map(([schema, options]) =>
    JSON.stringify(standin.plan(standin.parseSchema(schema), options)),
  );
  expect(made).toEqual(expected);
});
