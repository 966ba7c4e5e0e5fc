import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { Folder, SCHEMA, wideFolder } from "./cli.js";

const PLAN = ["plan", "--schema", "people.schema.json", "--epsilon", "1"];

it("prints the columns, the ledger and the guarantee, and needs no table", async () => {
  const { code, stdout, stderr } = await new Folder().run(PLAN);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toBe(`column  modelled as
name    not at all (drop)
group   2 categories, or missing
score   0 to 10 in steps of 1, or missing

query        columns        cells   sigma  readable from         rho
marginal     group              3  44.757            135  0.00024960
marginal     score             12  31.653            380  0.00049906
interaction  group × score     36  4.6348            167    0.014224
sum          3 items           51                           0.014973

sigma is the standard deviation of the noise on each cell, in rows. A marginal, or that of an interaction, is readable from the number of rows that makes its average cell (rows divided by cells) as large as sigma; with fewer rows, it is mostly noise. Half of the listed marginals are readable from 167 rows, all of them from 380. All this holds if it is measured as listed: the rule below may measure other marginals, with other noise.

Dependences can be seen, if all sets of as many columns are measured alike, in pairs from 417 rows on.

Of this, rho = 0.014224 is spent by a rule. Single columns are measured first. Their noisy answers decide how this part is divided, so that the expected error is smallest, between the column sets of the workload and a second measurement of single columns. Pairs that the noise would hide are not measured; if there are any, the other pairs are chosen, in up to four rounds, by how far they are from what is known already. Where there are too many cells for the noise, neighbouring or rare values are measured as groups. Of pairs, only their interactions, which single columns do not tell, are measured if that lowers the expected error. The list above is what is measured if the noisy answers give no reason to change it.

memory: the search takes 0.1 MB, and 14 MB for a million rows that it makes; the vault 0.2 MB, and 4.2 MB for a million rows of the table

private-gsd, estimate shrunk, 2 stages, budget rho = 0.014973: ε = 1, δ = 1e-9 for one row (add-remove)
`);
});

it("refuses a table, which it would not read", async () => {
  const { code, stderr } = await new Folder().run([...PLAN, "people.csv"]);
  expect(code).toBe(2);
  expect(stderr).toBe(
    'standin: A plan reads no table, but "people.csv" was given. Leave it out: a plan follows from the schema.\n',
  );
});

it("--json gives the plan in full precision", async () => {
  const plan = JSON.parse((await new Folder().run([...PLAN, "--json"])).stdout);
  expect(plan).toMatchObject({
    mechanism: "private-gsd",
    estimate: "shrunk",
    stages: 2,
    neighbours: "add-remove",
    epsilon: 1,
    delta: 1e-9,
  });
  expect(plan.rho).toBeCloseTo(0.0149730577, 9);
  expect(plan.items).toHaveLength(3);
  // An interaction of 3 × 12 codes: a row counts for 36, and its squares sum up to 3 · 2 · 12 · 11.
  const { kind, query, columns, cells, scale, sensitivity, sigma2, rho, noise } = plan.items[2];
  // With this many rows, and not one fewer, the mean cell is σ.
  expect(noise).toEqual({ sigma: Math.sqrt(sigma2) / 36, readableFrom: expect.any(Number) });
  expect(noise.readableFrom / 36).toBeGreaterThanOrEqual(noise.sigma);
  expect((noise.readableFrom - 1) / 36).toBeLessThan(noise.sigma);
  expect({ kind, query, columns, cells, scale, sensitivity }).toEqual({
    kind: "measurement",
    query: "interaction",
    columns: ["group", "score"],
    cells: 36,
    scale: 36,
    sensitivity: Math.sqrt(792),
  });
  expect(rho).toBeGreaterThanOrEqual(792 / (2 * sigma2));
  expect(rho).toBeLessThanOrEqual(plan.cap);
  const first = plan.items[0].rho + plan.items[1].rho;
  expect(first + plan.cap).toBeLessThanOrEqual(plan.rho);
  expect(first + plan.cap).toBeGreaterThan(0.99999 * plan.rho);
  expect(plan.rule).toMatch(/^Single columns are measured first/);
  expect(plan.guarantee).toEqual({ epsilon: 1, delta: 1e-9, unit: "row", neighbours: "add-remove" });
});

