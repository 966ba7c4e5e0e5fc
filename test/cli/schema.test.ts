import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Folder, SCHEMA, synth } from "./cli.js";

const json = (folder: Folder, name: string) => JSON.parse(readFileSync(folder.at(name), "utf8"));
const PROPOSE = ["schema", "people.csv", "-o", "new.schema.json"];

/** A folder with a proposed schema, `new.schema.json`. */
async function proposed(): Promise<Folder> {
  const folder = new Folder();
  expect(await folder.run(PROPOSE)).toMatchObject({ code: 0, stdout: "" });
  return folder;
}

describe("standin schema", () => {
  it("proposes, says NOT PRIVATE, and what to do next", async () => {
    const folder = new Folder();
    const { code, stderr } = await folder.run([...PROPOSE, "--quiet"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^NOT PRIVATE: /);
    expect(stderr).toMatch(/read from the rows: \d+\. .*standin confirm new\.schema\.json/);
    expect(stderr).not.toMatch(/person-/);
    expect(folder.names()).toEqual(["new.schema.json", "people.csv", "people.schema.json"]);
    expect(json(folder, "new.schema.json").fields).toMatchObject([
      { name: "name", standin: { role: "id", provenance: { role: "read" } } },
      { name: "group", constraints: { enum: ["a", "b"] }, standin: { provenance: { enum: "read" } } },
      { name: "score", type: "integer", constraints: { minimum: 0, maximum: 10 } },
    ]);
  });

  it("reads standard input, writes standard output, and takes the dialect's options into the schema", async () => {
    const input = "made by hand\na;b\n1;x\n-9;y\n1;x\n";
    const options = ["--skip-lines", "1", "--delimiter", ";", "--missing=-9", "--max-categories", "1"];
    const { code, stdout, stderr } = await new Folder().run(["schema", "-", ...options, "--quiet"], { input });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      dialect: { delimiter: ";", skipLines: 1 },
      missingValues: ["-9"],
      fields: [{ constraints: { minimum: 1, maximum: 1 } }, { name: "b", standin: { role: "drop" } }],
    });
    expect(stderr).toMatch(/standin confirm SCHEMA/);
  });

  it.each([
    ["no table", ["schema"], /No table/],
    ["a table that is not there", ["schema", "no.csv"], /no\.csv does not exist/],
    ["the table as output", ["schema", "people.csv", "-o", "people.csv"], /same as the table/],
    ["a missing folder", ["schema", "people.csv", "-o", "no/s.json"], /no, which is not a folder/],
    ["half a category", ["schema", "people.csv", "--max-categories", "1.5"], /max-categories/],
    ["an unknown encoding", ["schema", "people.csv", "--encoding", "klingon"], /klingon/],
    ["another command's option", ["schema", "people.csv", "--epsilon", "1"], /--epsilon is not an option/],
  ])("refuses %s", async (_, args, words) => {
    const folder = new Folder();
    const before = readFileSync(folder.at("people.csv"));
    const { code, stdout, stderr } = await folder.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(words);
    expect(readFileSync(folder.at("people.csv"))).toEqual(before);
    expect(folder.names()).toEqual(["people.csv", "people.schema.json"]);
  });
});

describe("a proposed schema", () => {
  it("is refused until it is confirmed, or waved through without a guarantee", async () => {
    const folder = await proposed();
    const args = [...synth("--schema", "new.schema.json"), "--release", "r.json", "--quiet"];
    const refused = await folder.run(args);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /8 facts of the schema were read from the rows: .*standin confirm new\.schema\.json --all/,
    );
    const waved = await folder.run([...args, "--allow-unreviewed-schema"]);
    expect(waved.code).toBe(0);
    expect(waved.stderr).toMatch(/NOT differentially private: \d+ facts were read from the rows/);
    expect(json(folder, "r.json").guarantee).toBeNull();
    expect((await folder.run(["confirm", "new.schema.json", "--all"])).code).toBe(0);
    const confirmed = await folder.run(args);
    expect(confirmed.code).toBe(0);
    expect(json(folder, "r.json").guarantee).toMatchObject({ epsilon: 8 });
  });
});

