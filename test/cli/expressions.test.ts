// The user's own queries, from the command line to the rows.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Folder } from "./cli.js";

const FIELDS = [
  { name: "age", type: "integer", constraints: { minimum: 0, maximum: 9 } },
  { name: "sex", type: "string", constraints: { enum: ["F", "M"] } },
  { name: "hours", type: "integer", constraints: { minimum: 0, maximum: 60, required: true } },
  { name: "wage", type: "number", constraints: { minimum: 0, maximum: 50 }, standin: { granularity: 0.5 } },
];
const ROWS = Array.from({ length: 300 }, (_, at) => {
  const hours = (at * 7) % 61;
  return { age: at % 11 ? at % 10 : "", sex: at % 3 ? "F" : "M", hours, wage: at % 13 ? ((at * at) % 101) / 2 : "" };
});
const QUERIES = [
  { expression: "hours*wage > 1000" },
  { expressions: ["age < 3", "age < 6 and sex == 'F'", "age is missing"], partition: true },
];
const isSmall = (age: number | string, bound: number) => age !== "" && Number(age) < bound;
type Person = { age: string | number; sex: string; hours: string | number; wage: string | number };
/** What the queries count: the product, and the cells of the partition with the rest last. */
function countsOf(people: readonly Person[]): number[] {
  const counts = [0, 0, 0, 0, 0];
  for (const { age, sex, hours, wage } of people) {
    if (wage !== "" && Number(hours) * Number(wage) > 1000) counts[0]++;
    counts[isSmall(age, 3) ? 1 : isSmall(age, 6) && sex === "F" ? 2 : age === "" ? 3 : 4]++;
  }
  return counts;
}

function folder(queries: unknown = QUERIES): Folder {
  const made = new Folder();
  const csv = ROWS.map(({ age, sex, hours, wage }) => [age, sex, hours, wage].join()).join("\n");
  made.write("people.csv", `age,sex,hours,wage\n${csv}\n`);
  made.write("people.schema.json", JSON.stringify({ fields: FIELDS }));
  made.write("queries.json", JSON.stringify(queries));
  return made;
}

const ASKED = ["--schema", "people.schema.json", "--workload", "1-way", "--queries", "queries.json"];
const peopleIn = (csv: string): Person[] =>
  csv
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [age, sex, hours, wage] = line.split(",");
      return { age, sex, hours, wage };
    });

it("prices them next to the workload, in their usual form", async () => {
  const { code, stdout } = await folder().run(["plan", ...ASKED, "--epsilon", "1", "--json"]);
  expect(code).toBe(0);
  const { items } = JSON.parse(stdout);
  expect(items).toHaveLength(6);
  expect(items[4]).toMatchObject({
    ...{ query: "expression", columns: ["hours", "wage"], expressions: ["hours * wage > 1000"] },
    ...{ cells: 1, partitions: 0, free: 1, sensitivity: 1 },
  });
  expect(items[5]).toMatchObject({ columns: ["age", "sex"], partition: true, cells: 4, partitions: 1, free: 0 });
});

it("measures them, and makes rows that answer like the table", async () => {
  const here = folder();
  const loud = ["synth", "people.csv", ...ASKED, "--rho", "400", "--stages", "1", "--seed", "1"];
  const made = await here.run([...loud, "--release", "release.json", "-o", "out.csv"]);
  expect(made.code, made.stderr).toBe(0);
  const { items } = JSON.parse(readFileSync(here.at("release.json"), "utf8"));
  expect([...items[4].answers, ...items[5].answers]).toEqual(countsOf(ROWS));
  const counts = countsOf(peopleIn(readFileSync(here.at("out.csv"), "utf8")));
  for (const [at, count] of countsOf(ROWS).entries()) expect(Math.abs(counts[at] - count)).toBeLessThanOrEqual(2);
  const again = await here.run(["synth", "--from", "release.json", "-o", "again.csv"]);
  expect(again.code, again.stderr).toBe(0);
  expect(readFileSync(here.at("again.csv"), "utf8")).toBe(readFileSync(here.at("out.csv"), "utf8"));

  const compared = [...ASKED, "--real", "people.csv", "--synthetic", "out.csv", "--json"];
  const { stdout } = await here.run(["evaluate", ...compared]);
  expect(JSON.parse(stdout)).toMatchObject({ workload: "1-way", queries: QUERIES, workloads: 6 });
});

it.each([
  [{ expressions: ["hours*wage > 1000"] }, /number 5\) whose expressions are not over its columns/],
  [{ expressions: ["hours * age > 1000"] }, /number 5\) whose expressions are not over its columns/],
  [{ expressions: ["hours * pay > 1000"] }, /number 5\) whose expressions do not fit the schema/],
  [{ expressions: ["hours > 3", "wage > 3"] }, /number 5\) whose answers do not fit/],
  [{ expressions: "hours * wage > 1000" }, /number 5\) whose expressions do not fit the schema/],
  [{ partition: true }, /number 5\) whose answers do not fit/],
])("a release that was changed is refused: %j", async (change, message) => {
  const here = folder();
  const loud = ["synth", "people.csv", ...ASKED, "--rho", "4", "--release", "release.json", "-o", "out.csv"];
  expect((await here.run(loud)).code).toBe(0);
  const release = JSON.parse(readFileSync(here.at("release.json"), "utf8"));
  Object.assign(release.items[4], change);
  here.write("release.json", JSON.stringify(release));
  const { code, stderr } = await here.run(["synth", "--from", "release.json", "-o", "again.csv"]);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});

it("shows where an expression is wrong, before the table is opened", async () => {
  const here = folder([{ expression: "hours * wages > 1000" }]);
  const { code, stderr } = await here.run(["synth", "no.csv", ...ASKED, "--epsilon", "1", "-o", "out.csv"]);
  expect(code).toBe(2);
  expect(stderr).toContain(
    [
      'standin: The schema has no column "wages".',
      "  hours * wages > 1000",
      "          ^^^^^",
      "Did you mean wage?",
      "",
    ].join("\n"),
  );
});

it.each([
  ["[", /The queries queries\.json is not JSON/],
  ["{}", /queries must be a list/],
])("refuses a file with %j", async (text, message) => {
  const here = folder();
  here.write("queries.json", text);
  const { code, stderr } = await here.run(["plan", ...ASKED, "--epsilon", "1"]);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});
