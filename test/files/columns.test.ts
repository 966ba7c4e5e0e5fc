import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ColumnReader } from "../../src/files/column-reader.js";
import { ColumnWriter } from "../../src/files/column-writer.js";
import { parseCsv } from "../../src/files/csv.js";
import { type Field, parseSchema } from "../../src/schema/schema.js";
import type { Cell } from "../arrays.js";
import { plainText } from "../reference/doubles.js";
import { cellsFrom, type GivenColumn, tableFrom, writeBatch } from "./columns.js";
import { draws, tableOf } from "./drawn-tables.js";
import { descriptors } from "./random-schemas.js";
import { contents, thrown } from "./tables.js";

const parts = fc.integer({ min: 1, max: 9 });
const stored = (table: { columns: readonly { codes: unknown }[] }) => table.columns.map(({ codes }) => codes);

describe("a table from columns is that of a file with the same texts", () => {
  const TEXTS = ["", "NA", "-", "a", "1", "0", "true", "-9", "1.5", "1,5", " 5", "2024-02-29", "12:30", "long text"];
  const i64 = fc.oneof(fc.bigInt({ min: -99n, max: 6000n }), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }));
  const f64 = fc.oneof(
    fc.double({ noNaN: true }),
    fc.integer({ min: -9999, max: 9999 }).map((number) => number / 8),
  );
  const row = (texts: readonly string[]) =>
    fc.record({ text: fc.constantFrom(...texts, ...TEXTS), i64, f64, lost: fc.nat(9).map((drawn) => drawn === 0) });
  /** A value of each type for each cell of a table that the types of its columns then choose from. */
  const inputs = fc.tuple(descriptors, draws).chain(([descriptor, drawn]) => {
    const table = tableOf(parseSchema(descriptor), drawn);
    const columns = table.columns.map(({ codes, codec }) =>
      fc.tuple(
        fc.constantFrom(...(["text", "dictionary", "i64", "f64"] as const)),
        fc.array(row(Array.from(codes, (code) => codec.text(code))), { minLength: 12, maxLength: 12 }),
      ),
    );
    return fc.record({
      descriptor: fc.constant({ ...descriptor, fields: [...descriptor.fields, WHO] }),
      columns: fc.tuple(...columns),
      who: fc.array(fc.constantFrom("p", "q", "", "NA", "r"), { minLength: 12, maxLength: 12 }),
      part: parts,
    });
  });
  const WHO = { name: "who?", standin: { role: "drop" } } as never;

  it("of every type, in batches of any size, with the persons that they belong to", () => {
    fc.assert(
      fc.property(inputs, ({ descriptor, columns, who, part }) => {
        const schema = parseSchema({ ...descriptor, standin: { unit: { column: "who?", maxRows: 2 } } });
        const gap = schema.missingValues[0];
        const given = columns.map(([type, rows], at): GivenColumn => {
          const cells = rows.map((cell): Cell => (cell.lost && gap !== undefined ? null : cell[member(type)]));
          return { name: schema.fields[at].name, type, cells };
        });
        given.push({ name: "who?", type: "dictionary", cells: who });
        const texts = given.map(({ cells }, at) => cells.map((cell) => textOf(cell, descriptor.fields[at]) ?? gap));
        const lines = [given.map(({ name }) => name), ...who.map((_, at) => texts.map((column) => column[at]))];
        const csv = lines.map((cells) => cells.map(quoted).join(descriptor.dialect.delimiter)).join("\n");
        const [read, expected] = [tableFrom(schema, given, part), parseCsv(csv, schema)];
        expect(contents(read)).toEqual(contents(expected));
        expect(stored(read)).toEqual(stored(expected));
        expect(read.persons!.codes).toEqual(expected.persons!.codes);
      }),
      { seed: 71, numRuns: 200 },
    );
  });

  const member = (type: "text" | "dictionary" | "i64" | "f64") => (type === "dictionary" ? "text" : type);
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  function textOf(cell: Cell, field: object): string | undefined {
    if (cell === null) return undefined;
    const { type, decimalChar } = field as { type?: string; decimalChar?: string };
    const mark = type === "number" ? decimalChar : undefined;
    return typeof cell === "number" ? plainText(cell, mark) : String(cell);
  }
});

