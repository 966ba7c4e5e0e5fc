import { describe, expect, it } from "vitest";
import { parseCsv } from "../../src/files/csv.js";
import { nonPrivateCheck } from "../../src/owner/check.js";
import { nonPrivateProposal, type ProposeOptions } from "../../src/owner/propose.js";
import { parseSchema } from "../../src/schema/schema.js";
import { inPieces, rejection, utf8 } from "../files/tables.js";

type Json = Record<string, unknown> & { standin?: Record<string, unknown>; fields: Json[] };

async function propose(text: string | Uint8Array, options?: ProposeOptions) {
  const bytes = typeof text === "string" ? utf8(text) : text;
  const proposal = await nonPrivateProposal(inPieces(bytes, 7), options);
  const descriptor = proposal.descriptor as unknown as Json;
  return { ...proposal, descriptor, field: (name: string) => descriptor.fields.find((field) => field.name === name) };
}

const lines = (header: string, count: number, line: (at: number) => string) =>
  `${header}\n${Array.from({ length: count }, (_, at) => `${line(at)}\n`).join("")}`;

describe("a proposal", () => {
  it("marks every fact as read, and is a schema", async () => {
    const { descriptor, readFacts } = await propose("sex,age,fare\nF,31,1.5\nM,NA,2.25\nF,58,7\n");
    expect(descriptor).toEqual({
      fields: [
        {
          name: "sex",
          type: "string",
          constraints: { enum: ["F", "M"] },
          standin: { provenance: { type: "read", enum: "read" } },
        },
        {
          name: "age",
          type: "integer",
          constraints: { minimum: 30, maximum: 60 },
          standin: { provenance: { type: "read", minimum: "read", maximum: "read" } },
        },
        {
          name: "fare",
          type: "number",
          constraints: { minimum: 1, maximum: 7 },
          standin: {
            granularity: 0.01,
            provenance: { type: "read", minimum: "read", maximum: "read", granularity: "read" },
          },
        },
      ],
      missingValues: ["NA"],
      standin: { provenance: { missingValues: "read" } },
    });
    expect(readFacts).toEqual(parseSchema(descriptor).readFacts);
    expect(readFacts).toHaveLength(10);
  });

  it("is the same whatever the pieces, and contains no names but the header's", async () => {
    const text = lines("__proto__,constructor,toString", 60, (at) => `${at % 2 ? "a" : "b"},${at},x`);
    const { descriptor } = await propose(text);
    const whole = await nonPrivateProposal(new Blob([text]));
    expect(descriptor).toEqual(whole.descriptor);
    expect(parseSchema(descriptor).fields.map(({ name }) => name)).toEqual(["__proto__", "constructor", "toString"]);
  });

  it("takes a name of many lines, with quotes in it, up to the quote that closes it", async () => {
    const name = `${"x\n".repeat(20_000)}\r\n"y", z\n${"\r".repeat(50_000)}`;
    const { descriptor } = await propose(`"${name.replaceAll('"', '""')}","b\nc"\r\n1,2\n3,4\n`);
    expect(descriptor.fields.map((field) => field.name)).toEqual([name, "b\nc"]);
    const { fields } = (await propose(`"${name.replaceAll('"', '""')},b\n1,2\n`)).descriptor;
    expect(fields.map((field) => field.name)).toEqual([`${name},b\n1,2\n`]);
  });

  it("is refused if there is no header", async () => {
    for (const text of ["", "\n\r\n", "\uFEFF"]) expect((await rejection(propose(text))).code).toBe("files/empty");
  });

  it("refuses an encoding that cannot be read", async () =>
    expect((await rejection(propose("a\n1\n", { dialect: { encoding: "klingon" } }))).code).toBe("schema/dialect"));

  it("for a table without rows has its columns' names, and says so", async () => {
    const { descriptor, notes } = await propose("kitten,win");
    expect(descriptor.fields.map(({ name, standin }) => [name, standin?.role])).toEqual([
      ["kitten", "drop"],
      ["win", "drop"],
    ]);
    expect(notes[0]).toMatch(/^The table has no rows/);
  });

  it("takes short records as missing and long ones as cut", async () => {
    const { descriptor } = await propose("a,b\n1,2\n3\n4,5,6\n");
    expect(descriptor.missingValues).toEqual([""]);
    expect(descriptor.fields).toHaveLength(2);
  });
});