it("takes ρ instead of ε, and rounds ε up", async () => {
  const { stdout } = await new Folder().run(["plan", "--schema", "people.schema.json", "--rho", "0.1"]);
  // CKS: ε(.1, 1e-9) = 2.71548188673.
  expect(stdout).toMatch(/: ε = 2\.71549, δ = 1e-9 for one row \(add-remove\)\n$/);
});

it("takes δ = 1/n2 with the declared number of rows under replace", async () => {
  const args = [...PLAN, "--neighbours", "replace", "--public-rows", "1000", "--delta", "1/n2", "--json"];
  const { stdout } = await new Folder().run(args);
  expect(JSON.parse(stdout)).toMatchObject({ neighbours: "replace", publicRows: 1000, delta: 1e-6 });
});

it("says how much memory the rows will take, if their number is known", async () => {
  const declared = [...PLAN, "--neighbours", "replace", "--public-rows", "5000000"];
  const memory = async (...args: string[]) => /^memory: .*$/m.exec((await new Folder().run(args)).stdout)?.[0];
  // A row takes 4 bytes per column and 6 more in the search, and 2 bytes per column in counting.
  expect(await memory(...declared)).toBe(
    "memory: the search takes 71 MB for 5,000,000 rows that it makes; the vault 21 MB for 5,000,000 rows of the table",
  );
  expect(await memory(...declared, "--rows", "1000000")).toMatch(/search takes 15 MB for 1,000,000 rows .*vault 21 MB/);
  expect(await memory(...PLAN, "--rows", "2000000")).toMatch(
    /search takes 29 MB for 2,000,000 .*vault 0\.2 MB, and 4\.2 MB/,
  );
});

