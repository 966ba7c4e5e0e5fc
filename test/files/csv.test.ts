import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StandinError } from "../../src/core/errors.js";
import type { Progress } from "../../src/core/progress.js";
import { Table } from "../../src/core/table.js";
import { type CsvOptions, csvStream, parseCsv, readCsv, toCsv } from "../../src/files/csv.js";
import { feed, feedAtOnce } from "../../src/files/feed.js";
import { parseSchema } from "../../src/schema/schema.js";
import { categories, contents, inPieces, rejection, thrown, utf8 } from "./tables.js";

const AB = { a: ["x", "y"], b: ["u", "v"] };
const schema = categories(AB);
const whole = { name: "n", type: "integer", constraints: { minimum: 0, maximum: 99 } };

describe("a header", () => {
  it("is matched by name; columns stay in its order; unknown and dropped ones are left out; ids are counted", () => {
    const mixed = parseSchema({
      fields: [
        { name: "id", standin: { role: "id" } },
        { name: "note", standin: { role: "drop" } },
        { name: "a", constraints: { enum: ["x", "y"] } },
        whole,
      ],
    });
    const table = parseCsv("n,other,note,id,a\n7,?,hello,K9,y\n8,?,hello,K7,x\n", mixed);
    expect(table.names).toEqual(["n", "id", "a"]);
    expect([...table.rows()]).toEqual([
      { n: 7, id: "1", a: "y" },
      { n: 8, id: "2", a: "x" },
    ]);
    expect(parseCsv("a,n\nx,1\n", mixed).names).toEqual(["a", "n"]);
  });

  it("may be quoted, may hold line breaks, and may come after blank lines", () => {
    const odd = categories({ "a\nb": ["x"], 'say "c"': ["y"] });
    expect(parseCsv('\r\n\n"a\nb","say ""c"""\nx,y\n', odd).column('say "c"')).toEqual(["y"]);
  });

  it.each([
    ["a,b", "rows after it", 'a,"b\nx,u\n'],
    ["a,b", "a quote in a row that closes it", 'a,"b\nx,u\n"x",u\n'],
    ["a,b", "a row that would make it fit", '"z\n",a,b\nx,u\n'],
    ["a,b", "no rows and no line end", 'a,"b'],
    ["a,b", "an empty name", 'a,b,"\n'],
    ["a,b", "a carriage return", 'a,"b\rx,u\n'],
    ["a\nb,c", "another second line", '"a\nx",c\n'],
    ["a\nb,c", "the end in place of its second line", '"a\n'],
    ["a\nb,c", "another line end than its name's", '"a\r\nb",c\n'],
  ])("of %j with an open quote is refused in the same words: %s", async (names, _, text) => {
    const known = categories(Object.fromEntries(names.split(",").map((name) => [name, ["x"]])));
    const open = thrown(() => parseCsv('a,"b\n', schema));
    expect(open.code).toBe("files/header-quote");
    for (const size of [1, 3, 1000]) {
      const { code, message } = await rejection(readCsv(inPieces(utf8(text), size), known));
      expect({ code, message }).toEqual({ code: open.code, message: open.message });
    }
  });

  it("of several lines that does not fit is refused without showing their contents", () => {
    const odd = categories({ "a\nb": ["x"], c: ["y"], d: ["z"] });
    const message = (text: string) => thrown(() => parseCsv(text, odd)).message;
    expect(message('"a\nb",c\nx,y\n')).toBe(message('"a\nb",Ada,1815,d\n'));
    expect(message('"a\nb",c,d,c\n')).toBe(message('"a\nb",c,d,d,Ada\n'));
    expect(message('"a\nb",c\n')).not.toMatch(/"|\d/);
    expect(message("c,d\n")).toContain('2 columns, but lacks these columns of the schema: "a\\nb"');
  });

  it("that lacks modelled columns is refused without showing its cells", () => {
    const error = thrown(() => parseCsv("Ada Lovelace,1815\nx,u\n", schema));
    expect(error.code).toBe("files/missing-column");
    expect(error.message).toContain("2 columns");
    expect(error.message).toContain('"a", "b"');
    expect(error.message).not.toMatch(/Ada|1815/);
    expect(thrown(() => parseCsv("a\nx\n", schema)).message).toMatch(/ 1 column, .*: "b"\./);
  });

  it("lists ten absent columns at most", () => {
    const wide = categories(Object.fromEntries(Array.from({ length: 13 }, (_, at) => [`c${at}`, ["x"]])));
    expect(thrown(() => parseCsv("c0\n", wide)).message).toContain('"c10" and 2 more');
  });

  it("that has a column twice is refused, unless the schema does not know it", () => {
    const error = thrown(() => parseCsv("a,b,a\nx,u,x\n", schema));
    expect(error.code).toBe("files/duplicate-column");
    expect(error.message).toContain('"a"');
    expect(parseCsv("z,a,z,b\n1,x,2,u\n", schema).names).toEqual(["a", "b"]);
  });

  it.each(["", "\uFEFF", "\n\r\n"])("is missing in an empty file: %j", (text) => {
    const error = thrown(() => parseCsv(text, schema));
    expect(error.code).toBe("files/empty");
    expect(error.message).toContain('"a", "b"');
  });

  it("is missing where all lines are skipped", () => {
    expect(thrown(() => parseCsv("a,b\n", categories(AB, { dialect: { skipLines: 1 } }))).code).toBe("files/empty");
  });

  it("may have any number of names", () => {
    const names = Array.from({ length: 200_000 }, (_, place) => `other ${place}`);
    expect(parseCsv(`${names.join(",")},a,b`, schema).names).toEqual(["a", "b"]);
  });

  it("is judged before a record is taken", async () => {
    let taken = 0;
    async function* source() {
      yield utf8("wrong\n");
      taken++;
      yield utf8("x,u\n");
    }
    expect((await rejection(readCsv(source(), schema))).code).toBe("files/missing-column");
    expect(taken).toBe(0);
  });

  it("alone is a table of no rows", () => {
    for (const text of ["a,b", "a,b\n", "a,b\r\n\r\n"]) expect(parseCsv(text, schema).length).toBe(0);
    expect(parseCsv("a,b", schema).column("a")).toEqual([]);
  });
});

describe("a record", () => {
  const rows = (text: string, given = schema) => [...parseCsv(text, given).rows()];

  it("that is short has missing cells, and one that is long is cut", () => {
    expect(rows("a,b\nx\ny,v,x,?\n,u\n")).toEqual([
      { a: "x", b: null },
      { a: "y", b: "v" },
      { a: null, b: "u" },
    ]);
  });

  it("reads absent cells as the first missing spelling, or as empty ones where nothing can be missing", () => {
    const spelt = categories({ a: ["x", ""], b: ["u"] }, { missingValues: ["NA"] });
    expect(rows("b,a\nu\nu,\nu,NA\n", spelt)).toEqual([
      { b: "u", a: null },
      { b: "u", a: "" },
      { b: "u", a: null },
    ]);
    const full = categories({ a: ["x", "y"], b: ["u"] }, { missingValues: [] });
    expect(rows("b,a\nu\nu,y\n", full)).toEqual([
      { b: "u", a: "x" },
      { b: "u", a: "y" },
    ]);
  });

  it("is not made by a blank line, except a missing cell in a table of one column", () => {
    expect(rows("a,b\n\nx,u\n\r\n\n")).toEqual([{ a: "x", b: "u" }]);
    const one = categories({ a: ["x", ""] }, { missingValues: ["-"] });
    expect(rows('a\nx\n\n""\n-', one)).toEqual([{ a: "x" }, { a: null }, { a: "" }, { a: null }]);
  });

  it("decodes invalid UTF-8 as U+FFFD", async () => {
    const marked = categories({ a: ["x\uFFFD"], b: ["u"] });
    const bytes = Uint8Array.of(...utf8("a,b\nx"), 0xff, ...utf8(",u\nx"), 0xe2, 0x98);
    expect([...(await readCsv(new Blob([bytes]), marked)).rows()]).toEqual([
      { a: "x\uFFFD", b: "u" },
      { a: "x\uFFFD", b: null },
    ]);
  });

  it("keeps a byte order mark that does not start the file", () => {
    expect(rows("\uFEFFa,b\n\uFEFFx,u\n", categories({ a: ["\uFEFFx", "x"], b: ["u"] }))).toEqual([
      { a: "\uFEFFx", b: "u" },
    ]);
  });

  it("reads the same once a column's dictionary is full", () => {
    const numbers = Array.from({ length: 150_000 }, (_, at) => (at * 7919) % 150_000);
    const wide = parseSchema({ fields: [{ ...whole, constraints: { minimum: 0, maximum: 1_000_000 } }] });
    const table = parseCsv(`n\n${[...numbers, ...numbers].join("\n")}`, wide);
    expect(table.length).toBe(300_000);
    expect(table.columns[0].codes.findIndex((code, row) => code !== numbers[row % 150_000])).toBe(-1);
  });
});

describe("persons", () => {
  const unit = (role: string, column = "who") =>
    parseSchema({
      fields: [
        { name: "who", constraints: { enum: ["p", "q"] }, standin: { role } },
        { name: "a", constraints: { enum: ["x", "y"] } },
      ],
      missingValues: ["", "NA"],
      standin: { unit: { column, maxRows: 2 } },
    });

  it.each([
    ["id", ["a", "who"]],
    ["drop", ["a"]],
  ])("are numbered by first appearance in a %s column; missing and absent ones are nobody", (role, names) => {
    const table = parseCsv("a,who\nx,q\ny,p\nx,q\nx,\ny,NA\nx\nx,r\n", unit(role));
    expect(table.names).toEqual(names);
    expect(table.persons?.codes).toEqual(Uint32Array.of(0, 1, 0, 0xffffffff, 0xffffffff, 0xffffffff, 2));
    if (role === "id") expect(table.column("who")).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
  });

  it("need their column, whatever its role", () => {
    expect(thrown(() => parseCsv("a\nx\n", unit("id"))).message).toContain('"who"');
  });

  it("may be more than a column's dictionary holds", () => {
    const people = Array.from({ length: 100_000 }, (_, at) => `person ${at}`);
    const { persons } = parseCsv(`who,a\n${[...people, ...people].join("\n")}`, unit("drop"));
    expect(persons?.codes).toEqual(Uint32Array.from({ length: 200_000 }, (_, row) => row % 100_000));
  });

  it("are absent where rows are protected", () => {
    expect(parseCsv("a,b\nx,u\n", schema).persons).toBeUndefined();
  });
});

describe("the delimiter", () => {
  it.each([",", ";", "\t", "|"])("is inferred from the header: %j", (delimiter) => {
    const table = parseCsv(`a,b\nx,u\n`.replaceAll(",", delimiter), schema);
    expect(contents(table)).toEqual({ ...contents(parseCsv("a,b\nx,u\n", schema)), delimiter });
  });

  it("is the one that gives the most names of the schema, commas first; records do not matter", () => {
    const odd = categories({ "a;b": ["x"], c: ["u;v"], d: ["w"] });
    expect(parseCsv("z|a;b|c|d\n1|x|u;v|w\n", odd).column("c")).toEqual(["u;v"]);
    expect(parseCsv("a;b,c,d\nx,u;v,w\n", odd).delimiter).toBe(",");
    expect(parseCsv("a\nx;y\n", categories({ a: ["x;y"] })).column("a")).toEqual(["x;y"]);
  });

  it("is detected after the skipped lines", () => {
    for (const skipped of ["a,b\r\nmore, of, this\r", "\n\n", 'a,"b\nc"\r\n'])
      expect(parseCsv(`${skipped}a;b\nx;u\n`, categories(AB, { dialect: { skipLines: 2 } })).column("b")).toEqual([
        "u",
      ]);
  });

  it("is the schema's if it states one", () => {
    const dialect = { delimiter: "|" };
    expect(parseCsv("a|b|a,b\nx|u|?\n", categories({ ...AB, "a,b": ["?"] }, { dialect })).delimiter).toBe("|");
    expect(thrown(() => parseCsv("a,b\nx,u\n", categories(AB, { dialect }))).code).toBe("files/missing-column");
  });
});

describe("a source", () => {
  const text = 'a,b\r\nx,"u"\ny,v\r"x",\r\n';
  const expected = contents(parseCsv(text, schema));

  it("may be a Blob, a stream, or any async iterable, in pieces of any size", async () => {
    expect(contents(await readCsv(new Blob([text]), schema))).toEqual(expected);
    expect(contents(await readCsv(new Blob([text]).stream(), schema))).toEqual(expected);
    for (const size of [1, 2, 3, 1000])
      expect(contents(await readCsv(inPieces(utf8(text), size), schema))).toEqual(expected);
  });

  it("may be gzipped", async () => {
    for (const size of [1, 1000])
      expect(contents(await readCsv(inPieces(gzipSync(text), size), schema))).toEqual(expected);
  });

  const labels = { Ville: ["Orléans", "Łódź"], Âge: ["7"] };
  const french = "Ville;Âge\r\nOrléans;7\nŁódź;7\n";
  const little = (marked: string) => new Uint8Array(Buffer.from(marked, "utf16le"));
  it.each([
    ["UTF-8", utf8(french), undefined],
    ["UTF-8 with a mark", utf8(`\uFEFF${french}`), undefined],
    ["UTF-8 with a mark, against the name", utf8(`\uFEFF${french}`), "latin1"],
    ["UTF-16LE with a mark", little(`\uFEFF${french}`), undefined],
    ["UTF-16LE by name", little(french), "utf-16le"],
    ["UTF-16BE with a mark", little(`\uFEFF${french}`).map((_, at, all) => all[at ^ 1]), undefined],
    [
      "ISO 8859-2 by name",
      Uint8Array.from(french, (c) => ({ Ł: 0xa3, ó: 0xf3, ź: 0xbc })[c] ?? c.charCodeAt(0)),
      "latin2",
    ],
  ])("may be %s", async (_, bytes, encoding) => {
    const villes = categories(labels, { dialect: { encoding } });
    for (const size of [1, 3, 1000])
      expect(contents(await readCsv(inPieces(bytes, size), villes))).toEqual(contents(parseCsv(french, villes)));
  });

  it("that fails gives one error, without its cause", async () => {
    async function* failing() {
      yield utf8("a,b\nx,u\n");
      throw new TypeError("secret cell");
    }
    const torn = gzipSync("a,b\n".padEnd(5000, "x,u\n")).subarray(0, 30);
    const errors = [await rejection(readCsv(failing(), schema)), await rejection(readCsv(new Blob([torn]), schema))];
    expect(errors.map(({ code }) => code)).toEqual(["files/unreadable", "files/unreadable"]);
    expect(errors[0].message).toBe(errors[1].message);
    expect(errors[0].message).not.toContain("secret");
    expect(errors[0].cause).toBeUndefined();
  });

  it("is not blamed for errors in a reader, which reveal only their kind", async () => {
    const failing = (error: Error) => ({
      push() {
        throw error;
      },
      end() {},
    });
    const chunks = () => inPieces(utf8("secret"), 2);
    const read = (error: Error) => feed(chunks(), (bytes) => bytes, failing(error), {});
    const errors = [new TypeError("secret"), new RangeError("secret"), new StandinError("files/empty", "Empty.")];
    for (const [at, code] of ["files/fault", "files/memory", "files/empty"].entries()) {
      const async = await rejection(read(errors[at]));
      const sync = thrown(() => feedAtOnce(utf8("secret"), failing(errors[at])));
      for (const error of [async, sync]) {
        expect(error.code).toBe(code);
        expect(error.message).not.toContain("secret");
        expect(error.cause).toBeUndefined();
      }
    }
  });

  it("is closed when its header is refused", async () => {
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(utf8("wrong\n")),
      cancel: () => {
        cancelled = true;
      },
    });
    await rejection(readCsv(stream, schema));
    expect(cancelled).toBe(true);
  });
});

