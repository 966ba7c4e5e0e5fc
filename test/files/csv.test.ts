import { dsvFormat } from "d3-dsv";
import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { csvStream, parseCsv, readCsv, toCsv } from "../../src/files/csv.js";
import { RowParser } from "../../src/files/parser.js";
import { parseSchema } from "../../src/schema/schema.js";

const text = new TextDecoder();
const bytesOf = (source: string) => new TextEncoder().encode(source);

/** The rows that the parser sees, fed in the given pieces. */
function rowsOf(pieces: Uint8Array[], delimiter = ","): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const parser = new RowParser(delimiter, {
    cell: (bytes, length) => row.push(text.decode(bytes.subarray(0, length))),
    row: (blank) => {
      if (!blank) rows.push(row);
      row = [];
    },
  });
  for (const piece of pieces) parser.push(piece);
  parser.finish();
  return rows;
}
const rows = (source: string) => rowsOf([bytesOf(source)]);

describe("the byte parser", () => {
  it.each([
    ["ends rows at LF, CR and CRLF, mixed freely", "a,b\r\nc,d\ne,f\rg,h", ["ab", "cd", "ef", "gh"]],
    ["keeps delimiters, quotes and line breaks inside quotes", '"a,""b","c\r\nd"\ne,f', ['a,"b|c\r\nd', "e|f"]],
    ["opens quotes only at a cell's start", 'a"b,c"\nd,e', ['a"b|c"', "d|e"]],
    ["keeps text behind a closing quote", '1,"z"w\n2,"x"', ["1|zw", "2|x"]],
    ["closes a quote that is open at the end", '1,"a\n2,b', ["1|a\n2,b"]],
    ["takes no blank line for a row, but a quoted empty cell for one", 'a\n\n\r\n""\nb', ["a", "", "b"]],
    ["keeps blanks and empty cells", " a ,,\n,", [" a ||", "|"]],
  ])("%s", (_, source, expected) => {
    expect(rows(source).map((row) => row.join(expected[0].includes("|") || row.length > 2 ? "|" : ""))).toEqual(
      expected,
    );
  });

  it("does not care where its input is cut", () => {
    const alphabet = fc.constantFrom("a", "b", "ü", ",", '"', "\r", "\n", " ");
    fc.assert(
      fc.property(
        fc.string({ unit: alphabet, maxLength: 30 }),
        fc.array(fc.nat(40), { maxLength: 5 }),
        (source, cuts) => {
          const bytes = bytesOf(source);
          const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
          const pieces = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
          expect(rowsOf(pieces)).toEqual(rowsOf([bytes]));
          expect(rowsOf([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(rowsOf([bytes]));
        },
      ),
      { seed: 1, numRuns: 1000 },
    );
  });

  it("agrees with d3-dsv wherever quotes are whole and stand alone in their cells", () => {
    const plain = fc.string({ unit: fc.constantFrom("a", "1", " ", "ü", "'"), maxLength: 4 });
    const quoted = fc
      .string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r"), maxLength: 5 })
      .map((inside) => `"${inside.replaceAll('"', '""')}"`);
    const line = fc.array(fc.oneof(plain, quoted), { minLength: 2, maxLength: 4 }).map((cells) => cells.join(","));
    const file = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n")), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(file, (lines) => {
        const source = lines.map(([content, end]) => content + end).join("");
        expect(rows(source)).toEqual(dsvFormat(",").parseRows(source));
      }),
      { seed: 2, numRuns: 2000 },
    );
  });

  it("agrees with papaparse on files with one kind of line end", () => {
    const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", " ", ";"), maxLength: 4 });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(table, fc.constantFrom("\n", "\r\n"), (cells, newline) => {
        const source = Papa.unparse(cells, { newline, quotes: true });
        expect(rows(source)).toEqual(Papa.parse(source, { newline, delimiter: "," }).data);
        expect(rows(source)).toEqual(cells);
      }),
      { seed: 3, numRuns: 1000 },
    );
  });
});