describe("numbers with exponents", () => {
  const SHARES = Array.from({ length: 300 }, (_, at) => (at / 299).toExponential(6).replace(/\d$/, "0$&"));

  it("are proposed, confirmed, made and compared as they are written", async () => {
    const folder = new Folder();
    folder.write("people.csv", `share\n${SHARES.join("\n")}\n`);
    expect((await folder.run([...PROPOSE, "--quiet"])).code).toBe(0);
    expect((await folder.run(["confirm", "new.schema.json", "--all"])).code).toBe(0);
    expect(json(folder, "new.schema.json").fields).toMatchObject([
      {
        ...{ name: "share", type: "number", constraints: { minimum: 0, maximum: 1 } },
        standin: { granularity: 1e-6, format: { exponent: "0.000000e+00" }, provenance: { format: "declared" } },
      },
    ]);
    const args = synth("--schema", "new.schema.json", "--workload", "1-way", "--rows", "200");
    expect((await folder.run([...args, "--quiet"])).code).toBe(0);
    const [, ...made] = readFileSync(folder.at("out.csv"), "utf8").trimEnd().split("\n");
    expect(made).toHaveLength(200);
    // Noise may make a few cells missing, which the schema allows.
    const written = made.filter((cell) => cell !== '""');
    expect(written.length).toBeGreaterThan(150);
    for (const cell of written) expect(cell).toMatch(/^\d\.\d{6}e[+-]\d\d$/);
    const files = ["--real", "people.csv", "--synthetic", "out.csv", "--schema", "new.schema.json", "--json"];
    const { code, stdout } = await folder.run(["evaluate", ...files, "--workload", "1-way"]);
    expect(code).toBe(0);
    // About .03 in any run, with 32 leaves. Cells that were not read would all be missing: a distance of 1. False
    // alarms: below 1e-9.
    expect(JSON.parse(stdout).meanTv).toBeLessThan(0.3);
  });
});

describe("standin confirm", () => {
  it("lists, declares some, then all, in the file itself", async () => {
    const folder = await proposed();
    const before = json(folder, "new.schema.json");
    const listed = await folder.run(["confirm", "new.schema.json"]);
    expect(listed.stdout).toMatch(/^group: type = "string"\ngroup: enum = \["a","b"\]\n/m);
    expect(listed.stderr).toMatch(/standin confirm new\.schema\.json --all/);
    expect(listed.stderr).toMatch(/^NOT PRIVATE: .*\n8 facts are still marked as read/);
    expect(json(folder, "new.schema.json")).toEqual(before);

    const some = await folder.run(["confirm", "new.schema.json", "--columns", "group,score"]);
    expect(some).toMatchObject({ code: 0, stdout: "" });
    expect(some.stderr).toBe(
      "5 facts are declared.\nNOT PRIVATE: these values were read from the real rows, for their owner only.\n" +
        'read: name: type = "string"\nread: name: role = "id"\nread: name: format = {"pattern":"person-##"}\n' +
        "3 facts are still marked as read from the rows.\n",
    );

    const all = await folder.run(["confirm", "new.schema.json", "--all"]);
    expect(all.stderr).toBe("3 facts are declared.\nNo fact is marked as read from the rows.\n");
    expect(JSON.stringify(json(folder, "new.schema.json"))).toBe(
      JSON.stringify(before).replaceAll('"read"', '"declared"'),
    );
    expect(folder.names()).toEqual(["new.schema.json", "people.csv", "people.schema.json"]);
  });

  it("says how to declare facts of the table as a whole, which no column has", async () => {
    const folder = new Folder();
    const sex = { name: "sex", constraints: { enum: ["F", "M"] }, standin: { provenance: "read" } };
    const table = { dialect: { delimiter: ";" }, missingValues: ["NA"] };
    const standin = { provenance: { missingValues: "read", dialect: "declared" } };
    folder.write("new.schema.json", JSON.stringify({ fields: [sex], ...table, standin }));
    const listed = await folder.run(["confirm", "new.schema.json"]);
    expect(listed.stdout).toBe('schema: missingValues = ["NA"]\nsex: all facts = {"enum":["F","M"]}\n');
    const some = await folder.run(["confirm", "new.schema.json", "--columns", "sex"]);
    expect(some.stderr).toBe(
      "1 fact is declared.\nNOT PRIVATE: these values were read from the real rows, for their owner only.\n" +
        'read: schema: missingValues = ["NA"]\n1 fact is still marked as read from the rows.\n' +
        "Of no column, so not declared by --columns: schema: missingValues. " +
        "To declare all that is left: standin confirm new.schema.json --all\n",
    );
    const refused = await folder.run(["plan", "--schema", "new.schema.json", "--epsilon", "1"]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toMatch(
      /1 fact of the schema was read from the rows: schema: missingValues\. .*standin confirm new\.schema\.json --all/,
    );
    expect((await folder.run(["confirm", "new.schema.json", "--all"])).stderr).toMatch(/^No fact/m);
  });

  it("accepts names that contain commas, and filters standard input", async () => {
    const field = { name: "a,b", constraints: { enum: ["x"] }, standin: { provenance: "read" } };
    const input = JSON.stringify({ fields: [field, { ...field, name: "c" }] });
    const { code, stdout } = await new Folder().run(["confirm", "-", "--columns", "a,b"], { input });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).fields.map(({ standin }: typeof field) => standin.provenance)).toEqual([
      "declared",
      "read",
    ]);
  });

  it.each([
    [["confirm"], /No schema/],
    [["confirm", "people.schema.json", "other.json"], /Only one schema/],
    [["confirm", "no.json"], /no\.json does not exist/],
    [["confirm", "people.csv"], /is not JSON/],
    [["confirm", "people.schema.json", "--all", "--columns", "group"], /Both/],
    [["confirm", "people.schema.json", "--columns", "grup"], /no field "grup"/],
  ])("refuses %j", async (args, words) => {
    const folder = new Folder();
    const { code, stdout, stderr } = await folder.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(words);
    expect(json(folder, "people.schema.json")).toEqual(SCHEMA);
  });
});