describe("the columns of a table", () => {
  it("have the values of its texts, and read back as the same codes, in parts of any size", () => {
    fc.assert(
      fc.property(descriptors, draws, parts, parts, (descriptor, drawn, part, batch) => {
        const schema = parseSchema(descriptor);
        const table = tableOf(schema, drawn);
        const writer = new ColumnWriter(table);
        const columns = cellsFrom(writer, table.length, part);
        for (const [at, { name, type, cells }] of columns.entries()) {
          const { codes, codec } = table.columns[at];
          const field = schema.fields.find((one) => one.name === name)!;
          const texts = Array.from(codes, (code) => (codec.value(code) === null ? null : codec.text(code)));
          expect(cells).toEqual(texts.map((text) => text && valueIn(text, type, field)));
        }
        writer.close();
        if (!table.length) return;
        const modelled = columns.filter(({ name }) => schema.fields.some((one) => one.name === name && one.domain));
        fc.pre(modelled.length > 0);
        const read = tableFrom(parseSchema({ ...descriptor, fields: fieldsOf(descriptor, modelled) }), modelled, batch);
        const before = table.columns.filter(({ name }) => modelled.some((column) => column.name === name));
        expect(stored(read)).toEqual(stored({ columns: before }));
        // The same of a table whose codes are in an engine.
        const again = new ColumnWriter(read);
        expect(cellsFrom(again, read.length, part)).toEqual(modelled);
        again.close();
      }),
      { seed: 72, numRuns: 200 },
    );
  });

  const fieldsOf = (descriptor: { fields: readonly object[] }, columns: readonly GivenColumn[]) =>
    descriptor.fields.filter((field) => columns.some(({ name }) => (field as { name: string }).name === name));

  /** What a text is as a value of a type. */
  function valueIn(text: string, type: string, { notation }: Field): Cell {
    if (type === "text" || type === "dictionary") return text;
    const { units, scale } = notation!.read(text)!;
    if (type === "f64") return Number(`${units}e-${scale}`);
    const factor = type === "i64" ? 1n : notation!.unit === "d" ? 86_400_000_000n : 1_000_000n;
    return (units * factor) / 10n ** BigInt(scale);
  }

  const number = (minimum: string, maximum: string, granularity: string, type = "number") => ({
    type,
    constraints: { minimum, maximum },
    standin: { granularity },
  });
  const datetime = (minimum: string, granularity?: string) => ({
    type: "datetime",
    constraints: { minimum, maximum: minimum.replace("-01-01", "-01-31") },
    standin: { granularity },
  });
  const CASES: [string, object, object][] = [
    ["categories", { constraints: { enum: ["b", "a"] } }, { type: "dictionary", labels: ["b", "a"] }],
    ["booleans", { type: "boolean", trueValues: ["y"] }, { type: "dictionary", labels: ["false", "y"] }],
    ["numbers that are categories", { type: "integer", constraints: { enum: [2, 1] } }, { labels: ["2", "1"] }],
    ["years", { type: "year", constraints: { minimum: 1900, maximum: 2000 } }, { type: "i64" }],
    ["whole numbers", number("-10", "20", "10.0"), { type: "i64" }],
    ["the largest that fit", number(`${-(2n ** 63n)}`, `${2n ** 63n - 2048n}`, "2048", "integer"), { type: "i64" }],
    ["the first that do not", number("0", `${2n ** 63n}`, "2048", "integer"), { type: "text" }],
    ["other numbers", number("-1", "1", "0.25"), { type: "f64" }],
    ["the finest of 53 bits", number("-9007199254740.991", "9007199254740.991", "6.361"), { type: "f64" }],
    ["finer ones", number("-9007199254740.992", "9007199254740.992", "0.004"), { type: "text" }],
    ["22 decimals", number("0", "1e-15", "1e-22"), { type: "f64" }],
    ["23 decimals", number("0", "1e-15", "1e-23"), { type: "text" }],
    [
      "days",
      { type: "date", format: "%d.%m.%y", constraints: { minimum: "01.01.20", maximum: "31.12.20" } },
      { type: "moment", unit: "day" },
    ],
    ["datetimes", datetime("2023-01-01T00:00:00"), { type: "moment" }],
    ["datetimes in UTC", datetime("2023-01-01T00:00:00Z"), { type: "moment", offset: 0 }],
    ["datetimes with an offset", datetime("2023-01-01T00:00:00-03:30", "1e-6"), { type: "moment", offset: -12_600 }],
    ["nanoseconds", datetime("2023-01-01T00:00:00", "1e-9"), { type: "text" }],
    ["times", { type: "time", constraints: { minimum: "00:00:00", maximum: "12:00:00" } }, { type: "text" }],
    ["ids", { standin: { role: "id" } }, { type: "text" }],
  ];
  it.each(CASES)("have types that follow from the schema: %s", (_, given, expected) => {
    const schema = parseSchema({ fields: [{ name: "x", ...given }, KEPT] });
    const writer = new ColumnWriter(parseCsv("x,kept\n", schema));
    const [column] = writer.columns;
    expect(column).toMatchObject({ name: "x", ...expected });
    for (const member of ["unit", "offset", "labels"])
      if (!(member in expected)) expect(column).not.toHaveProperty(member, expect.anything());
    writer.close();
  });
  const KEPT = { name: "kept", constraints: { enum: ["a"] } };

  it("end with the table, and with its rows where these are wiped", () => {
    const table = parseCsv("kept\na\na\n", parseSchema({ fields: [KEPT] }));
    const writer = new ColumnWriter(table);
    expect([0, 1, 2, 9].map((from) => writer.rows(0, from, 5).rows)).toEqual([2, 1, 0, 0]);
    table.wipe();
    expect(thrown(() => writer.rows(0, 0, 1)).code).toBe("table/wiped");
  });
});