it("lists the items of a workload file and of a tree", async () => {
  const folder = new Folder();
  const income = { name: "income", type: "integer", constraints: { minimum: 0, maximum: 100_000, required: true } };
  folder.write("people.schema.json", JSON.stringify({ fields: [...SCHEMA.fields, income] }));
  folder.write("w.json", '\ufeff[["income", "group"], ["score"], ["group", "income"]]');
  const { code, stdout } = await folder.run([...PLAN, "--workload", "w.json"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^income {2}0 to 100000 in steps of 1, as a tree of 32 leaves$/m);
  expect(stdout).toMatch(/^tree +group × income +186 /m);
  expect(stdout).toMatch(/^marginal +score +12 /m);
  // A tree has 186 cells, and each of its 5 levels counts all rows: its mean cell has 5/186 of them.
  const [, sigma, from] = /^tree +group × income +186 +([\d.]+) +(\d+) /m.exec(stdout)!;
  expect(Number(from)).toBe(Math.ceil((Number(sigma) * 186) / 5));
  expect(stdout).toMatch(/^sum +4 items +263 +0.014973$/m);
});

it("says that figures of listed marginals are none of those that are chosen later", async () => {
  const folder = new Folder();
  const fields = ["a", "b", "c", "d"].map((name) => ({ name, type: "boolean", constraints: { required: true } }));
  folder.write("people.schema.json", JSON.stringify({ fields }));
  const told = async (...args: string[]) => (await folder.run([...PLAN, ...args])).stdout;
  const rounds = await told("--workload", "3-way", "--rounds", "1", "--per-round", "2");
  const [, most] = /^marginal +2 times one that is chosen +≤ 8 +\S+ +≤ ([\d,]+) /m.exec(rounds)!;
  expect(rounds).toContain(
    `What is chosen later is not among these: each marginal is readable from ${most} rows or fewer.`,
  );
  expect(rounds).toMatch(/This plan chooses among sets of up to 3: --workload/);
  // Choices among cells of pairs measure nothing; the total is no marginal.
  const signed = await told("--mechanism", "fem", "--rounds", "2", "--per-round", "2");
  expect(signed).toMatch(/^sigma is the standard deviation of the noise on each answer, in rows\.$/m);
  expect(signed).toMatch(/This plan chooses among sets of up to 2: /);
  expect(await told("--mechanism", "aim")).toMatch(/ Later rounds have other noise, by the rule below\.$/m);
});

it("says in sets of how many columns a dependence can be seen", async () => {
  const folder = new Folder();
  const columns = ["a", "b", "c", "d"].map((name, at) => ({
    ...{ name, type: "integer", constraints: { minimum: 0, maximum: at ? 3 ** at : 1, required: true } },
    standin: { bins: at ? 3 ** at + 1 : 2 },
  }));
  folder.write("people.schema.json", JSON.stringify({ fields: columns }));
  const seen = async (...args: string[]) => /^Dependences.*$/m.exec((await folder.run([...PLAN, ...args])).stdout)?.[0];
  // σ = √(sets/2ρ), with 6, 4 and 1 sets of 2 · 4, …, 10 · 28 cells; 2σ for each cell.
  expect(await seen()).toBe(
    "Dependences can be seen, if all sets of as many columns are measured alike, in pairs from 227 rows on (all: 7,927), in sets of 3 from 1,850 rows on (all: 25,889), in sets of 4 from 25,889 rows on. This plan measures sets of up to 2: --workload and --target ask for larger sets.",
  );
  expect(await seen("--workload", "4-way")).toMatch(/ rows on\.$/);
  expect(await seen("--workload", "1-way")).toMatch(/ This plan measures single columns: /);
  expect(await seen("--target", "a")).toMatch(/ sets of as many columns with a are .* in pairs from 161 rows on \(all/);
  expect(await seen("--neighbours", "replace", "--public-rows", "3000")).toBe(
    "Dependences in 3,000 rows can be seen, if all sets of as many columns are measured alike, in pairs with up to 74 cells, in sets of 3 with up to 91 cells, in no set of 4. This plan measures sets of up to 2: --workload and --target ask for larger sets.",
  );
});

it("says in a few lines what each class of queries takes, however many candidates there are", async () => {
  const folder = new Folder();
  const prefixes = { query: "random-prefixes", columns: ["group", "score"], count: 200_000, seed: 1, weight: 3 };
  folder.write("q.json", JSON.stringify([prefixes, { expression: "score < 3", weight: 0.5 }]));
  const { code, stdout } = await folder.run([...PLAN, "--queries", "q.json", "--rounds", "9"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^choice +9 times 1 of 200,002 by max +0\.0040427$/m);
  expect(stdout).toMatch(/^query +9 times one that is chosen +≤ 36 /m);
  expect(stdout).toMatch(/^sum +\d+ items +≤ \d+ /m);
  expect(stdout).toMatch(/^class +candidates +items +rho$/m);
  expect(stdout).toMatch(/^marginal +1 +≤ 3 +≤ 0.0025454$/m);
  expect(stdout).toMatch(/^random-prefixes +200,000 +≤ 9 +≤ 0.0094330$/m);
  expect(stdout).toMatch(/^expression +1 +≤ 1 +≤ 0.0010481$/m);
  expect(stdout.split("\n").length).toBeLessThan(30);
  folder.write("q.json", JSON.stringify([{ ...prefixes, weight: 0 }]));
  expect((await folder.run([...PLAN, "--queries", "q.json"])).stderr).toMatch(
    /weight of 0; a weight is a number above 0/,
  );
});

it("states what rows will match, and in how many stages the workload is measured", async () => {
  const folder = new Folder();
  const printed = async (...args: string[]) => (await folder.run([...PLAN, ...args])).stdout;
  // The paper's form: only the workload, each query with an equal share, ρ = 1/(2σ²) for all of it.
  const raw = await printed("--estimate", "raw");
  expect(raw).toMatch(/^private-gsd, estimate raw, 1 stage, budget rho = 0\.014973: /m);
  expect(raw).toMatch(/^marginal +group × score +36 +5\.7787 +209 +0\.014973\nsum +1 item /m);
  expect(raw).not.toMatch(/rule/);
  expect(await printed("--stages", "1")).toBe(raw.replace("estimate raw", "estimate shrunk"));
  expect(await printed("--search", "paper")).toBe(raw);
  expect(await printed("--search", "paper", "--estimate", "shrunk")).toBe(await printed("--stages", "2"));
  // A round that would choose the only pair there is needs no choice.
  expect(await printed("--selection", "max", "--rounds", "1")).toMatch(
    /^private-gsd, estimate shrunk, 1 stage, budget/m,
  );
  const wide = await wideFolder().run([...PLAN, "--selection", "max", "--rounds", "1"]);
  expect(wide.stdout).toMatch(/^private-gsd, estimate shrunk, rounds, budget/m);
  expect(JSON.parse(await printed("--stages", "1", "--json"))).toMatchObject({ estimate: "shrunk", stages: 1 });
});

it("says for a declared number of rows in how many tables the mean cell is no smaller than the noise", async () => {
  const folder = new Folder();
  const declared = (rows: number) => [...PLAN, "--neighbours", "replace", "--public-rows", String(rows)];
  type Item = { cells: number; noise: { readableFrom: number; meanCell: number } };
  const itemsOf = async (rows: number): Promise<Item[]> =>
    JSON.parse((await folder.run([...declared(rows), "--json"])).stdout).items;
  // The noise for a declared number of rows does not depend on that number.
  const [, middle] = (await itemsOf(300)).map(({ noise }) => noise.readableFrom).sort((a, b) => a - b);
  for (const { cells, noise } of await itemsOf(middle)) expect(noise.meanCell).toBeCloseTo(middle / cells, 9);
  for (const [rows, readable] of [
    [middle, 2],
    [middle - 1, 1],
  ])
    expect((await folder.run(declared(rows))).stdout).toContain(
      `${rows} rows make ${readable} of the 3 listed marginals readable.`,
    );
});

it("sums up by kind more items than anybody reads", async () => {
  const folder = new Folder();
  const names = Array.from({ length: 32 }, (_, at) => `c${at}`);
  const sized = (name: string, at: number) => ({
    ...{ name, type: "integer", constraints: { minimum: 0, maximum: 1 + (at % 3), required: true } },
  });
  folder.write("people.schema.json", JSON.stringify({ fields: names.map(sized) }));
  const { stdout } = await folder.run([...PLAN, "--workload", "2-way"]);
  expect(stdout).toMatch(/^marginal +32 columns +2 to 4 +[\d.]+ to [\d.]+ +\d+ to \d+ +0\.0/m);
  expect(stdout).toMatch(/^interaction +496 sets of 2 columns +4 to 16 +[\d.]+ to [\d.]+ +[\d,]+ to [\d,]+ +0\.01/m);
  expect(stdout).toMatch(/^sum +528 items /m);
  expect(stdout.split("\n").length).toBeLessThan(50);
});

it("says that a schema with facts from the rows has no guarantee", async () => {
  const folder = new Folder();
  const fields = SCHEMA.fields.map((field) => ({ ...field, standin: { ...field.standin, provenance: "read" } }));
  folder.write("people.schema.json", JSON.stringify({ fields }));
  const { stdout } = await folder.run([...PLAN, "--allow-unreviewed-schema"]);
  expect(stdout).toMatch(/: NOT differentially private: \d+ facts were read from the rows: .*group/);
});

it("control characters in a name do not reach a terminal", async () => {
  const folder = new Folder();
  const fields = [{ ...SCHEMA.fields[1], name: "gr\u001b[2Jo\nup" }];
  folder.write("people.schema.json", JSON.stringify({ fields }));
  const { stdout } = await folder.run(PLAN);
  expect(stdout).toContain("gr [2Jo up");
  const refused = await folder.run([...PLAN, "--workload", "w.json", "--neighbours", "a\u001b[2Jb"]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what is looked for
  expect(stdout + refused.stderr).not.toMatch(/\u001b/);
});

it("--help of every command shows an example that names no file of the repository, --version the version", async () => {
  const folder = new Folder();
  for (const command of ["plan", "synth", "evaluate"]) {
    const { code, stdout } = await folder.run([command, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^ {2}standin ${command} .*--schema people\\.schema\\.json`, "m"));
    expect(stdout).not.toMatch(/examples\//);
  }
  expect((await folder.run(["-h"])).stdout).toMatch(/^Example$/m);
  expect((await folder.run([])).code).toBe(0);
  expect((await folder.run(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it("--help lists the options of one mechanism, and an option of another is refused with its name", async () => {
  const folder = new Folder();
  const help = async (...args: string[]) => (await folder.run(["plan", ...args, "--help"])).stdout;
  expect(await help()).toMatch(/^Options of private-gsd .*--mechanism NAME --help/m);
  expect(await help()).not.toMatch(/--iterate/);
  expect(await help("--mechanism", "pep")).toMatch(/^ {2}--iterate NAME +the density/m);
  expect(await help("--mechanism", "pep")).not.toMatch(/--estimate/);
  expect(await help("--mechanism", "auto")).not.toMatch(/^Options of/m);
  const unknown = await folder.run(["plan", "--mechanism", "pepp", "--help"]);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringMatching(/"pepp".*Did you mean pep\?/)]);
  expect((await folder.run([...PLAN, "--iterate", "last"])).stderr).toBe(
    "standin: private-gsd has no option --iterate. These have: mwem, mwem-past, pep, pmw-pub, pep-pub.\n",
  );
});

it("says of each mechanism what its items and its rows are", async () => {
  const folder = new Folder();
  const printed = async (mechanism: string, ...args: string[]) =>
    (await folder.run([...PLAN, "--mechanism", mechanism, ...args])).stdout;
  const rap = await printed("rap");
  expect(rap).toMatch(/^cells of marginals +36 /m);
  expect(rap).toMatch(/^rap, rounds, budget/m);
  expect(rap).toMatch(/search takes [\d.]+ MB for any number of rows that it makes;/);
  expect(await printed("mwem", "--iterate", "average")).toMatch(/^mwem, iterate average, 1 stage, budget/m);
  expect(await printed("fem", "--law", "permute-and-flip")).toMatch(/ by signed \(permute-and-flip\) /);
  // The prices of these choices differ.
  expect(await printed("dual-query")).toMatch(/^choice +\d+ times \d+ of 72 by signed \(replacement\) /m);
});

it("the examples of the help run as they stand", async () => {
  const folder = new Folder();
  execFileSync("ln", ["-s", `${process.cwd()}/examples`, folder.at("examples")]);
  for (const command of ["plan", "synth", "evaluate"]) {
    const { stdout } = await folder.run([command, "--help"]);
    const example = stdout.trimEnd().split("\n").at(-1)!.trim().split(" ").slice(1);
    expect((await folder.run(example)).code).toBe(0);
  }
});

it("prints dates and amounts as they are written, and their steps with a unit", async () => {
  const folder = new Folder();
  const day = { type: "date", format: "%d/%m/%Y", constraints: { minimum: "01/03/2024", maximum: "15/03/2024" } };
  const price = { type: "number", bareNumber: false, constraints: { minimum: 0, maximum: 5 } };
  const standin = { granularity: 0.5, format: { prefix: "$" } };
  const fields = [
    { name: "day", ...day },
    { name: "price", ...price, standin },
  ];
  folder.write("people.schema.json", JSON.stringify({ fields }));
  const { stdout } = await folder.run(PLAN);
  expect(stdout).toMatch(/^day {5}01\/03\/2024 to 15\/03\/2024 in steps of 1 d, or missing$/m);
  expect(stdout).toMatch(/^price {3}\$0\.0 to \$5\.0 in steps of 0\.5, or missing$/m);
});

it("states the errors that hdmm is expected to have", async () => {
  const folder = new Folder();
  const { stdout } = await folder.run([...PLAN, "--mechanism", "hdmm"]);
  // All of the budget buys this pair, and nothing else says more about it.
  expect(stdout).toContain("answers to     cells  expected error\ngroup × score     36          5.7787\n");
  expect(stdout).toContain(
    "the root of its mean square is 5.779; no Gaussian noise at this price has less than 5.779.",
  );
  const json = JSON.parse((await folder.run([...PLAN, "--mechanism", "hdmm", "--json"])).stdout);
  const [{ sigma }] = json.expected.marginals;
  expect(json.expected).toEqual({
    marginals: [{ columns: ["group", "score"], cells: 36, sigma }],
    ...{ rms: expect.closeTo(sigma, 12), least: expect.closeTo(sigma, 12) },
  });
  expect(sigma).toBeCloseTo(Math.sqrt(1 / (2 * json.rho)), 4);
});

it("lists the parts of the domain that densities are kept in", async () => {
  const folder = new Folder();
  folder.write("w.json", JSON.stringify([["group", "score"]]));
  const { stdout } = await folder.run([...PLAN, "--mechanism", "pep", "--workload", "w.json"]);
  expect(stdout).toContain("density over   points\ngroup × score      36\n");
});