describe("standin check", () => {
  const CHECK = ["check", "people.csv", "--schema", "people.schema.json", "--quiet"];

  function folder(): Folder {
    const made = new Folder();
    made.write("people.csv", "name,group,score,more\nx,canary,11,\ny,a,canary\n\nz,,3,4,5\n");
    return made;
  }

  it("says NOT PRIVATE first, then counts and no cells", async () => {
    const { code, stdout, stderr } = await folder().run([...CHECK, "--public-rows", "4"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^NOT PRIVATE: /);
    expect(stdout).toMatch(/^rows: 3; 4 declared: DIFFERENT$/m);
    expect(stdout).toMatch(/^records with too few cells: 1, with too many: 1; blank lines: 1$/m);
    expect(stdout).toMatch(/^columns that are not in the schema: 1$/m);
    expect(stdout).toMatch(/^group +1 +0 +1 +0 +0$/m);
    expect(stdout).toMatch(/^score +0 +0 +0 +1 +1$/m);
    expect(stdout + stderr).not.toMatch(/canary/);
  });

  it("prints JSON, with NOT PRIVATE alongside it", async () => {
    const { code, stdout, stderr } = await folder().run([...CHECK, "--json", "--public-rows", "3"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^NOT PRIVATE: [^\n]+\n$/);
    expect(JSON.parse(stdout)).toMatchObject({ private: false, rows: 3, publicRows: 3, short: 1, long: 1, blank: 1 });
  });

  it.each([
    ["utf-16le", 0],
    ["latin1", 0],
    [undefined, 2],
  ])(
    "reads a synthetic table as standin writes it, though the real one is %s with %i lines above",
    async (encoding, skipLines) => {
      const made = new Folder();
      const fields = [{ name: "group", constraints: { enum: ["é", "b"], required: true } }, SCHEMA.fields[2]];
      made.write("people.schema.json", JSON.stringify({ fields, dialect: { encoding, skipLines } }));
      const text = `${"top\n".repeat(skipLines)}group,score\n${"é,3\nb,9\n".repeat(50)}`;
      made.write("people.csv", Buffer.from(text, (encoding ?? "utf8") as BufferEncoding));
      expect((await made.run(CHECK)).stdout).toMatch(/^rows: 100$/m);
      expect((await made.run([...synth("--rows", "90"), "--quiet"])).code).toBe(0);
      const args = ["check", "--synthetic", "out.csv", "--schema", "people.schema.json", "--quiet"];
      const { code, stdout } = await made.run(args);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^rows: 90\n/) });
      expect(stdout).toMatch(/^group +0 +0 +0 +0 +0$/m);
      const counts = JSON.parse((await made.run([...args, "--json"])).stdout);
      expect(counts).toMatchObject({ rows: 90, short: 0, long: 0, columns: [{ name: "group", unlisted: 0 }, {}] });
    },
  );

  it("refuses what reading refuses", async () => {
    const made = folder();
    made.write("people.csv", "name,score\nx,1\n");
    expect(await made.run(CHECK)).toMatchObject({ code: 2, stderr: expect.stringMatching(/"group"/) });
    expect((await made.run(["check", "people.csv"])).stderr).toMatch(/needs --schema/);
    const two = await made.run([...CHECK, "--synthetic", "people.csv"]);
    expect(two).toMatchObject({ code: 2, stderr: expect.stringMatching(/Only one table can be checked at a time/) });
  });
});
