import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseConstraintText } from "../../src/constraints/constraint-text.js";
import { StandinError } from "../../src/core/errors.js";
import { parseSchema } from "../../src/schema/schema.js";

const int = (name: string, minimum: number, maximum: number, block: object = {}) => ({
  name,
  type: "integer",
  constraints: { minimum, maximum },
  standin: block,
});
const day = (name: string, minimum: string, maximum: string) => ({
  name,
  type: "date",
  constraints: { minimum, maximum },
});
const words = (name: string, ...list: unknown[]) => ({ name, constraints: { enum: list } });

const FIELDS = [
  int("a", 0, 9),
  int("b", 5, 14),
  int("c", 20, 29),
  day("start date", "2020-01-01", "2020-12-31"),
  day("end", "2020-06-01", "2021-12-31"),
  { name: "at", type: "time", constraints: { minimum: "00:00:00", maximum: "12:00:00" } },
  words("city", "Lyon", "Porto"),
  { ...words("country", "France", "Portugal"), constraints: { enum: ["France", "Portugal"], required: true } },
  { name: "flag", type: "boolean" },
  { name: "row", type: "integer", standin: { role: "id" } },
];
const withConstraints = (constraints: unknown, fields: object[] = FIELDS) =>
  parseSchema({ fields, standin: { constraints } });

describe("a constraint's text", () => {
  it.each([
    ["a <= b", { kind: "order", names: ["a", "b"] }],
    ["  a<=b ", { kind: "order", names: ["a", "b"] }],
    ["hours-per-week <= a_b.c", { kind: "order", names: ["hours-per-week", "a_b.c"] }],
    ['"start date" <= "the ""end"""', { kind: "order", names: ["start date", 'the "end"'] }],
    ["total = a + b", { kind: "sum", names: ["total", "a", "b"] }],
    ['"="=a+"+"+c', { kind: "sum", names: ["=", "a", "+", "c"] }],
  ])("%s", (text, expected) => {
    expect(parseConstraintText(text)).toEqual(expected);
  });

  it("names any column in quotes", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 3, maxLength: 5 }), (names) => {
        const [total, ...parts] = names.map((name) => `"${name.replaceAll('"', '""')}"`);
        expect(parseConstraintText(`${total} = ${parts.join(" + ")}`)).toEqual({ kind: "sum", names });
      }),
      { seed: 1 },
    );
  });

  it.each([
    "",
    "a",
    "a <= ",
    "a < b",
    "a >= b",
    "a = b",
    "a <= b <= c",
    "a = b - c",
    '"a <= b',
    "a b <= c",
    "a == b + c",
  ])("refuses %j", (text) => {
    expect(() => parseConstraintText(text)).toThrow(expect.objectContaining({ code: "schema/constraint" }));
  });
});

