// The real tables that benches use, with schemas of public facts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseCsv, parseSchema, type Schema, type Table } from "../src/node.js";
import { uniforms } from "../test/reference/statistics.js";
import type { Subject } from "./variants.js";

/**
 * A table of codes, next to a `-domain.json` that gives each column's number of codes, or some columns of it. Every
 * field is required.
 */
export function codedTable(
  folder: string,
  name: string,
  columns?: readonly string[],
): { schema: Schema; table: Table; path: string; json: object } {
  const domain: Record<string, number> = JSON.parse(readFileSync(join(folder, `${name}-domain.json`), "utf8"));
  const fields = (columns ?? Object.keys(domain)).map((column) => ({
    name: column,
    type: "integer",
    constraints: { minimum: 0, maximum: domain[column] - 1, required: true },
  }));
  const path = join(folder, `${name}.csv`);
  const schema = parseSchema({ fields });
  return { schema, table: parseCsv(readFileSync(path, "utf8"), schema), path, json: { fields } };
}

/** Seven columns of Adult, whose domain has 336,000 cells: ADULT(red) of Liu et al. 2021. */
export const reducedAdult = (data: string) =>
  codedTable(join(data, "adult"), "adult_13", [
    ...["sex", "income>50K", "race", "marital-status", "occupation", "education-num", "age_10"],
  ]);

/** Seven columns of the national excerpt, whose domain has 270,270 cells. */
export const NATIONAL_SEVEN = ["SEX", "MSP", "HISP", "RAC1P", "EDU", "PINCP_DECILE", "OWN_RENT"];

/** Every second row of the national excerpt, coded, on average; and the others, which everyone may see. */
export function nationalHalves(data: string): { schema: Schema; table: Table; publicTable: Table } {
  const { schema, path } = codedTable(join(data, "acs"), "national2019_coded");
  const [header, ...rows] = readFileSync(path, "utf8").trimEnd().split(/\r?\n/);
  const uniform = uniforms(5);
  const isPublic = rows.map(() => uniform() < 0.5);
  const [table, publicTable] = [false, true].map((side) =>
    parseCsv([header, ...rows.filter((_, at) => isPublic[at] === side)].join("\n"), schema),
  );
  return { schema, table, publicTable };
}

/** The two tables used in comparisons of published tools. Each is read from its file whenever it is requested. */
export function publishedSubjects(data: string): Subject[] {
  return [
    ["adult", "adult", "adult_coded"],
    ["national", "acs", "national2019_coded"],
  ].map(([name, folder, file]) => {
    const { schema, path } = codedTable(join(data, folder), file);
    return { name, schema, read: () => parseCsv(readFileSync(path, "utf8"), schema) };
  });
}

/**
 * The data dictionary of NIST's excerpts: a column's codes, bounds in addition to codes or instead of them, and N for
 * "not applicable".
 */
type Dictionary = Record<string, { values?: Record<string, string | number> }>;

/**
 * Columns of the excerpts for which the dictionary refers to the Census Bureau's own codes: industries have four-digit
 * codes.
 */
const UNLISTED: Dictionary = { INDP: { values: { N: "N/A", min: 0, max: 9999 } } };
/** Columns with decimals, and the step between their values. */
const STEPS: Record<string, string> = { DENSITY: "0.1", PINCP: "1.0" };

/** One of NIST's excerpts, with all facts taken from the data dictionary; N is missing. */
export function excerpt(
  folder: string,
  name: string,
): { path: string; json: { fields: object[]; missingValues: string[] } } {
  const dictionary: Dictionary = JSON.parse(readFileSync(join(folder, "sdnist_data_dictionary.json"), "utf8"));
  const path = join(folder, `${name}.csv`);
  const header = readFileSync(path, "utf8").split(/\r?\n/, 1)[0].split(",");
  const fields = header.map((column) => {
    const { N, min, max, ...codes } = { ...dictionary[column], ...UNLISTED[column] }.values!;
    const required = N === undefined;
    if (min === undefined) return { name: column, type: "string", constraints: { enum: Object.keys(codes), required } };
    const bounds = [min, max, ...Object.keys(codes)].map(Number);
    return {
      name: column,
      type: column in STEPS ? "number" : "integer",
      constraints: { minimum: Math.min(...bounds), maximum: Math.max(...bounds), required },
      standin: { granularity: STEPS[column] },
    };
  });
  return { path, json: { fields, missingValues: ["N"] } };
}

/** One of the ACS tasks in the paper's Table 3, and its columns. */
interface Task {
  file: string;
  categories: string;
  /** Numeric columns, with the paper's ranges. */
  trees: Record<string, [number, number]>;
}

const TASKS: Record<string, Task> = {
  MOB: {
    file: "folktables_acsmobility_ca2018",
    categories: "MIL DREM CIT DIS COW MAR SCHL MIG NATIVITY ANC DEAR DEYE SEX ESR GCL RAC1P RELP",
    trees: { JWMNP: [0, 141], PINCP: [-4800, 968000], WKHP: [0, 99], AGEP: [19, 34] },
  },
  INC: {
    file: "folktables_acsincome_ca2018",
    categories: "COW OCCP SCHL MAR SEX PINCP RAC1P RELP POBP",
    trees: { WKHP: [1, 99], AGEP: [17, 94] },
  },
  COV: {
    file: "folktables_acspubliccoverage_ca2018",
    categories: "MIL FER DREM CIT DIS MAR SCHL PUBCOV MIG NATIVITY ANC DEYE SEX ESR RAC1P DEAR ESP",
    trees: { PINCP: [-7100, 30000], AGEP: [15, 64] },
  },
};

/**
 * A task of Table 3. Like the paper, and unlike the rest of the project, this takes facts from the data: the categories
 * are those in the file. The ranges are typed constants.
 */
export function paperTask(folder: string, name: "MOB" | "INC" | "COV"): { schema: Schema; table: Table } {
  const { file, categories, trees } = TASKS[name];
  const text = readFileSync(join(folder, `${file}.csv`), "utf8");
  const [header, ...rows] = text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(","));
  const category = (column: string) => {
    const at = header.indexOf(column);
    const found = [...new Set(rows.map((row) => row[at]))].sort((a, b) => Number(a) - Number(b));
    return { name: column, type: "string", constraints: { enum: found, required: true } };
  };
  const tree = ([column, [minimum, maximum]]: [string, [number, number]]) => ({
    name: column,
    type: "integer",
    constraints: { minimum, maximum, required: true },
    standin: { bins: "tree" },
  });
  const schema = parseSchema({ fields: [...categories.split(" ").map(category), ...Object.entries(trees).map(tree)] });
  return { schema, table: parseCsv(text, schema) };
}

/** A known noise key, so that a bench prints the same figures each time. */
export const noiseKey = (seed: number): Uint8Array => Uint8Array.from({ length: 32 }, (_, at) => (at ? 0 : seed + 1));

export const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
