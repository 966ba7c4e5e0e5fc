// The Python package, built and installed as its users do, with the core that was built before the tests.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import * as standin from "../../src/node.js";
import { VECTORS } from "../vectors/vectors.js";
import { pythonPackage } from "./python.js";

const installed = pythonPackage();

/** Reads a wheel's files from its path, and prints their names and the digests of the modules. */
const CONTENT = `
import hashlib, json, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
names = wheel.namelist()
modules = {name: hashlib.sha256(wheel.read(name)).hexdigest() for name in names if name.endswith(".wasm")}
print(json.dumps({"names": names, "modules": modules}))`;

it("is a wheel of the package, with the modules that were built", async ({ skip }) => {
  if (installed.missing) skip(installed.missing);
  const { names, modules } = JSON.parse(installed.run(["-c", CONTENT, installed.wheel]));
  const digest = async (name: string) =>
    Buffer.from(await crypto.subtle.digest("SHA-256", readFileSync(`dist/${name}`))).toString("hex");
  expect(modules).toEqual({
    "standin/wasm/engine.wasm": await digest("engine.wasm"),
    "standin/wasm/standin-core.wasm": await digest("standin-core.wasm"),
  });
  const known = /^(standin\/([a-z_]+\.py|wasm\/[a-z-]+\.wasm|py\.typed|LICENSE)|standin-[^/]+\.dist-info\/.+)$/;
  expect(names.filter((name: string) => !known.test(name))).toEqual([]);
});

it("passes its own tests, including its vectors, examples and README", { timeout: 600_000 }, ({ skip }) => {
  if (installed.missing) skip(installed.missing);
  const options = ["-p", "no:cacheprovider", "-q", "-rs", "--doctest-modules", "--pyargs"];
  const output = installed.run(["-m", "pytest", ...options, "standin", resolve("bindings/python/tests")]);
  expect(output).toMatch(/^\d+ passed in [\d.]+s/m);
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
  const expected = requests.map(([schema, options]) => standin.plan(standin.parseSchema(schema), options));
  expect(made.map((text) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(expected)));
});
