import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Folder, synth } from "./cli.js";

const ALLOWED = [
  ["Lyon", "France"],
  ["Nice", "France"],
  ["Porto", "Portugal"],
];
const CONSTRAINTS = ["opened <= closed", "total = net + tax", { columns: ["city", "country"], allowed: ALLOWED }];
const int = (name: string, maximum: number) => ({ name, type: "integer", constraints: { minimum: 0, maximum } });
const FIELDS = [
  int("opened", 999),
  int("closed", 999),
  int("net", 200),
  int("tax", 50),
  int("total", 250),
  { name: "city", constraints: { enum: ALLOWED.map(([city]) => city) } },
  { name: "country", constraints: { enum: ["France", "Portugal"] } },
];
const HEADER = FIELDS.map(({ name }) => name).join(",");

/** Rows that satisfy the constraints. */
const ROWS = Array.from({ length: 300 }, (_, at) => {
  const [opened, net, tax] = [(at * 37) % 700, (at * 53) % 200, (at * 29) % 50];
  return [opened, opened + ((at * 17) % 300), net, tax, net + tax, ...ALLOWED[at % 3]].join(",");
});

function folderWith(constraints: unknown, rows: readonly string[] = ROWS): Folder {
  const folder = new Folder();
  folder.write("people.schema.json", JSON.stringify({ fields: FIELDS, standin: { constraints } }));
  folder.write("people.csv", `${HEADER}\n${rows.join("\n")}\n`);
  return folder;
}

const read = (folder: Folder, name: string) => readFileSync(folder.at(name), "utf8");

/** The rows of a file that break a constraint. */
function broken(text: string): string[] {
  const [header, ...rows] = text.trimEnd().split("\n");
  expect(header).toBe(HEADER);
  return rows.filter((row) => {
    const cells = row.split(",");
    const [opened, closed, net, tax, total] = cells.map((cell) => (cell === "" ? Number.NaN : Number(cell)));
    const [city, country] = cells.slice(5);
    const pair = ALLOWED.some((allowed) => allowed[0] === city && allowed[1] === country);
    return opened > closed || Math.abs(net + tax - total) > 0 || (city !== "" && country !== "" && !pair);
  });
}

it("the output satisfies the constraints, from the table and from the release, at any budget", async () => {
  const unconstrained = folderWith(undefined);
  await unconstrained.run(synth("--rows", "2000", "--seed", "1"));
  expect(broken(read(unconstrained, "out.csv")).length).toBeGreaterThan(1000);
  for (const epsilon of ["0.1", "8"]) {
    const folder = folderWith(CONSTRAINTS);
    const first = await folder.run(synth("--epsilon", epsilon, "--rows", "2000", "--seed", "1", "--release", "r.json"));
    expect(first.code).toBe(0);
    expect(broken(read(folder, "out.csv"))).toEqual([]);
    const again = await folder.run(["synth", "--from", "r.json", "-o", "again.csv"]);
    expect(again.code).toBe(0);
    expect(read(folder, "again.csv")).toBe(read(folder, "out.csv"));
    const more = await folder.run(["synth", "--from", "r.json", "--rows", "3000", "--seed", "2", "-o", "more.csv"]);
    expect(more.code).toBe(0);
    expect(broken(read(folder, "more.csv"))).toEqual([]);
  }
});

it("constraints cost nothing: the plan is the same", async () => {
  const plan = ["plan", "--schema", "people.schema.json", "--epsilon", "1", "--json"];
  const [free, constrained] = await Promise.all(
    [folderWith(undefined), folderWith(CONSTRAINTS)].map((f) => f.run(plan)),
  );
  expect(constrained).toEqual(free);
  expect(constrained.code).toBe(0);
});

it("tables that satisfy the constraints and tables that break them look alike from outside", async () => {
  const breaking = ["999,0,1,1,200,Porto,France", "5,4,3,2,1,Lyon,Portugal"];
  const seen = await Promise.all(
    [ROWS, [...breaking, ...ROWS.slice(2)], ROWS.map(() => breaking[0])].map(async (rows) => {
      const folder = folderWith(CONSTRAINTS, rows);
      const { code, stdout, stderr } = await folder.run(synth("--release", "r.json"));
      expect(broken(read(folder, "out.csv"))).toEqual([]);
      const members = Object.keys(JSON.parse(read(folder, "r.json")));
      return { code, stdout, stderr: stderr.replace(/\d+([.,]\d+)*(e-?\d+)?/g, "#"), names: folder.names(), members };
    }),
  );
  expect(seen[1]).toEqual(seen[0]);
  expect(seen[2]).toEqual(seen[0]);
});

it("check counts the records that break each constraint, for the owner", async () => {
  const folder = folderWith(CONSTRAINTS, ["5,4,3,2,5,Porto,France", "5,4,3,2,1,,France", ...ROWS]);
  const { code, stdout } = await folder.run(["check", "people.csv", "--schema", "people.schema.json", "--quiet"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^opened <= closed +2$/m);
  expect(stdout).toMatch(/^total = net \+ tax +1$/m);
  expect(stdout).toMatch(/^city, country: one of 3 combinations +1$/m);
});

it("constraints that no row satisfies are an error of the schema", async () => {
  const folder = folderWith(["net <= total", { columns: ["net", "total"], allowed: [[10, 5]] }]);
  const { code, stdout, stderr } = await folder.run(synth());
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(
    /No row can satisfy the constraints "net <= total", "net, total: one of 1 combinations" together with no cell missing/,
  );
});