describe("a reader of columns", () => {
  const FIELDS = [
    { name: "sex", constraints: { enum: ["F", "M"] } },
    { name: "born", type: "date", constraints: { minimum: "1900-01-01", maximum: "2024-12-31" } },
    { name: "note", standin: { role: "drop" } },
    { name: "key", standin: { role: "id" } },
  ];
  const schema = parseSchema({ fields: FIELDS, missingValues: ["", "9999-12-31"] });
  const column = (name: string, type: string) => ({ name, type }) as GivenColumn;
  const [sex, born] = [column("sex", "text"), column("born", "moment")];
  const code = (columns: readonly GivenColumn[], other = schema) => thrown(() => new ColumnReader(other, columns)).code;

  it("checks names as a header's, and types by the schema", () => {
    expect(code([])).toBe("files/empty");
    expect(code([sex])).toBe("files/missing-column");
    expect(code([sex, born, sex])).toBe("files/duplicate-column");
    expect(code([sex, born, column("a\nb", "i64")])).toBe("files/header-quote");
    for (const type of ["none", "moment", "u8", "toString"])
      expect(code([column("sex", type), born])).toBe("frames/type");
    expect(code([sex, column("born", "none")])).toBe("frames/type");
    const persons = parseSchema({ fields: FIELDS, standin: { unit: { column: "note", maxRows: 1 } } });
    for (const type of ["none", "moment"]) expect(code([sex, born, column("note", type)], persons)).toBe("frames/type");
  });

  it("takes any type of columns that the schema does not need", () => {
    for (const type of ["none", "moment", "f64", "dictionary"] as const) {
      const cell = { none: null, moment: 1n, f64: 1, dictionary: "x" }[type];
      const more = ["note", "key", "other"].map((name) => ({ name, type, cells: [cell] }));
      const table = tableFrom(schema, [...more, { ...sex, cells: ["M"] }, { ...born, cells: [0n] }], 1);
      expect(table.names).toEqual(["key", "sex", "born"]);
      expect([...table.rows()]).toEqual([{ key: "1", sex: "M", born: "1970-01-01" }]);
    }
  });

  it("takes a moment that the schema states to be missing for a missing cell", () => {
    const day = 86_400_000_000n;
    const last = 2_932_896n * day;
    const cells = [last, last + day / 2n, last - day, -day - 1n];
    const table = tableFrom(
      schema,
      [
        { ...sex, cells: ["M", "M", "F", "F"] },
        { ...born, cells },
      ],
      9,
    );
    expect(table.column("born")).toEqual([null, null, "2024-12-31", "1969-12-30"]);
  });

  it("overwrites what the host wrote", () => {
    const reader = new ColumnReader(schema, [sex, born]);
    const given = [
      { ...sex, cells: ["M", "a secret", null] },
      { ...born, cells: [5n, 6n, null] },
    ];
    const none = { bytes: 0, entries: 0 };
    const [one, other] = reader.batch(3, [{ bytes: 9, entries: 0 }, none]);
    const isWritten = () => reader.engine.readU8(one.offsets, other.validity + 1 - one.offsets).some(Boolean);
    writeBatch(reader, given, 0, 3);
    expect(isWritten()).toBe(true);
    reader.coded();
    expect(isWritten()).toBe(false);
    writeBatch(reader, given, 0, 3);
    reader.batch(0, [none, none]);
    expect(isWritten()).toBe(false);
    reader.coded();
    expect(reader.end().length).toBe(3);
  });

  it("only repeats its first error", () => {
    const opened = () => new ColumnReader(schema, [sex, born]);
    const none = { bytes: 0, entries: 0 };
    const errors: [string, (reader: ColumnReader) => unknown][] = [
      ["host/batch", (reader) => reader.coded()],
      ["host/batch", (reader) => reader.batch(1, [none, none]) && reader.end()],
      ["files/memory", (reader) => reader.batch(2 ** 30, [none, none])],
      ["files/memory", (reader) => reader.batch(1, [{ bytes: 2 ** 32 - 1, entries: 0 }, none])],
    ];
    for (const [expected, fail] of errors) {
      const reader = opened();
      expect(thrown(() => fail(reader)).code).toBe(expected);
      for (const call of [() => reader.batch(1, [none, none]), () => reader.coded(), () => reader.end()])
        expect(thrown(call).code).toBe(expected);
      reader.close();
    }
  });
});