describe("a signal", () => {
  it("cancels before the first byte, between two, and while a stream stalls", async () => {
    const reason = new Error("enough");
    expect(await rejection(readCsv(new Blob(["a,b\n"]), schema, { signal: AbortSignal.abort(reason) }))).toBe(reason);

    const endless = new AbortController();
    async function* source() {
      yield utf8("a,b\n");
      for (let chunk = 0; ; chunk++) {
        if (chunk === 10) endless.abort(reason);
        yield utf8("x,u\n".repeat(100_000));
      }
    }
    expect(await rejection(readCsv(source(), schema, { signal: endless.signal }))).toBe(reason);

    const stalled = new AbortController();
    const stream = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(utf8("a,b\nx")) });
    setTimeout(() => stalled.abort(reason), 20);
    const told: Progress[] = [];
    const options = { signal: stalled.signal, size: 99, onProgress: (progress: Progress) => told.push(progress) };
    expect(await rejection(readCsv(stream, schema, options))).toBe(reason);
    expect(told).toEqual([
      { phase: "read", percent: 0 },
      { phase: "read", percent: 5 },
    ]);
  });
});

describe("progress", () => {
  const steps = Array.from({ length: 21 }, (_, at) => 5 * at);
  const heard = async (bytes: Uint8Array, pieces: number, options: CsvOptions) => {
    const told: (number | undefined)[] = [];
    const onProgress = (progress: Progress) => progress.phase === "read" && told.push(progress.percent);
    await readCsv(inPieces(bytes, pieces), schema, { ...options, onProgress });
    return told;
  };

  it("is reported at the same steps whatever the pieces and the rows", async () => {
    const bytes = utf8("a,b\n".padEnd(4000, "x,u\n"));
    for (const pieces of [1, 7, 4000]) expect(await heard(bytes, pieces, { size: 4000 })).toEqual(steps);
    for (const size of [10, 9999]) expect(await heard(bytes, 100, { size })).toEqual(steps);
    expect(await heard(utf8("a,b"), 100, { size: 3 })).toEqual(steps);
    expect(await heard(bytes, 100, {})).toEqual([undefined]);
  });

  it("knows the size of a Blob", async () => {
    const told: (number | undefined)[] = [];
    await readCsv(new Blob(["a,b\n"]), schema, { onProgress: (p) => p.phase === "read" && told.push(p.percent) });
    expect(told).toEqual(steps);
  });
});