describe("categories", () => {
  const many = lines("town,n", 120, (at) => `town ${at % 60},${at}`);

  it("are listed up to the requested number", async () => {
    const { field, notes } = await propose(many);
    expect(field("town")).toEqual({
      name: "town",
      type: "string",
      standin: { role: "drop", provenance: { type: "read", role: "read" } },
    });
    expect(notes.join()).toMatch(/"town" has 60 different texts, more than maxCategories 50/);
    const more = await propose(many, { maxCategories: 60 });
    expect(more.field("town")).toMatchObject({ constraints: { enum: expect.arrayContaining(["town 59"]) } });
  });

  it("are numbers that are few, far apart and frequent, in the order of their values", async () => {
    const { field } = await propose(lines("code,score", 60, (at) => `${[9, 10, 900][at % 3]},${at % 3}`));
    expect(field("code")).toMatchObject({ type: "integer", constraints: { enum: ["9", "10", "900"] } });
    expect(field("score")).toMatchObject({ constraints: { minimum: 0, maximum: 2 } });
  });

  it("of one value are reported", async () => {
    const { field, notes } = await propose("a,b\nx,1\nx,2\n");
    expect(field("a")).toMatchObject({ constraints: { enum: ["x"] } });
    expect(notes).toEqual(['"a" has only one value.']);
  });
});

describe("missing spellings", () => {
  it("count if they occur in a column of another type, the most frequent first", async () => {
    const { descriptor, field } = await propose("country,n\nNA,1\nDE,\nNA,-\nFR,-\n");
    expect(descriptor.missingValues).toEqual(["-", ""]);
    expect(field("country")).toMatchObject({ constraints: { enum: ["DE", "FR", "NA"] } });
  });

  it("count in all columns", async () => {
    const { descriptor, field } = await propose("country,n\nNA,1\nDE,NA\nFR,2\n");
    expect(descriptor.missingValues).toEqual(["NA"]);
    expect(field("country")).toMatchObject({ constraints: { enum: ["DE", "FR"] } });
  });

  it("are not a truth value of another column", async () => {
    const { descriptor } = await propose("poor,n\nY,1\nN,N\nN,2\n");
    expect(descriptor.missingValues).toBeUndefined();
    expect(parseSchema(descriptor).fields[0].type).toBe("boolean");
  });

  it("that were stated are used unchanged, and not marked as read", async () => {
    const { descriptor } = await propose("a\n1\n-9\nNA\n3\n", { missingValues: ["-9"] });
    expect(descriptor).toMatchObject({ missingValues: ["-9"], fields: [{ constraints: { minimum: 1, maximum: 3 } }] });
    expect(descriptor.standin).toBeUndefined();
  });

  it.each([
    [
      "a truth value elsewhere",
      "a,b",
      (at: number) => `${at % 2 ? "y" : "n"},${[100, 200, 500000, "n"][at % 4]}`,
      undefined,
    ],
    ["not among those that were stated", "a,b", (at: number) => `x,${[100, 200, 500000, "NA"][at % 4]}`, [""]],
    ["not stated, beside numbers on a grid", "a,b", (at: number) => `x,${at % 4 ? at % 7 : "n/a"}`, ["-9"]],
    ["not stated, beside dates", "a,b", (at: number) => `x,${at % 4 ? `2020-01-1${at % 10}` : "?"}`, ["-9"]],
    ["not stated, beside truth values", "a,b", (at: number) => `x,${["true", "false", "null"][at % 3]}`, ["-9"]],
  ])("that are %s are read as missing cells, and reported", async (_, header, line, missingValues) => {
    const text = lines(header, 40, line);
    const { descriptor, notes } = await propose(text, { missingValues });
    expect(notes.join("\n")).toMatch(/"b" has a text that is neither of its type nor listed as missing/);
    const schema = parseSchema(descriptor);
    expect(schema.fields[1].type).not.toBe("string");
    const cells = parseCsv(text, schema).column("b");
    const strays = text
      .split("\n")
      .slice(1, -1)
      .map((row) => /(?:n|NA|n\/a|\?|null)$/.test(row));
    expect(cells.map((cell) => cell === null)).toEqual(strays);
    const { columns } = await nonPrivateCheck(new Blob([text]), schema);
    expect(columns[1].unlisted + columns[1].unparseable).toBe(strays.filter(Boolean).length);
  });
});