const schema = parseSchema({
  fields: [
    { name: "id", type: "integer", standin: { role: "id" } },
    { name: "sex", type: "string", constraints: { enum: ["F", "M"] } },
    { name: "age", type: "integer", constraints: { minimum: 0, maximum: 99, required: true } },
    { name: "note", type: "string", standin: { role: "drop" } },
  ],
});
const cells = (source: string, of = schema) => {
  const table = parseCsv(source, of);
  return Array.from({ length: table.length }, (_, row) =>
    table.columns.map(({ codes, codec }) => codec.text(codes[row])),
  );
};

describe("records", () => {
  it("follow the header's order; dropped and unknown columns are left out, ids are counted", () => {
    const table = parseCsv("age,other,note,sex,id\n7,x,secret,F,991\n8,y,z,M,992", schema);
    expect(table.names).toEqual(["age", "sex", "id"]);
    expect(toCsv(table)).toBe("age,sex,id\n7,F,1\n8,M,2\n");
  });

  it("that are short have missing cells, long ones are cut, bad cells follow their field's rule", () => {
    expect(cells("sex,age\nF\nM,5,6,7\nX,old\n,120\n\n  M ,-1")).toEqual([
      ["F", "0"],
      ["M", "5"],
      ["", "0"],
      ["", "99"],
      ["M", "0"],
    ]);
  });

  it("may be blank in a table of one column: a missing cell", () => {
    const single = parseSchema({ fields: [{ name: "sex", constraints: { enum: ["F", "M"] } }] });
    expect(cells("sex\nF\n\nM\n", single)).toEqual([["F"], [""], ["M"]]);
    const table = parseCsv("sex\nF\n\nM\n", single);
    expect(toCsv(table)).toBe('sex\nF\n""\nM\n');
    expect([...parseCsv(toCsv(table), single).columns[0].codes]).toEqual([0, 2, 1]);
  });

  it("of no, one and two rows are tables", () => {
    for (const count of [0, 1, 2]) expect(parseCsv(`sex,age${"\nF,1".repeat(count)}`, schema).length).toBe(count);
  });

  it("have person numbers where the unit is a person, missing and absent ones nobody", () => {
    const persons = parseSchema({ ...schema.toJSON(), standin: { unit: { column: "note", maxRows: 2 } } });
    const table = parseCsv("sex,age,note\nF,1,ann\nF,2,bob\nM,3,ann\nM,4,\nM,5", persons);
    expect([...table.persons!]).toEqual([0, 1, 0, 0xffffffff, 0xffffffff]);
    expect(table.names).toEqual(["sex", "age"]);
  });

  it("with more different cells than are remembered keep their codes", () => {
    const wide = parseSchema({
      fields: [{ name: "n", type: "integer", constraints: { minimum: 0, maximum: 200_000 } }],
    });
    const source = `n\n${Array.from({ length: 150_000 }, (_, at) => (at * 7) % 100_000).join("\n")}`;
    expect(parseCsv(source, wide).columns[0].codes.every((code, at) => code === (at * 7) % 100_000)).toBe(true);
  });
});