describe("constraints of a schema", () => {
  it.each<[unknown, string, RegExp]>([
    ["a <= b", "constraint", /not a list/],
    [[3], "constraint", /has 3/],
    [[{ columns: ["a", "b"] }], "constraint", /allows nothing/],
    [[{ columns: ["a"], allowed: [[1]] }], "constraint", /fewer than two/],
    [[{ columns: ["a", "b"], allowed: [[1]] }], "constraint", /combination 1, \[1\]/],
    [[{ columns: ["a", "b"], allow: [[1, 5]] }], "unknown-member", /"allow"/],
    [["a <= x"], "constraint-column", /"x", which is not a field/],
    [["a <= row"], "constraint-column", /the role "id"/],
    [["a <= a"], "constraint-column", /"a" twice/],
    [["a <= city"], "constraint-column", /"city", whose values have no order/],
    [["flag <= a"], "constraint-column", /"flag", whose values have no order/],
    [["a <= end"], "constraint-column", /"a", a number, with "end", a date/],
    [["end <= at"], "constraint-column", /"end", a date, with "at", a time/],
    [["end = a + b"], "constraint-column", /adds up "end", a date/],
    [
      [{ columns: ["city", "country"], allowed: [["Nice", "France"]] }],
      "constraint-value",
      /"Nice".*not a value of "city"/,
    ],
    [[{ columns: ["a", "b"], allowed: [[0.5, 5]] }], "constraint-value", /0\.5/],
    [[{ columns: ["a", "b"], allowed: [[10, 5]] }], "constraint-value", /10/],
    [[{ columns: ["city", "country"], allowed: [["Lyon", null]] }], "constraint-value", /can never be missing/],
    [["c <= a"], "constraint-unsatisfiable", /"c <= a".*"c" is 20 to 29, "a" is 0 to 9/],
    [["c = a + b", "b <= a"], "constraint-unsatisfiable", /"c = a \+ b", "b <= a" together/],
    [["a = b + c"], "constraint-unsatisfiable", /"a = b \+ c"/],
    [["c <= b"], "constraint-unsatisfiable", /^No row can satisfy the constraint "c <= b" with no cell missing: /],
  ])("%j are refused", (constraints, code, message) => {
    expect(() => withConstraints(constraints)).toThrow(
      expect.objectContaining({ code: `schema/${code}`, message: expect.stringMatching(message) }),
    );
  });

  it("are refused where sums miss the total's values", () => {
    const odd = { name: "odd", type: "integer", constraints: { enum: [1, 3, 5, 7, 9] } };
    const [a, b] = ["a", "b"].map((name) => int(name, 0, 8, { granularity: 2 }));
    expect(() => withConstraints(["odd = a + b"], [odd, a, b])).toThrow(
      /No row can satisfy the constraint "odd = a \+ b" with no cell missing/,
    );
    expect(withConstraints(["odd = a + b"], [odd, a, int("b", 0, 8)]).linked).toHaveLength(1);
  });

  it("are refused where numbers could not be compared exactly", () => {
    const wide = { name: "wide", type: "integer", constraints: { minimum: "0", maximum: "9007199254740993" } };
    const fields = [wide, int("a", 0, 9)].map((field) => ({ ...field, standin: { granularity: 1000 } }));
    expect(() => withConstraints(["a <= wide"], fields)).toThrow(/more than 15 digits/);
  });

  it("say that nothing was found if the search ended first", () => {
    // The sum of any two of these numbers is even, but none of them is.
    const odd = Array.from({ length: 3000 }, (_, at) => 1 + 2 * ((at * 7919) % 30_011));
    const fields = ["x", "y", "z"].map((name) => ({ name, type: "integer", constraints: { enum: odd } }));
    expect(() => withConstraints(["x = y + z"], fields)).toThrow(/was found in 1,000,000 tries/);
  });

  it("are grouped by the columns that they link, each group with values that satisfy it", () => {
    const cities = {
      columns: ["city", "country"],
      allowed: [
        ["Lyon", "France"],
        [null, "Portugal"],
      ],
    };
    const { linked } = withConstraints(["a <= b", cities, '"start date" <= end', "c = a + b"]);
    expect(linked.map(({ columns }) => columns)).toEqual([
      [6, 7],
      [3, 4],
      [0, 1, 2],
    ]);
    const [a, b, c] = linked[2].problem.witness!;
    expect(c + 20).toBe(a + b + 5);
    expect(a).toBeLessThanOrEqual(b + 5);
  });

  it("take values as schemas state them", () => {
    const german = { name: "p", type: "number", decimalChar: ",", constraints: { enum: ["1,50", 2] } };
    const fields = [
      german,
      { name: "yes", type: "boolean", trueValues: ["ja"], falseValues: ["nein"] },
      day("d", "2020-01-01", "2020-12-31"),
    ];
    const allowed = [
      ["1,50", "ja", "2020-02-29"],
      [2, "nein", "2020-01-01"],
      [1.5, "ja", null],
    ];
    const [{ constraints }] = withConstraints([{ columns: ["p", "yes", "d"], allowed }], fields).linked;
    expect(constraints[0]).toMatchObject({
      combinations: [
        [0, 1, 59],
        [1, 0, 0],
        [0, 1, 0xffff],
      ],
      exempt: [2, 2, undefined],
    });
  });

  it("are refused exactly where no row satisfies them", () => {
    const steps = fc.record({ least: fc.integer({ min: -3, max: 3 }), step: fc.integer({ min: 1, max: 3 }) });
    const points = fc.integer({ min: 1, max: 4 });
    const grid = fc.tuple(steps, points).map(([{ least, step }, count]) => {
      const values = Array.from({ length: count }, (_, at) => (least + at) * step);
      return { values, stated: { minimum: values[0], maximum: values.at(-1) }, granularity: step };
    });
    const list = fc
      .uniqueArray(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 4 })
      .map((values) => ({ values, stated: { enum: values }, granularity: undefined }));
    const domain = fc.oneof(grid, list);
    const column = fc.integer({ min: 0, max: 3 });
    const order = fc.tuple(column, column).filter(([a, b]) => a !== b);
    const sum = fc.uniqueArray(column, { minLength: 3, maxLength: 4 });
    let refused = 0;
    fc.assert(
      fc.property(
        fc.tuple(domain, domain, domain, domain),
        fc.array(order, { maxLength: 3 }),
        fc.array(sum, { maxLength: 2 }),
        fc.option(fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { minLength: 1, maxLength: 4 })),
        (domains, orders, sums, pairs) => {
          const values = domains.map((domain) => domain.values);
          const name = (at: number) => "wxyz"[at];
          const allowed = pairs?.map(([a, b]) => [values[0][a % values[0].length], values[1][b % values[1].length]]);
          const fields = domains.map(({ stated, granularity }, at) => ({
            name: name(at),
            type: "integer",
            constraints: { ...stated, required: true },
            standin: { granularity },
          }));
          const constraints = [
            ...orders.map(([a, b]) => `${name(a)} <= ${name(b)}`),
            ...sums.map(([total, ...parts]) => `${name(total)} = ${parts.map(name).join(" + ")}`),
            ...(allowed ? [{ columns: ["w", "x"], allowed }] : []),
          ];
          const holds = (row: number[]) =>
            orders.every(([a, b]) => row[a] <= row[b]) &&
            sums.every(([total, ...parts]) => row[total] === parts.reduce((whole, part) => whole + row[part], 0)) &&
            (allowed?.some(([a, b]) => row[0] === a && row[1] === b) ?? true);
          const [ws, xs, ys, zs] = values;
          const some = ws.some((w) => xs.some((x) => ys.some((y) => zs.some((z) => holds([w, x, y, z])))));
          let parsed = true;
          try {
            withConstraints(constraints, fields);
          } catch (error) {
            if (!(error instanceof StandinError) || error.code !== "schema/constraint-unsatisfiable") throw error;
            parsed = false;
            refused++;
          }
          expect(parsed).toBe(some);
        },
      ),
      { numRuns: 2000, seed: 2 },
    );
    expect(refused).toBeGreaterThan(200);
  });
});
