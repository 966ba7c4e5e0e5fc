import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StandinError } from "../../src/core/errors.js";
import type { Table, Value } from "../../src/core/table.js";
import { decodeRows } from "../../src/schema/decode.js";
import { parseSchema, type Schema } from "../../src/schema/schema.js";

type Row = Record<string, Value>;
type ConstraintJson = string | { columns: string[]; allowed: Value[][] };

/**
 * A constraint's meaning, determined from the values alone. @param listsNull whether the list has a missing cell in a
 * column
 */
function holds(constraint: ConstraintJson, row: Row): boolean {
  if (typeof constraint === "string") {
    const names = constraint.split(/ <= | = | \+ /);
    const values = names.map((name) => row[name]);
    if (values.some((value) => value === null)) return true;
    if (constraint.includes("<=")) return values[0]! <= values[1]!;
    // Numbers have at most two decimal places.
    const [total, ...parts] = values.map((value) => Math.round(Number(value) * 100));
    return total === parts.reduce((sum, part) => sum + part, 0);
  }
  const { columns, allowed } = constraint;
  const outside = (name: string, at: number) => row[name] === null && allowed.every((values) => values[at] !== null);
  return columns.some(outside) || allowed.some((values) => values.every((value, at) => value === row[columns[at]]));
}

/** A random word: the parts hashed by multiplications and shifts. */
function word(...parts: number[]): number {
  let hash = 0;
  for (const part of parts) {
    hash = Math.imul(hash ^ part, 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca77);
    hash ^= hash >>> 13;
  }
  return hash >>> 0;
}

function decoded(schema: Schema, codes: readonly Uint16Array[], seed: number): Table {
  const names = schema.fields.map(({ name }) => name);
  return decodeRows(schema, names, ",", codes, seed);
}

const cellsOf = (table: Table): string[] =>
  Array.from({ length: table.length }, (_, row) =>
    table.columns.map(({ codes, codec }) => codec.text(codes[row])).join("|"),
  );

const FIELDS = {
  small: { type: "integer", constraints: { minimum: 0, maximum: 9 } },
  large: { type: "integer", constraints: { minimum: -50, maximum: 2000 } },
  coarse: { type: "integer", constraints: { minimum: 0, maximum: 2500 }, standin: { granularity: 5 } },
  cents: { type: "number", constraints: { minimum: 0, maximum: 40 }, standin: { granularity: 0.01 } },
  binned: {
    type: "number",
    constraints: { minimum: -10, maximum: 60.5 },
    standin: { granularity: 0.5, bins: [0, 7.25, 30] },
  },
  listed: { type: "integer", constraints: { enum: [7, 1, 12, 3, 25, 40] } },
  first: { type: "date", constraints: { minimum: "2019-03-01", maximum: "2024-12-31" } },
  second: { type: "date", constraints: { minimum: "2020-01-01", maximum: "2025-06-30" } },
  third: { type: "date", constraints: { minimum: "2020-02-27", maximum: "2020-04-01" } },
  city: { constraints: { enum: ["Lyon", "Nice", "Porto", "Turin"] } },
  country: { constraints: { enum: ["France", "Portugal", "Italy"] } },
};
type Name = keyof typeof FIELDS;
const NUMBERS: Name[] = ["small", "large", "coarse", "cents", "binned", "listed"];
const DATES: Name[] = ["first", "second", "third"];
const VALUES: Partial<Record<Name, Value[]>> = {
  city: ["Lyon", "Nice", "Porto", "Turin"],
  country: ["France", "Portugal", "Italy"],
  small: [0, 1, 2, 5, 9],
  large: [-50, 0, 3, 1999],
  third: ["2020-02-29", "2020-03-01"],
};

const order = fc
  .constantFrom(NUMBERS, DATES)
  .chain((names) => fc.shuffledSubarray(names, { minLength: 2, maxLength: 2 }))
  .map((names): ConstraintJson => names.join(" <= "));
const sum = fc
  .shuffledSubarray(NUMBERS, { minLength: 3, maxLength: 4 })
  .map(([total, ...parts]): ConstraintJson => `${total} = ${parts.join(" + ")}`);
const list = (required: boolean) =>
  fc.shuffledSubarray(Object.keys(VALUES) as Name[], { minLength: 2, maxLength: 3 }).chain((columns) =>
    fc
      .array(fc.tuple(...columns.map((name) => fc.constantFrom(...VALUES[name]!, ...(required ? [] : [null])))), {
        minLength: 1,
        maxLength: 6,
      })
      .map((allowed): ConstraintJson => ({ columns, allowed: allowed.map((values) => [...values]) })),
  );