describe("the header", () => {
  const secret = "Jane Roe,1234567";
  it.each([
    ["", "files/empty", /no header line/],
    [secret, "files/missing-column", /2 columns and lacks "sex", "age"/],
    ["sex\nF", "files/missing-column", /1 column and lacks "age"/],
    ["sex,age,sex\nF,1,M", "files/duplicate-column", /"sex" twice/],
  ])("%j is refused", (source, code, message) => {
    expect(() => parseCsv(source, schema)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
    expect(() => parseCsv(source, schema)).not.toThrow(/Jane|1234567/);
  });

  it.each([",", ";", "\t", "|"])("tells the delimiter %j by the schema's names alone", (delimiter) => {
    const table = parseCsv(`sex${delimiter}age\nF${delimiter}1,5;|\t`, schema);
    expect(table.delimiter).toBe(delimiter);
    expect(toCsv(table)).toBe(`sex${delimiter}age\n${["F", delimiter === "," ? "1" : "0"].join(delimiter)}\n`);
  });

  it("may be quoted, hold line breaks, follow skipped lines, and end in any way", () => {
    for (const end of ["\n", "\r", "\r\n"]) expect(cells(`"sex","x\ny",age${end}F,q,3${end}M,q,4`).length).toBe(2);
    const skipping = parseSchema({ ...schema.toJSON(), dialect: { skipLines: 2 } });
    expect(cells('a "report,\r\n\r\nsex,age\r\nF,3', skipping)).toEqual([["F", "3"]]);
    expect(cells('5" pipe,sex,age\nx,F,3')).toEqual([["F", "3"]]);
  });
});

describe("encodings", () => {
  const villes = parseSchema({ fields: [{ name: "ville", constraints: { enum: ["Orléans", "Nîmes"] } }] });
  const read = async (bytes: Uint8Array, encoding?: string) => {
    const named = encoding ? parseSchema({ ...villes.toJSON(), dialect: { encoding } }) : villes;
    return (await readCsv(new Blob([bytes as Uint8Array<ArrayBuffer>]), named)).column("ville");
  };
  const source = "ville\nOrléans\nNîmes\n";

  it("are UTF-8 unless a byte order mark or the schema says otherwise", async () => {
    const utf16 = Buffer.from(`\ufeff${source}`, "utf16le");
    for (const [bytes, name] of [
      [bytesOf(source)],
      [bytesOf(`\ufeff${source}`)],
      [utf16],
      [utf16.subarray(2), "utf-16le"],
      [Buffer.from(utf16).swap16()],
      [Buffer.from(source, "latin1"), "latin1"],
    ] as const)
      expect(await read(bytes, name)).toEqual(["Orléans", "Nîmes"]);
    expect(await read(Buffer.from(source, "latin1"))).toEqual([null, null]);
    await expect(read(bytesOf(source), "klingon")).rejects.toThrow(/"klingon", which cannot be read/);
  });

  it("do not care where a stream is cut", async () => {
    async function* single() {
      for (const byte of Buffer.from(`\ufeff${source}`, "utf16le")) yield Uint8Array.of(byte);
    }
    expect((await readCsv(single(), villes)).column("ville")).toEqual(["Orléans", "Nîmes"]);
  });
});

it("a fault of the source becomes one fixed sentence; an abort stays one", async () => {
  async function* failing(error: Error) {
    yield bytesOf("sex,age\nF,1\n");
    throw error;
  }
  await expect(readCsv(failing(new Error("Jane Roe")), schema)).rejects.toThrow(/^The table's bytes could not be read/);
  const control = new AbortController();
  control.abort();
  await expect(readCsv(failing(new Error("x")), schema, { signal: control.signal })).rejects.toThrow(/abort/i);
});

it("what is written reads back as the same codes, streamed or not", async () => {
  const labels = ["a", " b ", "c,d", 'e"f', "g\nh", "i\rj", ";", "\t", "ü", "__proto__"];
  const odd = parseSchema({
    fields: [
      { name: "x,y", constraints: { enum: labels } },
      { name: 'n"', type: "number", constraints: { minimum: -2, maximum: 2 }, standin: { granularity: 0.25 } },
    ],
  });
  const source = fc.array(fc.tuple(fc.constantFrom(...labels, ""), fc.integer({ min: -8, max: 8 })), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(source, async (list) => {
      const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
      const first = parseCsv(`"x,y","n"""\n${list.map(([label, n]) => `${quote(label)},${n / 4}`).join("\n")}\n`, odd);
      expect(first.length).toBe(list.length);
      const again = parseCsv(toCsv(first), odd);
      expect(again.columns.map(({ codes }) => codes)).toEqual(first.columns.map(({ codes }) => codes));
      expect(await new Response(csvStream(first)).text()).toBe(toCsv(first));
    }),
    { seed: 4, numRuns: 200 },
  );
});