describe("roles", () => {
  const table = lines(
    "member,device,uuid,email,row,notes,empty,PassengerId,age",
    60,
    (at) =>
      `M-${1000 + 7 * at},${7820705390746281138n + BigInt(at ** 2)},7ebca92b-7b9b-4dc6-a7d6-${String(at).padStart(12, "0")},` +
      `p${at}@x.example,${at + 1},one two three ${at},,${100 + 3 * at},${20 + (at % 50)}`,
  );

  it.each([
    ["member", { type: "string", standin: { role: "id", format: { pattern: "M-####" } } }],
    ["device", { type: "integer", standin: { role: "id" } }],
    ["uuid", { type: "string", format: "uuid", standin: { role: "id" } }],
    ["email", { type: "string", format: "email", standin: { role: "id" } }],
    ["row", { type: "integer", standin: { role: "id" } }],
    ["PassengerId", { type: "integer", standin: { role: "id" } }],
    ["notes", { type: "string", standin: { role: "drop" } }],
    ["empty", { type: "string", standin: { role: "drop" } }],
    ["age", { type: "integer", constraints: { minimum: 20, maximum: 70 } }],
  ])("%s", async (name, expected) => {
    const { field, descriptor } = await propose(table);
    expect(field(name)).toMatchObject(expected);
    expect(field("notes")).not.toHaveProperty("constraints");
    expect(parseSchema(descriptor).attributes.map((attribute) => attribute.name)).toEqual(["age"]);
  });

  it("are made in the form that most of them have, not one that only some have", async () => {
    const ids = async (form: (at: number) => string) => (await propose(lines("a_id", 60, form))).field("a_id")?.standin;
    expect(await ids((at) => `${at % 10 ? "HU" : "GQ"}${1000 + at}`)).toMatchObject({ format: { pattern: "HU####" } });
    expect(await ids((at) => `${at % 2 ? "HU" : "GQ"}${1000 + at}`)).not.toHaveProperty("format");
    expect(await ids((at) => `x${"abcdefgh"[at % 8]}${"ijklmnopqr"[at % 10]}${at % 3}`)).not.toHaveProperty("format");
    expect(await ids((at) => `#${1000 + at}`)).not.toHaveProperty("format");
  });

  it.each([
    ["amounts in parentheses", (at: number) => `(${at}.25)`, true],
    ["times of day beside other words", (at: number) => `Mon${at} ${at % 24}:05`, true],
    ["version numbers", (at: number) => `1.${at}.3.4`, false],
    ["phone numbers", (at: number) => `555-01${10 + at}`, false],
  ])("for %s that no type reads: measures are left out, and reported", async (_, cell, isMeasure) => {
    const { field, notes } = await propose(lines("value", 60, cell));
    expect(field("value")).toMatchObject({ type: "string", standin: { role: isMeasure ? "drop" : "id" } });
    expect(notes.join()).toMatch(isMeasure ? /will be left out/ : /made anew/);
  });

  it("say for dates with two-digit years whether the order of days and months is uncertain", async () => {
    const { field, notes } = await propose(
      lines("seen", 60, (at) => `${1 + (at % 12)}/${1 + (at % 11)}/20 3:${10 + (at % 50)}`),
    );
    expect(field("seen")).toMatchObject({ type: "datetime", format: "%-d/%-m/%y %-H:%M" });
    expect(notes.join()).toMatch(/can be read in more than one way/);
  });

  it("say whether an identifier's rows belong to persons, and how to declare that", async () => {
    const visits = "patient_id,person_nr_id,mail,unit_id,visit_id,ward\n";
    const row = (at: number) => `P${at % 60},${at % 70},p${at % 3}@x.example,${at % 4},${at},${at % 4}`;
    const text = `${visits}${Array.from({ length: 240 }, (_, at) => `${row(at)}\n`).join("")}`;
    const { field, notes } = await propose(text);
    for (const name of ["patient_id", "mail", "visit_id"])
      expect(field(name)).toMatchObject({ standin: { role: "id" } });
    for (const name of ["person_nr_id", "unit_id"]) expect(field(name)).not.toHaveProperty("standin.role");
    const unit = (name: string) => `"unit": { "column": "${name}", "maxRows": K }`;
    const noteOn = (name: string) => notes.filter((note) => note.startsWith(`"${name}"`)).join();
    for (const name of ["patient_id", "mail"]) {
      expect(noteOn(name)).toMatch(/repeats, so rows belong to persons/);
      expect(noteOn(name)).toContain(unit(name));
    }
    for (const name of ["person_nr_id", "unit_id"]) {
      expect(noteOn(name)).toMatch(/If they identify persons .* the role "id"/);
      expect(noteOn(name)).toContain(unit(name));
    }
    expect(noteOn("visit_id")).toBe('"visit_id" identifies rows: it will be made anew.');
    expect(noteOn("ward")).toBe("");
  });

  it("say of identifiers beyond those that are remembered only what was seen", async () => {
    const { notes } = await propose(lines("visit_id", 20_000, (at) => `V${at}`));
    expect(notes).toEqual([
      '"visit_id" seems to identify rows (its first 16,384 values are all different): it will be made anew.',
    ]);
  });

  it("say in a note what will happen to the column, without showing a cell", async () => {
    const { notes } = await propose(table);
    expect(notes).toHaveLength(8);
    expect(notes.join()).not.toMatch(/one two|example|7ebca/);
  });
});

