// Tables that hosts of the core have in columns: the same releases as from files, and no cell in the core's memory.
import { describe, expect, it } from "vitest";
import { parseCsv, parseSchema } from "../../src/node.js";
import type { GivenColumn } from "../files/columns.js";
import { VECTORS } from "../vectors/vectors.js";
import { Guest } from "./guest.js";
import { isShipped, opened } from "./shipped.js";

/** The columns of a file without quotes: whole numbers as such, other cells in a dictionary. */
function columnsOf(csv: string, missingValues: readonly string[]): GivenColumn[] {
  const [names, ...rows] = csv
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  return names.map((name, at) => {
    const texts = rows.map((cells) => (missingValues.includes(cells[at]) ? null : cells[at]));
    if (texts.some((text) => text !== null && !/^-?\d+$/.test(text))) return { name, type: "dictionary", cells: texts };
    const type = at % 2 ? "i64" : "f64";
    return { name, type, cells: texts.map((text) => text && (type === "i64" ? BigInt(text) : Number(text))) };
  });
}

const SECRET = "a secret of somebody";
const FIELDS = [
  { name: "sex", constraints: { enum: ["F", "M"] } },
  {
    name: "seen",
    type: "datetime",
    constraints: { minimum: "2024-01-01T00:00:00+01:00", maximum: "2024-12-31T00:00:00+01:00" },
  },
  { name: "who", standin: { role: "drop" } },
];
const DESCRIPTOR = { fields: FIELDS, standin: { unit: { column: "who", maxRows: 3 } } };

describe.skipIf(!isShipped)("a host of the core with columns", () => {
  it("gets the release that it gets from a file", () => {
    const core = opened();
    const guest = new Guest(core);
    for (const { name, schema: descriptor, csv, plan: options, seed, rows, noiseKey, release } of VECTORS.slice(0, 6)) {
      const { schema, missingValues } = guest.ask({ request: "schema", descriptor });
      const { plan } = guest.ask({ request: "plan", schema, options });
      const columns = columnsOf(csv, missingValues);
      const table = guest.tableOf(schema, columns, 7);
      expect(guest.written(table), name).toBe(guest.written(guest.table(schema, csv, 1000)));
      const key = Buffer.from(noiseKey, "hex");
      const { run } = guest.ask({ request: "measure", table, plan, options: { seed, rows } }, key);
      expect(guest.events(run).at(-1)!.text, name).toBe(JSON.stringify(release));
      guest.ask({ request: "drop", object: table });
    }
  });

  it("gets synthetic columns with the values of the synthetic file", () => {
    const guest = new Guest(opened());
    const { schema: descriptor, release: measured } = VECTORS.find(({ name }) => name === "missing")!;
    const { release } = guest.ask({ request: "release" }, Buffer.from(JSON.stringify(measured)));
    const { tables, rows } = guest.ask({ request: "resample", release, options: {} });
    const expected = parseCsv(guest.written(tables[0]), parseSchema(descriptor));
    for (const part of [7, 100_000]) {
      const columns = guest.columns(tables[0], part);
      expect(columns.map(({ name }) => name)).toEqual(expected.names);
      for (const { name, type, cells } of columns) {
        expect(cells).toHaveLength(rows);
        const values = cells.map((cell) => (type === "i64" && cell !== null ? Number(cell) : cell));
        expect(values).toEqual(expected.column(name));
      }
    }
  });

  it("tells what reading needs, and at which offset datetimes are", () => {
    const guest = new Guest(opened());
    const { fields, reads } = guest.ask({ request: "schema", descriptor: DESCRIPTOR });
    expect(reads).toEqual(["sex", "seen", "who"]);
    expect(fields.map(({ offset }: { offset?: number }) => offset)).toEqual([undefined, 3600, undefined]);
  });

  it("lets the core see no cell, and gives every instance of the engine back", () => {
    const core = opened();
    const guest = new Guest(core);
    const { schema } = guest.ask({ request: "schema", descriptor: DESCRIPTOR });
    const columns: GivenColumn[] = [
      { name: "sex", type: "text", cells: ["F", SECRET, null] },
      { name: "who", type: "dictionary", cells: [SECRET, "one more", SECRET] },
      { name: "seen", type: "moment", cells: [1_706_742_000_000_000n, null, 1_706_742_060_000_000n] },
      { name: "else", type: "none", cells: [null, null, null] },
    ];
    const table = guest.tableOf(schema, columns, 2);
    const made = guest.columns(table, 2);
    for (const secret of [SECRET, "one more"]) expect(Buffer.from(core.bytes()).includes(secret)).toBe(false);
    expect(made).toEqual([{ name: "sex", type: "dictionary", cells: ["F", null, null] }, columns[2]]);
    expect(guest.written(table)).toBe("sex,seen\nF,2024-02-01T00:00:00+01:00\n,\n,2024-02-01T00:01:00+01:00\n");
    const typed = columns.map(({ name, type }) => ({ name, type }));
    const { reader } = guest.ask({ request: "read", schema, columns: typed });
    for (const object of [reader, table]) guest.ask({ request: "drop", object });
    expect(core.instances).toBe(0);
  });

  it("learns what is wrong with a request", () => {
    const guest = new Guest(opened());
    const { schema } = guest.ask({ request: "schema", descriptor: DESCRIPTOR });
    const columns = ["sex", "seen", "who"].map((name) => ({ name, type: "text" }));
    const read = (given: unknown) => guest.refusal({ request: "read", schema, columns: given });
    expect(read(columns.slice(1))).toBe("files/missing-column");
    expect(read(columns.map(({ name }) => ({ name, type: "moment" })))).toBe("frames/type");
    for (const given of ["sex", [{ name: "sex" }], [{ type: "text" }]]) expect(read(given)).toBe("core/fault");
    const { reader } = guest.ask({ request: "read", schema, columns });
    const { reader: ofFile } = guest.ask({ request: "read", schema });
    expect(guest.refusal({ request: "room", reader, bytes: 1 })).toBe("host/handle");
    const sizes = { bytes: [1, 1, 1], entries: [0, 0, 0] };
    expect(guest.refusal({ request: "batch", reader: ofFile, rows: 1, ...sizes })).toBe("host/handle");
    for (const wrong of [{ rows: -1 }, { rows: 0.5 }, { rows: "1" }, { rows: 1, bytes: [1] }, { rows: 2 ** 32 }])
      expect(guest.refusal({ request: "batch", reader, ...sizes, ...wrong })).toBe("core/fault");
    expect(guest.refusal({ request: "coded", reader })).toBe("host/batch");
    expect(guest.refusal({ request: "table", reader })).toBe("host/batch");
    const { writer } = guest.ask({ request: "columns", table: guest.table(schema, "sex,seen,who\n", 100) });
    expect(guest.refusal({ request: "column", writer, place: 2, from: 0, rows: 1 })).toBe("core/fault");
    expect(guest.refusal({ request: "chunk", writer })).toBe("host/handle");
  });
});