it("can read every neighbour of a table, whatever the record", () => {
  const fields = [
    { name: "a", constraints: { enum: ["x", "y"], required: true } },
    whole,
    { name: "t", type: "boolean" },
    { name: "who", standin: { role: "id" } },
  ];
  const strict = parseSchema({ fields, standin: { unit: { column: "who", maxRows: 3 } } });
  const line = fc
    .array(
      fc.oneof(
        fc.string({ maxLength: 6 }),
        fc.string({ unit: "binary", maxLength: 6 }),
        fc.constantFrom('"', "1e999", ","),
      ),
      {
        maxLength: 6,
      },
    )
    .map((cells) => cells.join(","));
  fc.assert(
    fc.property(line, (record) => {
      const table = parseCsv(`a,n,t,who\nx,1,true,k\n${record}\n`, strict);
      expect(table.length).toBeGreaterThanOrEqual(1);
      for (const { codes } of table.columns) expect(codes.length).toBe(table.length);
      expect(table.column("a").every((value) => value === "x" || value === "y")).toBe(true);
    }),
    { seed: 14, numRuns: 3000 },
  );
});

describe("writing", () => {
  const categoriesOf = (labels: string[], codes: number[], more = {}) => {
    const given = categories({ 'odd ",name': labels }, more);
    return { given, table: parseCsv(`"odd "",name"\n${codes.map((code) => quote(labels[code])).join("\n")}`, given) };
  };
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;

  it("quotes what needs quotes, and nothing else", () => {
    const labels = ["plain", " blank ", "a,b", "a;b", 'say "x"', "two\nlines", "two\rlines", "a\tb", "'"];
    const given = categories({ a: labels, b: ["u"] });
    const table = parseCsv(`a,b\n${labels.map((label) => `${quote(label)},u`).join("\n")}\n,`, given);
    expect(toCsv(table)).toBe(
      'a,b\nplain,u\n blank ,u\n"a,b",u\na;b,u\n"say ""x""",u\n"two\nlines",u\n"two\rlines",u\na\tb,u\n\',u\n,\n',
    );
    expect(toCsv(new Table(table.columns, table.length, ";"))).toContain('a,b;u\n"a;b";u\n');
  });

  it("quotes an empty cell where its line would be blank", () => {
    const { given, table } = categoriesOf(["x", ""], [0, 1], { missingValues: ["NA"] });
    expect(toCsv(table)).toBe('"odd "",name"\nx\n""\n');
    expect(contents(parseCsv(toCsv(table), given))).toEqual(contents(table));
  });

  it("keeps a name that starts with a byte order mark", () => {
    const marked = categories({ "\uFEFFa": ["x"], b: ["u"] });
    const table = parseCsv('"\uFEFFa",b\nx,u\n', marked);
    expect(contents(parseCsv(toCsv(table), marked))).toEqual(contents(table));
  });

  it("comes in pieces of about 64 KiB, gzipped or not, with the same text", async () => {
    const table = parseCsv(`a,b\n${"x,u\ny,v\n".repeat(40_000)}`, schema);
    const sizes: number[] = [];
    for await (const chunk of csvStream(table)) sizes.push(chunk.length);
    expect(sizes.length).toBe(Math.ceil(320_004 / 65_536));
    expect(Math.max(...sizes)).toBeLessThan(66_000);
    expect(await new Response(csvStream(table)).text()).toBe(toCsv(table));
    const packed = new Uint8Array(await new Response(csvStream(table, { gzip: true })).arrayBuffer());
    expect(packed.length).toBeLessThan(5000);
    expect(contents(await readCsv(inPieces(packed, 1000), schema))).toEqual(contents(table));
  });

  const text = fc.string({ unit: fc.constantFrom('"', ",", ";", "\n", "\r", " ", "a", "é", "\uFEFF"), maxLength: 5 });
  const name = fc.uniqueArray(
    text.filter((candidate) => candidate !== ""),
    { minLength: 1, maxLength: 4 },
  );
  const labels = fc.uniqueArray(
    text.filter((label) => label !== "NA"),
    { minLength: 1, maxLength: 6 },
  );
  it("reads back as the same table", () => {
    const tables = fc.record({
      names: name,
      labels,
      delimiter: fc.constantFrom(",", ";", "\t"),
      codes: fc.array(fc.nat(6), { maxLength: 12 }),
    });
    fc.assert(
      fc.property(tables, ({ names, labels, delimiter, codes }) => {
        const given = categories(Object.fromEntries(names.map((name) => [name, labels])), {
          missingValues: ["NA"],
          dialect: { delimiter },
        });
        const columns = parseCsv(names.map(quote).join(delimiter), given).columns.map(({ name, codec }, at) => ({
          name,
          codec,
          codes: Uint16Array.from(codes, (code, row) => (code + at * row) % (labels.length + 1)),
        }));
        const table = new Table(columns, codes.length, delimiter);
        expect(contents(parseCsv(toCsv(table), given))).toEqual(contents(table));
      }),
      { seed: 15, numRuns: 2000 },
    );
  });
});