describe("the dialect", () => {
  it.each([
    [";", "a;b\n1;x\n2;y\n"],
    ["\t", "a\tb\n1\tx,y\n2\ty,z,w\n"],
    ["|", "a|b\n1|x\n"],
  ])("has the delimiter %j", async (delimiter, text) => {
    const { descriptor } = await propose(text);
    expect(descriptor).toMatchObject({ dialect: { delimiter }, standin: { provenance: { dialect: "read" } } });
    expect(descriptor.fields).toHaveLength(2);
  });

  it("that was stated is recorded, and not marked as read", async () => {
    const { descriptor } = await propose("top\na;b,c\n1;2\n", { dialect: { delimiter: ";", skipLines: 1 } });
    expect(descriptor).toMatchObject({ dialect: { delimiter: ";", skipLines: 1 } });
    expect(descriptor.fields.map(({ name }) => name)).toEqual(["a", "b,c"]);
    expect(descriptor.standin).toBeUndefined();
  });

  it("skips lines above the header", async () => {
    const { descriptor } = await propose("# made by hand\n\nRegion:,all\na,b,c,d\n1,2,3,4\n4,5,6,7\n");
    expect(descriptor).toMatchObject({ dialect: { skipLines: 3 } });
    expect(descriptor.fields.map(({ name }) => name)).toEqual(["a", "b", "c", "d"]);
  });

  it.each([
    ["utf-16le", (text: string) => new Uint8Array(Uint16Array.from(`\uFEFF${text}`, (c) => c.charCodeAt(0)).buffer)],
    ["utf-16le", (text: string) => new Uint8Array(Uint16Array.from(text, (c) => c.charCodeAt(0)).buffer)],
    ["windows-1252", (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0))],
    [undefined, (text: string) => utf8(text)],
    [undefined, (text: string) => utf8(`\uFEFF${text}`)],
  ])("has the encoding %s", async (encoding, encode) => {
    const { descriptor, field } = await propose(
      encode(lines("stadt,n", 40, (at) => `${at % 2 ? "Köln" : "Ulm"},${at}`)),
    );
    expect(descriptor.dialect).toEqual(encoding && { encoding });
    expect(field("stadt")).toMatchObject({ constraints: { enum: ["Köln", "Ulm"] } });
  });

  it("has the same encoding however the bytes arrive", async () => {
    const latin1 = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));
    const long = `${"x,1\n".repeat(9)}K\u00f6ln,2\n`;
    const cases: [bytes: Uint8Array, encoding: string | undefined][] = [
      [latin1(`stadt,n\n${long}`), "windows-1252"],
      [latin1("stadt,n\nUlm,\u00e9"), "windows-1252"],
      // A byte order mark at the start of a file is not one further on.
      [latin1("stadt,n\n\u00ff\u00fe,1\n\u00ff\u00fe,2\n"), "windows-1252"],
      [utf8(`stadt,n\n${long}`), undefined],
      [utf8("stadt,n\nUlm,\u00e9"), undefined],
      [utf8("stadt,n\n\uFEFFUlm,1\n"), undefined],
    ];
    async function* cut(bytes: Uint8Array, at: number) {
      yield bytes.subarray(0, at);
      yield bytes.subarray(at);
    }
    for (const [bytes, encoding] of cases) {
      const whole = await nonPrivateProposal(bytes);
      expect(whole.descriptor.dialect).toEqual(encoding && { encoding });
      expect(await nonPrivateProposal(inPieces(bytes, 1))).toEqual(whole);
      for (let at = 1; at < bytes.length; at++) expect(await nonPrivateProposal(cut(bytes, at))).toEqual(whole);
    }
  });

  it("is detected from the same first bytes however they arrive", async () => {
    // Among the records in the first 64 KiB, a semicolon splits more; among all records, commas do.
    const bytes = utf8(`a;b,c\n${`${"1".repeat(9000)};2\n`.repeat(8)}${"1,2,3,4;5\n".repeat(6000)}`);
    const whole = await nonPrivateProposal(inPieces(bytes, 60_000));
    for (const size of [1000, 65_536, bytes.length])
      expect(await nonPrivateProposal(inPieces(bytes, size))).toEqual(whole);
  });

  it("is UTF-8 even if the sample ends inside a character", async () => {
    const bytes = utf8(`a\né${"x".repeat(65_533)}é\n`);
    expect((await nonPrivateProposal(bytes)).descriptor.dialect).toBeUndefined();
  });

  it("accepts a broken character in UTF-8", async () => {
    const bytes = [...utf8("stadt,n\nKöln,1\nKöln,2\nB"), 0xe9, ...utf8("b,3\n")];
    const { descriptor, field } = await propose(Uint8Array.from(bytes));
    expect(descriptor.dialect).toBeUndefined();
    expect(field("stadt")).toMatchObject({ constraints: { enum: ["B\ufffdb", "Köln"] } });
  });

  it("makes repeated and empty names distinct", async () => {
    const { descriptor } = await propose("score,score,,grade\n1,2,a,C\n");
    expect(descriptor.fields.map(({ name }) => name)).toEqual(["score", "score_2", "", "grade"]);
  });

  it("says that a first line looks like a row, and marks the names as read", async () => {
    const { notes, descriptor } = await propose("1,null,0\n2,0,0\n3,,1\n");
    expect(notes[0]).toMatch(/first line looks like a row/);
    expect(descriptor.standin?.provenance).toMatchObject({ header: "read" });
  });
});
