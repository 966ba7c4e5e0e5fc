// A kernel has one name everywhere: assembly/<room>/<name>.ts, test/reference/<name>.ts (a plain oracle),
// test/kernel/<name>.test.ts, bench/kernels/<name>.ts, and gpu/<name>.wgsl if a GPU can do it too. This test compares
// the folders with the lists below.
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { imports } from "./imports.js";

/** Files of assembly/ that do numeric work which hosts or the search call. */
const KERNELS = [
  "elementary",
  "philox",
  ...inRoom("privacy", "accounting chacha20 discrete-gaussian exp-table exponential reservoir scores sensitivity"),
  ...inRoom("queries", "centred codes expression groups half-spaces marginal ranges sums tree"),
  ...inRoom("estimate", "chains chance grouping haar hierarchy interaction margins public-rows"),
  ...inRoom("estimate", "ranking shrinkage simplex threshold"),
  ...inRoom("selection", "division"),
  ...inRoom("best-response", "responses"),
  ...inRoom("genetic", "batches crossover descent evolve fitness mutation neighbourhood"),
  ...inRoom("genetic", "quotas residuals sample start targets"),
  ...inRoom("notation", "doubles read-point read-value utf8 write-point"),
  ...inRoom("constraints", "repair row-tests solver"),
  ...inRoom("schema", "points"),
  ...inRoom("graphical", "contraction mirror-descent propagation row-keys"),
  ...inRoom("owner", "logistic unit-values"),
  ...inRoom("gradient", "adam batch-norm matrix-product product-queries sigmoid softmax sparsemax"),
  ...inRoom("density", "density-rows entropy-projection multiplicative-weights shrunk-answers weights"),
  ...inRoom(
    "files",
    "arrays cell-codes count-code ids line-end marks model-codes parser quotes recode rows values write-records",
  ),
];

/** The others, and why each is not a kernel. */
const NOT_KERNELS: Record<string, string> = {
  arena: "the allocator (test/engine.test.ts)",
  calls: "calls kernels one after the other (test/engine/calls.test.ts)",
  index: "the list of exports",
  "density-layout": "structs that engine and hosts share",
  "division-layout": "structs that engine and hosts share",
  "graphical-layout": "structs that engine and hosts share",
  "examples-layout": "structs that engine and hosts share",
  "half-spaces-layout": "numbers that engine and hosts share",
  instructions: "numbers that engine and hosts share",
  lanes: "tricks that are inlined into kernels and tested with them",
  layout: "numbers that engine and hosts share",
  "search-layout": "structs that engine and hosts share",
  sort: "the order that exponential, ranking and sample are tested with",
  "vault-bytes": "sizes added up for plans (test/privacy/vault-memory.test.ts)",
  "privacy/bernoulli": "trials that discrete-gaussian and exponential draw, with an oracle in test/reference/stream.ts",
  "privacy/integers": "roots and roundings that accounting and sensitivity are tested with",
  "privacy/ledger": "the state of a release (test/privacy/ledger.test.ts)",
  "privacy/stream": "the key and its streams (test/privacy/vault.test.ts), with an oracle in test/reference/stream.ts",
  "privacy/vault": "the door, which calls kernels (test/privacy/vault.test.ts)",
  "queries/boxes": "reads a struct",
  "queries/half-spaces-labels": "changes of labels, which residuals is tested with",
  "queries/half-spaces-lines": "the tables that half-spaces counts with",
  "queries/half-spaces-members": "draws members, for half-spaces and its search",
  "queries/half-spaces-search": "scores and changes, which residuals and descent are tested with",
  "queries/half-spaces-state": "what a search keeps of half-spaces",
  "queries/index": "the list of kinds of queries",
  "queries/kind": "the functions of a kind of queries, as types",
  "queries/query": "reads a struct",
  "queries/ranges-rows": "how ranges counts",
  "queries/ranges-state": "what a search keeps of ranges, whose scores and moves are tested with it",
  "files/column": "the struct of a column, and what is declared of it, which cell-codes is tested with",
  "files/dictionary": "remembers texts for cell-codes, whose test has texts with the same hash",
  "density/all-points": "how weights scales all combinations of codes",
  "density/density": "reads structs",
  "density/elimination": "how weights adds up marginals",
  "density/given-rows": "how weights scales given rows",
  "density/other-tables": "how weights scales tables",
  "density/measured": "errors and updates that multiplicative-weights and entropy-projection are tested with",
  "constraints/donors": "the last step of repair, tested with it",
  "constraints/lists": "combinations that row-tests and solver are tested with",
  "constraints/redraw": "what the solver finds, written into a row; repair is tested with it",
  "constraints/scale": "reads structs; row-tests, solver and repair are tested with it",
  "constraints/tuples": "rows by their codes, for repair and donors",
  "notation/calendar": "days and dates that read-value and write-point are tested with",
  "notation/digits": "integers as digits that read-value and write-point are tested with",
  "notation/limbs": "large integers that read-point and write-point are tested with",
  "notation/number": "the marks of numbers that read-value is tested with",
  "notation/pattern": "the patterns of dates and times that read-value is tested with",
  "notation/scratch": "reads a struct",
  "notation/write-moment": "a part of write-point",
  "notation/write-number": "a part of write-point",
  "genetic/block": "the memory of a search, part by part",
  "genetic/map": "says where tables lie (test/projection/batches.test.ts)",
  "genetic/open": "lays out memory and fills tables that residuals is tested with",
  "genetic/runs": "codes that a search takes for one, which descent is tested with",
  "genetic/shares": "levels that codes of a tree share, which residuals and neighbourhood are tested with",
  "genetic/search": "structs and where their members lie",
};

