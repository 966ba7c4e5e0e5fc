// What a strict reader thinks of a synthetic table, and whether it is written as the real one. Nothing of standin's own
// takes part.
import Papa from "papaparse";

/** A proposed schema, as its file holds it. */
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
 * Reads a table of UTF-8 strictly.
 * @throws Error where a quote is not closed, text follows a closing one, or a row has another number of cells than the
 * header
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

/** How the synthetic table differs in header, types and spellings from the real one, a sentence each. */
export function spellingFaults(synthetic: Cells, real: Uint8Array, schema: Descriptor): string[] {
  const { header, rows } = looseTable(real, schema);
  const dropped = new Set(schema.fields.filter(({ standin }) => standin.role === "drop").map(({ name }) => name));
  const kept = [...header.keys()].filter((at) => !dropped.has(schema.fields[at].name));
  // A name that comes again is told apart, in the schema and from then on.
  const expected = kept.map((at) => (header.indexOf(header[at]) < at ? schema.fields[at].name : header[at]));
  if (JSON.stringify(synthetic.header) !== JSON.stringify(expected))
    return [`header ${synthetic.header}, expected ${expected}`];
  return kept.flatMap((at, place) => {
    const [one, other] = [rows, synthetic.rows].map((table, side) => table.map((row) => row[side ? place : at] ?? ""));
    const fault = columnFault(schema.fields[at], one, other, schema.missingValues ?? [""]);
    return fault ? [`${header[at]}: ${fault}`] : [];
  });
}

/** The real table, whatever the ends of its lines; short rows stay short. */
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

/** A spelling without its digits; before a decimal sign or a date's first mark there may be any number of them. */
const shape = (cell: string): string => cell.trim().replace(/\d/g, "9").replace(/9+/, "9");
/** The digits behind the last mark that is none between thousands, if the text ends in them. */
const FRACTION = /(?<=\d|^-?)[.,](\d+)(?:[eE][+-]?\d+)?$/;
const decimals = (cell: string): number => FRACTION.exec(cell)?.[1].length ?? 0;
const withoutFraction = (cell: string): string => cell.replace(FRACTION, "");

/** A synthetic cell of a form that no real one has. */
function strayForm(real: readonly string[], synthetic: readonly string[], formOf: (cell: string) => string) {
  const known = new Set(real.map(formOf));
  const stray = synthetic.find((cell) => !known.has(formOf(cell)));
  return stray === undefined ? undefined : `nothing is spelled like ${JSON.stringify(stray)} in the real column`;
}
