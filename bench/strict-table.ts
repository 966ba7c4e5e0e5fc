// Checks a synthetic table with a strict reader, and whether it is written like the real one. Does not use any of
// standin's own code.
import Papa from "papaparse";

/** A proposed schema, as stored in its file. */
export interface Descriptor {
  readonly fields: readonly {
    readonly name: string;
    readonly type?: string;
    readonly constraints?: { readonly enum?: readonly (string | number)[] };
    readonly standin: { readonly role?: "id" | "drop"; readonly format?: { readonly pattern?: string } };
  }[];
  readonly missingValues?: readonly string[];
  readonly dialect?: { readonly delimiter?: string; readonly skipLines?: number; readonly encoding?: string };
}

export interface Cells {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * Reads a table in UTF-8 strictly.
 * @throws Error where a quote is not closed, text follows a closing quote, or a row and the header differ in their
 * number of cells
 */
export function strictTable(bytes: Uint8Array, { delimiter = "," }): Cells {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline: "\n" });
  const [header, ...rows] = text.endsWith("\n") ? data.slice(0, -1) : data;
  if (errors.length) throw new Error(`Not well quoted: ${errors[0].message}`);
  if (rows.some((row) => row.length !== header.length))
    throw new Error("A row has another number of cells than the header.");
  return { header, rows };
}

/** The differences in header, types and spellings between the synthetic table and the real one, one sentence each. */
export function spellingFaults(synthetic: Cells, real: Uint8Array, schema: Descriptor): string[] {
  const { header, rows } = looseTable(real, schema);
  const dropped = new Set(schema.fields.filter(({ standin }) => standin.role === "drop").map(({ name }) => name));
  const kept = [...header.keys()].filter((at) => !dropped.has(schema.fields[at].name));
  // A repeated name is made unique in the schema, and from there on.
  const expected = kept.map((at) => (header.indexOf(header[at]) < at ? schema.fields[at].name : header[at]));
  if (JSON.stringify(synthetic.header) !== JSON.stringify(expected))
    return [`header ${synthetic.header}, expected ${expected}`];
  return kept.flatMap((at, place) => {
    const [one, other] = [rows, synthetic.rows].map((table, side) => table.map((row) => row[side ? place : at] ?? ""));
    const fault = columnFault(schema.fields[at], one, other, schema.missingValues ?? [""]);
    return fault ? [`${header[at]}: ${fault}`] : [];
  });
}

/** The real table, with any kind of line ending. Short rows stay short. */
function looseTable(bytes: Uint8Array, { dialect = {} }: Descriptor): Cells {
  const text = new TextDecoder(dialect.encoding ?? "utf-8").decode(bytes).replace(/\r\n?/g, "\n");
  const lines = text.split("\n").slice(dialect.skipLines ?? 0);
  const { data } = Papa.parse<string[]>(lines.join("\n"), {
    delimiter: dialect.delimiter ?? ",",
    newline: "\n",
    skipEmptyLines: true,
  });
  const [header, ...rows] = data;
  return { header, rows };
}

function columnFault(
  { constraints, standin }: Descriptor["fields"][number],
  real: readonly string[],
  synthetic: readonly string[],
  missingValues: readonly string[],
): string | undefined {
  const full = synthetic.filter((cell) => cell !== missingValues[0]);
  if (standin.role === "id") {
    if (new Set(full).size < synthetic.length) return "ids that come again";
    return standin.format?.pattern === undefined
      ? undefined
      : strayForm(real, full, (cell) => cell.replace(/\d+/g, "9"));
  }
  if (constraints?.enum) return strayForm(real, full, (cell) => cell);
  const places = new Set(real.filter((cell) => !missingValues.includes(cell)).map(decimals));
  return strayForm(real, full, (cell) => shape(places.size > 1 ? withoutFraction(cell) : cell));
}

/**
 * A spelling without its digits. The first run of digits, before a decimal sign or a date's first mark, may have any
 * length.
 */
const shape = (cell: string): string => cell.trim().replace(/\d/g, "9").replace(/9+/, "9");
/** The digits after the last mark that is not a thousands separator, if the text ends in them. */
const FRACTION = /(?<=\d|^-?)[.,](\d+)(?:[eE][+-]?\d+)?$/;
const decimals = (cell: string): number => FRACTION.exec(cell)?.[1].length ?? 0;
const withoutFraction = (cell: string): string => cell.replace(FRACTION, "");

/** A synthetic cell whose form does not occur in the real column. */
function strayForm(real: readonly string[], synthetic: readonly string[], formOf: (cell: string) => string) {
  const known = new Set(real.map(formOf));
  const stray = synthetic.find((cell) => !known.has(formOf(cell)));
  return stray === undefined ? undefined : `nothing is spelled like ${JSON.stringify(stray)} in the real column`;
}
