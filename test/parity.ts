// Binary tables in which one column is the parity of some others: a dependence that no smaller set of columns shows.
import { parseCsv, parseSchema, type Release, resample, type Schema, type Table } from "../src/index.js";
import { uniforms } from "./reference/statistics.js";

/** Columns y, x1, x2, … */
export const paritySchema = (columns: number): Schema =>
  parseSchema({
    fields: Array.from({ length: columns }, (_, at) => ({
      ...{ name: at ? `x${at}` : "y", type: "integer", constraints: { minimum: 0, maximum: 1, required: true } },
    })),
  });

/** Rows in which y is the parity of the first `parents` others, which are independent and even. */
export function parityTable(schema: Schema, rows: number, parents: number): Table {
  const uniform = uniforms(5);
  const lines = Array.from({ length: rows }, () => {
    const others = schema.fields.slice(1).map(() => Number(uniform() < 0.5));
    return [parityOf(others.slice(0, parents)), ...others].join();
  });
  return parseCsv(`${schema.fields.map(({ name }) => name).join()}\n${lines.join("\n")}\n`, schema);
}

/** The part of a release's rows in which y is that parity, 0 to 1. */
export async function parityKept(release: Release, parents: number): Promise<number> {
  const { table } = await resample(release);
  const others = Array.from({ length: parents }, (_, at) => table.column(`x${at + 1}`));
  const kept = [...table.column("y")].filter((y, row) => y === parityOf(others.map((column) => Number(column[row]))));
  return kept.length / table.length;
}

const parityOf = (bits: readonly number[]): number => bits.reduce((parity, bit) => parity ^ bit, 0);