/** A schema with constraints that can be satisfied. */
const constrained = fc
  .boolean()
  .chain((required) =>
    fc.record({
      required: fc.constant(required),
      constraints: fc.array(
        fc.oneof(
          { weight: 3, arbitrary: order },
          { weight: 1, arbitrary: sum },
          { weight: 2, arbitrary: list(required) },
        ),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
    }),
  )
  .map(({ required, constraints }) => {
    const fields = Object.entries(FIELDS).map(([name, field]) => ({
      name,
      ...field,
      constraints: { ...field.constraints, required },
    }));
    try {
      const schema = parseSchema({ fields, standin: { constraints } });
      return { schema, free: parseSchema({ fields }), constraints };
    } catch (error) {
      if (error instanceof StandinError && error.code === "schema/constraint-unsatisfiable") return undefined;
      throw error;
    }
  })
  .filter((made) => made !== undefined);

/** Rows of random codes. With `regular`, many rows repeat the codes of the first. */
const rowsOf = (schema: Schema, seed: number, rows: number, regular: boolean) =>
  schema.attributes.map(({ size }, attribute) =>
    Uint16Array.from({ length: rows }, (_, row) => {
      const at = regular && word(seed, 78, 99, row) % 3 ? 0 : row;
      return word(seed, 78, attribute, at) % size;
    }),
  );

describe("the rows of the result", () => {
  it("satisfy all constraints, change only where they did not, and depend on nothing else", () => {
    let [changed, kept] = [0, 0];
    fc.assert(
      fc.property(
        constrained,
        fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        fc.constantFrom(1, 40, 200),
        fc.boolean(),
        ({ schema, free, constraints }, seed, rows, regular) => {
          const codes = rowsOf(schema, seed, rows, regular);
          const before = codes.map((column) => column.slice());
          const table = decoded(schema, codes, seed);
          const broken = [...table.rows()].flatMap((row) =>
            constraints.filter((constraint) => !holds(constraint, row)),
          );
          expect(broken).toEqual([]);
          expect(codes).toEqual(before);
          expect(cellsOf(decoded(schema, codes, seed))).toEqual(cellsOf(table));
          const unconstrained = decoded(free, codes, seed);
          const [cells, freeCells] = [cellsOf(table), cellsOf(unconstrained)];
          for (const [at, row] of [...unconstrained.rows()].entries()) {
            const fine = constraints.every((constraint) => holds(constraint, row));
            if (fine) expect(cells[at]).toBe(freeCells[at]);
            if (fine) kept++;
            else changed++;
          }
        },
      ),
      { numRuns: 400, seed: 3 },
    );
    expect(Math.min(changed, kept)).toBeGreaterThan(2000);
  });
});

const int = (name: string, minimum: number, maximum: number, block: object = {}) => ({
  name,
  type: "integer",
  constraints: { minimum, maximum, required: true },
  standin: block,
});

describe("a row that breaks a constraint", () => {
  const rows = 20_000;
  const random = (stream: number, size: number) =>
    Uint16Array.from({ length: rows }, (_, row) => word(5, 79, stream, row) % size);

  it("keeps its bins if they have values that satisfy it, drawn over all of them", () => {
    const fields = ["opened", "closed"].map((name) => int(name, 0, 999));
    const schema = parseSchema({ fields, standin: { constraints: ["opened <= closed"] } });
    const opened = random(0, 32);
    const closed = opened.map((code, row) => Math.min(31, code + (row % 3)));
    const table = decoded(schema, [opened, closed], 6);
    const leaf = (value: Value) => Math.floor((Number(value) * 32) / 1000);
    const offsets = new Set<number>();
    for (const [row, { opened: from, closed: to }] of [...table.rows()].entries()) {
      expect([leaf(from), leaf(to)]).toEqual([opened[row], closed[row]]);
      if (opened[row] === 9) offsets.add(Number(from));
    }
    // The leaf has 31 or 32 points, drawn about 600 times.
    expect(offsets.size).toBeGreaterThanOrEqual(31);
  });

  it("gets the total of its parts, if its bins have no solution", () => {
    const fields = [int("a", 0, 3), int("b", 0, 3), int("both", 0, 6), int("twice", 0, 9)];
    const constraints = ["twice = both + a", "both = a + b"];
    const schema = parseSchema({ fields, standin: { constraints } });
    const [a, b] = [random(0, 4), random(1, 4)];
    const table = decoded(schema, [a, b, random(2, 7), random(3, 10)], 6);
    const both = Uint16Array.from(a, (value, row) => value + b[row]);
    const twice = both.map((value, row) => value + a[row]);
    expect(table.columns.map(({ codes }) => codes)).toEqual([Uint16Array.from(a), Uint16Array.from(b), both, twice]);
  });

  it("takes the cells of the rows nearest to it, each equally likely", () => {
    const list = [
      ["x", "p", "k"],
      ["x", "q", "l"],
      ["y", "q", "k"],
      ["y", "q", "m"],
    ];
    const fields = [
      ["x", "y"],
      ["p", "q"],
      ["k", "l", "m"],
    ].map((values, at) => ({
      name: "abc"[at],
      constraints: { enum: values, required: true },
    }));
    const schema = parseSchema({ fields, standin: { constraints: [{ columns: ["a", "b", "c"], allowed: list }] } });
    // 100 rows of each allowed combination except the last, then rows that are x, p, l: one cell away from the first
    // two.
    const combinations = [
      [0, 0, 0],
      [0, 1, 1],
      [1, 1, 0],
    ];
    const codes = [0, 1, 2].map((column) =>
      Uint16Array.from({ length: rows }, (_, row) => (row < 300 ? combinations[row % 3][column] : [0, 0, 1][column])),
    );
    const counts = new Map<string, number>();
    for (const cells of cellsOf(decoded(schema, codes, 6)).slice(300)) counts.set(cells, (counts.get(cells) ?? 0) + 1);
    expect([...counts.keys()].sort()).toEqual(["x|p|k", "x|q|l"]);
    // Binomial, half of 19,700: five standard deviations, a false alarm rate of 6e-7.
    expect(Math.abs(counts.get("x|p|k")! - 9850)).toBeLessThan(5 * Math.sqrt(19_700 / 4));
  });

  it("has values of its own in the bins that it takes from another row", () => {
    const fields = ["opened", "closed"].map((name) => int(name, 0, 999));
    const schema = parseSchema({ fields, standin: { constraints: ["opened <= closed"] } });
    // Of independent leaves, half are in the wrong order. 100 rows that are not are all that can be nearest.
    const [opened, closed] = [random(0, 32), random(1, 32)].map((codes, at) =>
      codes.map((code, row) => (row < 100 ? 10 + at : at ? 5 : Math.max(6, code))),
    );
    const table = decoded(schema, [opened, closed], 6);
    const cells = cellsOf(table).slice(100);
    const leaf = ({ opened: from, closed: to }: Row) =>
      [Number(from), Number(to)].map((v) => Math.floor((v * 32) / 1000));
    for (const row of table.rows()) expect(leaf(row)).toEqual([10, 11]);
    // 31² pairs of points, drawn 19,900 times.
    expect(new Set(cells).size).toBeGreaterThan(900);
  });

  it("prefers rows that are missing in the same columns", () => {
    const fields = ["a", "b"].map((name) => ({ name, type: "integer", constraints: { enum: [1, 2, 3] } }));
    const schema = parseSchema({ fields, standin: { constraints: ["a <= b"] } });
    // 3 > 1. A row with 3 and missing is one cell away, as is 3 ≤ 3.
    const codes = [Uint16Array.of(2, 2, 2, 2), Uint16Array.of(0, 3, 2, 3)];
    expect(cellsOf(decoded(schema, codes, 6))).toEqual(["3|3", "3|", "3|3", "3|"]);
  });

  it("becomes the witness where no row satisfies the constraints", () => {
    const fields = ["a", "b"].map((name) => ({ name, constraints: { enum: ["u", "v"], required: true } }));
    const allowed = [["u", "v"]];
    const schema = parseSchema({ fields, standin: { constraints: [{ columns: ["a", "b"], allowed }] } });
    expect(cellsOf(decoded(schema, [Uint16Array.of(1, 0), Uint16Array.of(1, 0)], 6))).toEqual(["u|v", "u|v"]);
  });

  it("is corrected among a million rows of any codes", () => {
    const fields = [
      ...["a", "b", "c"].map((name) => int(name, 0, 9999)),
      { name: "d", constraints: { enum: Array.from({ length: 500 }, (_, at) => `d${at}`) } },
      { name: "e", constraints: { enum: ["x", "y", "z"] } },
    ];
    const allowed = Array.from({ length: 500 }, (_, at) => [`d${at}`, "xyz"[at % 3]]);
    const schema = parseSchema({
      fields,
      standin: { constraints: ["a <= b", "c = a + b", { columns: ["d", "e"], allowed }] },
    });
    const many = schema.attributes.map(({ size }, attribute) =>
      Uint16Array.from(
        { length: 1_000_000 },
        (_, row) => (Math.imul(row + 1, 2_654_435_761 + 2 * attribute) >>> 8) % size,
      ),
    );
    const { columns } = decodeRows(schema, ["a", "b", "c", "d", "e"], ",", many, 9);
    const [a, b, c, d, e] = columns.map(({ codes }) => codes);
    let broken = 0;
    for (let row = 0; row < a.length; row++) {
      if (a[row] > b[row] || c[row] !== a[row] + b[row]) broken++;
      if (d[row] < 500 && e[row] < 3 && d[row] % 3 !== e[row]) broken++;
    }
    expect(broken).toBe(0);
  });
});