/** Files of gpu/ that are no kernels, and what each is for. */
const SHARED_ON_GPU: Record<string, string> = {
  blocks: "which numbers of relaxed rows a thread has, for softmax and sparsemax",
  counting: "the rows and the counts of marginal, ranges and half-spaces",
  "group-sum": "sums over the threads of a workgroup",
  "half-spaces-lines": "draws what half-spaces adds up",
  lines: "where changes of a row's cells read tables, for fitness and neighbourhood",
  prelude: "what all kernels of a GPU can use",
  query: "reads a struct",
  search: "what fitness, neighbourhood and residuals share",
};

/** Files next to those of the kernels, and what each is for. */
const HELPERS: Record<string, Record<string, string>> = {
  "test/reference": {
    audit: "the privacy loss that observed error rates prove",
    estimates: "the oracle of src/estimate/, made of the kernels' oracles",
    statistics: "what statistical tests decide by",
    stream: "words and trials that the oracles of several kernels draw",
  },
  "test/kernel": {},
  "bench/kernels": {
    densities: "what the benches of density/ share",
    kernel: "what the benches of all kernels share",
  },
};

function inRoom(room: string, names: string): string[] {
  return names.split(" ").map((name) => `${room}/${name}`);
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);
const names = KERNELS.map(nameOf);

/** The files below a folder, without their endings. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => name.replaceAll("\\", "/").replace(/(\.test)?\.ts$/, ""))
    .sort();

it("every file of assembly/ is a kernel, or is not one for a reason", () => {
  expect(filesIn("assembly")).toEqual([...KERNELS, ...Object.keys(NOT_KERNELS)].sort());
  expect(new Set(names).size).toBe(names.length);
});

it.each(Object.keys(HELPERS))("%s has a file for each kernel, and no other but its helpers", (folder) => {
  expect(filesIn(folder)).toEqual([...names, ...Object.keys(HELPERS[folder])].sort());
});

it("every file of gpu/ has the name of its twin in assembly/, and is tested with it on a GPU", () => {
  const found = readdirSync("gpu").filter((file) => file.endsWith(".wgsl"));
  const twins = found.map((file) => file.replace(".wgsl", "")).filter((name) => !SHARED_ON_GPU[name]);
  expect(twins.filter((name) => !names.includes(name))).toEqual([]);
  for (const name of twins)
    expect(readFileSync(`test/kernel/${name}.test.ts`, "utf8"), name).toMatch(/\b(gpuEngines|gradientEngines)\b/);
});

it("the test and the bench of a kernel use its oracle", () => {
  const links = ["test", "bench"].flatMap((folder) => [...imports(folder)]).filter(({ types }) => !types);
  const reached = (file: string): string[] => {
    const targets = links.filter((link) => link.file === file).map(({ target }) => target);
    const oracles = targets.filter((target) => target.startsWith("test/reference/"));
    return [...targets, ...oracles.flatMap((oracle) => reached(`${oracle}.ts`))];
  };
  for (const name of names)
    for (const file of [`test/kernel/${name}.test.ts`, `bench/kernels/${name}.ts`])
      expect(reached(file), file).toContain(`test/reference/${name}`);
});

it("an oracle runs nothing of src/ and assembly/: it takes types and the constants of the layout", () => {
  const taken = [...imports("test/reference")].filter(
    ({ target, types }) => !types && !target.startsWith("test/reference/"),
  );
  expect(new Set(taken.map(({ target }) => target))).toEqual(new Set(["src/engine/layout"]));
});
