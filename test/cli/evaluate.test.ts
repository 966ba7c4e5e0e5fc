import { expect, it } from "vitest";
import { Folder, SCHEMA } from "./cli.js";

const EVALUATE = ["evaluate", "--real", "people.csv", "--synthetic", "other.csv", "--schema", "people.schema.json"];

function folder(): Folder {
  const made = new Folder();
  made.write("people.csv", "name,group,score\nx,a,1\ny,a,1\n");
  made.write("other.csv", "group,score\na,1\nb,1\na,1\na,1\n");
  return made;
}

it("says NOT PRIVATE first, in the text and alongside the JSON", async () => {
  const text = await folder().run(EVALUATE);
  expect(text.stdout).toMatch(/^NOT PRIVATE: /);
  expect(text.stdout).toMatch(/^rows: 2 real, 4 synthetic$/m);
  expect(text.stdout).toMatch(/^group × score +0\.250$/m);
  const json = await folder().run([...EVALUATE, "--json"]);
  expect(json.stderr).toMatch(/^NOT PRIVATE: [^\n]+\n$/);
  expect(JSON.parse(json.stdout)).toMatchObject({
    private: false,
    workload: "2-way",
    rows: { real: 2, synthetic: 4 },
    workloads: 1,
    cells: 36,
    meanTv: 0.25,
    maxTv: 0.25,
    meanError: 0.5 / 36,
    maxError: 0.25,
  });
});

it("takes a workload, standard input and a dialect", async () => {
  const here = folder();
  const piped = EVALUATE.map((arg) => (arg === "people.csv" ? "-" : arg));
  const { code, stdout } = await here.run([...piped, "--json", "--workload", "1-way"], { input: "group,score\nb,2\n" });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ workload: "1-way", workloads: 2, rows: { real: 1 }, maxTv: 1 });
  here.write("people.csv", "comment\ngroup;score\nNA;2\n");
  here.write("other.csv", "comment\ngroup;score\nNA;2\nb;2\n");
  const dialect = ["--delimiter", ";", "--skip-lines", "1", "--missing", "NA", "--missing", ""];
  const other = await here.run([...EVALUATE, "--json", ...dialect]);
  expect(other.code).toBe(0);
  expect(JSON.parse(other.stdout)).toMatchObject({ rows: { real: 1, synthetic: 2 }, maxTv: 0.5 });
});

it("reads the synthetic table as standin writes it, whatever the schema says about the real one's file", async () => {
  const here = folder();
  const schema = { ...SCHEMA, dialect: { delimiter: ";", skipLines: 1, encoding: "utf-16le" } };
  here.write("people.schema.json", JSON.stringify(schema));
  here.write("people.csv", Buffer.from("top\ngroup;score\na;2\n", "utf16le"));
  here.write("other.csv", "group;score\na;2\n");
  const { code, stdout } = await here.run([...EVALUATE, "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ rows: { real: 1, synthetic: 1 }, maxTv: 0 });
});

it("compares what classifiers learn from the two tables, on real rows that were held out", async () => {
  const here = folder();
  here.write("people.csv", `name,group,score\n${"x,a,1\ny,b,9\n".repeat(10)}`);
  here.write("other.csv", `group,score\n${"b,1\na,9\n".repeat(10)}`);
  here.write("held.csv", "name,group,score\nx,a,2\ny,b,8\nz,a,9\n");
  const target = [...EVALUATE, "--target", "group"];
  const text = await here.run(target);
  expect(text.stdout).toMatch(/^logistic regression, tested on 4 rows: 20 % of the real rows \(seed 0\)$/m);
  expect(text.stdout).toMatch(/^macro F1 of +trained on real rows +on synthetic rows$/m);
  expect(text.stdout).toMatch(/^group, by single columns +1\.00 +0\.00$/m);
  expect(text.stdout).toMatch(/^group, always the most frequent class +0\.\d+$/m);
  expect(text.stdout).toMatch(/^compared: all sets of 2 columns \(2-way\); and its column sets with group added$/m);
  expect(text.stderr).toBe("training 1 of 2\ntraining 2 of 2\n");
  // a, b, a are there; real rows say a, b, b, synthetic ones b, a, a.
  const { stdout } = await here.run([...target, "--test", "held.csv", "--json", "--quiet"]);
  expect(JSON.parse(stdout)).toMatchObject({
    private: false,
    workload: "2-way",
    targets: ["group"],
    utility: { private: false, testRows: 3, targets: [{ target: "group", f1: { real: 2 / 3, synthetic: 1 / 4 } }] },
  });
  const both = await here.run([...EVALUATE, "--target", "group,score", "--test", "held.csv"]);
  expect(both.stdout).toMatch(/^logistic regression, tested on 3 rows: held-out rows$/m);
  expect(both.stdout).toMatch(/^score, by single columns +\S+ +\S+$/m);
});

it.each([
  [[...EVALUATE, "--target", "group,size"], /The target "size" is not a column that the schema models/],
  [[...EVALUATE, "--test", "people.csv"], /--test was given without --target/],
  [[...EVALUATE, "--target", "group", "--test", "no.csv"], /no\.csv does not exist/],
  [["evaluate"], /needs --real TABLE/],
  [EVALUATE.map((arg) => (arg === "other.csv" ? "no.csv" : arg)), /no\.csv does not exist/],
  [[...EVALUATE, "--epsilon", "1"], /--epsilon is not an option of standin evaluate/],
  [EVALUATE.map((arg) => (arg.endsWith(".csv") ? "-" : arg)), /cannot both come from standard input/],
])("refuses %j", async (args, words) => {
  const { code, stdout, stderr } = await folder().run(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(words);
});
