// Public tables with schemas as a code book would state them: categories are those in the file, and numeric columns
// have the bin edges typed here.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import Papa from "papaparse";
import { parseCsv, parseSchema } from "../src/node.js";
import type { Subject } from "./variants.js";

/** `from`, `from` + `step`, … up to `to`. */
const steps = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, at) => +(from + at * step).toFixed(6));

interface CodeBook {
  readonly file: string;
  readonly delimiter?: string;
  /** Numeric columns: their bin edges, the last one above all values. */
  readonly edges: Readonly<Record<string, readonly number[]>>;
  /** Integer columns in which each number is a category of its own: the smallest and the largest number. */
  readonly counts?: Readonly<Record<string, readonly [number, number]>>;
  /** Columns that number the rows. */
  readonly ids?: readonly string[];
}

const CODE_BOOKS: Readonly<Record<string, CodeBook>> = {
  bank: {
    file: "uci/bank_additional_full_semicolon.csv.gz",
    delimiter: ";",
    edges: {
      age: [17, 25, 30, 35, 40, 45, 50, 55, 60, 70, 100],
      duration: [0, 30, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1500, 5000],
      campaign: [1, 2, 3, 4, 5, 6, 8, 11, 16, 60],
      pdays: [0, 3, 6, 9, 15, 30, 999, 1000],
      "emp.var.rate": steps(-3.5, 1.5, 0.5),
      "cons.price.idx": steps(92, 95, 0.25),
      "cons.conf.idx": steps(-52, -26, 2),
      euribor3m: [0.5, 1, 1.25, 1.5, 2, 3, 4, 4.5, 4.75, 4.9, 5.1],
      "nr.employed": steps(4950, 5250, 50),
    },
    counts: { previous: [0, 7] },
  },
  german_credit: {
    file: "uci/german_credit.csv",
    edges: {
      duration: [0, 6, 12, 18, 24, 36, 48, 73],
      "credit-amount": [0, 1000, 2000, 3000, 4000, 6000, 8000, 12000, 20000],
      age: [18, 25, 30, 35, 40, 50, 60, 76],
    },
  },
  support2: {
    file: "uci/support2.csv.gz",
    edges: {
      age: [18, 30, 40, 50, 60, 65, 70, 75, 80, 85, 90, 105],
      slos: [3, 5, 7, 10, 14, 21, 30, 60, 350],
      "d.time": [0, 7, 14, 30, 60, 90, 180, 365, 730, 1095, 1460, 2030],
      edu: [0, 8, 12, 13, 16, 32],
      scoma: [0, 1, 10, 30, 40, 50, 60, 90, 101],
      charges: [0, 5e3, 1e4, 2e4, 3e4, 5e4, 75e3, 1e5, 2e5, 2e6],
      totcst: [0, 2e3, 5e3, 1e4, 15e3, 2e4, 3e4, 5e4, 1e5, 1e6],
      totmcst: [-1e3, 2e3, 5e3, 1e4, 15e3, 2e4, 3e4, 5e4, 1e5, 1e6],
      avtisst: steps(0, 90, 10),
      sps: steps(0, 100, 10),
      aps: steps(0, 150, 15),
      surv2m: steps(0, 1, 0.1),
      surv6m: steps(0, 1, 0.1),
      hday: [1, 2, 4, 8, 15, 31, 150],
      prg2m: steps(0, 1.1, 0.1),
      prg6m: steps(0, 1.1, 0.1),
      dnrday: [-90, 0, 4, 8, 15, 31, 300],
      meanbp: steps(0, 200, 20),
      wblc: [0, 4, 8, 11, 15, 20, 30, 201],
      hrt: [0, 40, 60, 80, 100, 120, 140, 160, 310],
      resp: [0, 8, 12, 16, 20, 24, 30, 40, 91],
      temp: [31, 35, 36, 37, 38, 39, 40, 42],
      pafi: [0, 100, 150, 200, 250, 300, 400, 500, 900],
      alb: [0, 1.5, 2, 2.5, 3, 3.5, 4, 30],
      bili: [0, 0.5, 1, 2, 4, 8, 70],
      crea: [0, 0.8, 1.2, 1.6, 2, 3, 5, 22],
      sod: [110, 130, 134, 138, 142, 146, 182],
      ph: [6.8, 7.2, 7.3, 7.35, 7.4, 7.45, 7.5, 7.8],
      glucose: [0, 80, 110, 140, 200, 300, 1100],
      bun: [0, 10, 20, 30, 50, 80, 301],
      urine: [0, 500, 1000, 1500, 2000, 3000, 4000, 9001],
      adlsc: steps(0, 8, 1),
    },
    counts: { "num.co": [0, 9], adlp: [0, 7], adls: [0, 7] },
    ids: ["sno"],
  },
  california_housing: {
    file: "uci/california_housing.csv",
    edges: {
      longitude: steps(-125, -114, 1),
      latitude: steps(32, 42, 1),
      housing_median_age: [1, 10, 15, 20, 25, 30, 35, 40, 45, 53],
      total_rooms: [0, 500, 1000, 1500, 2000, 2500, 3000, 4000, 6000, 40000],
      total_bedrooms: [0, 100, 200, 300, 400, 500, 600, 800, 1200, 6500],
      population: [0, 250, 500, 750, 1000, 1250, 1500, 2000, 3000, 36000],
      households: [0, 100, 200, 300, 400, 500, 600, 800, 1200, 6500],
      median_income: [0, 1, 2, 3, 4, 5, 6, 8, 10, 16],
      median_house_value: steps(0, 550000, 50000),
    },
  },
};

/** The tables of the code books, from the folder of real tables. */
export function codeBookSubjects(data: string): Subject[] {
  return Object.entries(CODE_BOOKS).map(([name, { file, delimiter = ",", edges, counts = {}, ids = [] }]) => {
    const bytes = readFileSync(join(data, file));
    const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
    const [header, ...rows] = Papa.parse<string[]>(text, { delimiter, skipEmptyLines: true }).data;
    const fields = header.map((column, at) => {
      const found = new Set(rows.map((row) => row[at]));
      const required = !found.delete("");
      if (ids.includes(column)) return { name: column, type: "integer", standin: { role: "id" } };
      if (column in edges) {
        const bins = edges[column];
        const constraints = { minimum: bins[0], maximum: bins.at(-1), required };
        return { name: column, type: "number", constraints, standin: { bins } };
      }
      if (column in counts) {
        const [minimum, maximum] = counts[column];
        return {
          name: column,
          type: "number",
          constraints: { minimum, maximum, required },
          standin: { granularity: 1 },
        };
      }
      return { name: column, type: "string", constraints: { enum: [...found].sort(), required } };
    });
    const schema = parseSchema({ fields, dialect: { delimiter } });
    return { name, schema, read: () => parseCsv(text, schema) };
  });
}
