import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StandinError } from "../../src/core/errors.js";
import { codesOf } from "../../src/domain/attribute.js";
import { type Expression, expressionText, parseExpression } from "../../src/queries/expression-parser.js";
import { type Query, structureOf } from "../../src/queries/query.js";
import { type QueryList, workloadQueries } from "../../src/queries/workload.js";
import { refined } from "../../src/schema/refine.js";
import { parseSchema } from "../../src/schema/schema.js";
import { engineAnswers } from "../answers.js";
import { calculation, condition, namesIn, SCHEMA, textOf } from "../random-expressions.js";
import { expressionAnswers } from "../reference/expression.js";

/** An expression without its places and depths. */
const bare = (expression: Expression): unknown => {
  const { at: _, end: __, depth: ___, of, ...rest } = expression;
  return { ...rest, of: of.map(bare) };
};
const usual = (text: string) => expressionText(parseExpression(text));

describe("an expression", () => {
  it("is the same after it is written in its usual form and read again", () => {
    fc.assert(
      fc.property(fc.oneof(condition, calculation), (drawn) => {
        const expression = parseExpression(textOf(drawn));
        const text = expressionText(expression);
        expect(bare(parseExpression(text))).toEqual(bare(expression));
        expect(usual(text)).toBe(text);
      }),
      { seed: 1, numRuns: 2000 },
    );
  });

  it.each([
    ["age<30 and(income>=50000)", "age < 30 and income >= 50000"],
    ["a or b and not c == 1", "a or b and not c == 1"],
    ["(a or b) and c", "(a or b) and c"],
    ["((a - (b - c)) * -2) / (d / e) > 1", "(a - (b - c)) * -2 / (d / e) > 1"],
    ["a - b - c < .5e1", "a - b - c < 5"],
    ["not (a < 1 and b is not missing)", "not (a < 1 and b is not missing)"],
    [
      'sex in("F",\'it\'\'s\') or `marital status` not in ("a""b")',
      "sex in ('F', 'it''s') or `marital status` not in ('a\"b')",
    ],
    ["a in(1,(2),-(3),(4+5),-(6*7))", "a in (1, 2, -3, (4 + 5), -(6 * 7))"],
    ["`in` == `a``b`", "`in` == `a``b`"],
    ["größe.cm\n  > -1", "größe.cm > -1"],
    ["(a < 1) == (not b)", "(a < 1) == (not b)"],
  ])("%j is usually written %j", (text, expected) => {
    expect(usual(text)).toBe(expected);
    expect(bare(parseExpression(expected))).toEqual(bare(parseExpression(text)));
  });
});

const PEOPLE = parseSchema({
  fields: [
    { name: "age", type: "integer", constraints: { minimum: 0, maximum: 99 } },
    { name: "sex", type: "string", constraints: { enum: ["F", "M", "unknown"] } },
    { name: "wage", type: "number", constraints: { minimum: 0, maximum: 50 }, standin: { granularity: 0.5 } },
    { name: "hours", type: "integer", constraints: { minimum: 0, maximum: 80 } },
    { name: "income", type: "integer", constraints: { minimum: 0, maximum: 319_999 }, standin: { bins: 32 } },
    { name: "band", type: "integer", constraints: { minimum: 0, maximum: 99 }, standin: { bins: [18, 65] } },
    { name: "born", type: "date", format: "%d/%m/%Y", constraints: { minimum: "01/01/2020", maximum: "31/01/2020" } },
    {
      name: "seen",
      type: "datetime",
      constraints: { minimum: "2020-01-01T00:00:00Z", maximum: "2020-01-01T01:00:00Z" },
      standin: { granularity: 60 },
    },
    { name: "smokes", type: "boolean", trueValues: ["yes"], falseValues: ["no"] },
    { name: "name", type: "string", standin: { role: "drop" } },
    { name: "rent", type: "number", constraints: { minimum: 0, maximum: 500 }, standin: { granularity: 0.5 } },
    { name: "wealth", type: "integer", constraints: { minimum: 0, maximum: 65_536 * 4 - 1 } },
    ...Array.from({ length: 7 }, (_, at) => ({ name: `c${at}`, type: "boolean" })),
  ],
});

const refusedWith = (list: unknown): StandinError => {
  try {
    workloadQueries(list as QueryList, PEOPLE);
  } catch (error) {
    if (error instanceof StandinError) return error;
    throw error;
  }
  return expect.fail("is not refused") as never;
};
/** What the carets of an error point at. */
function pointedAt({ excerpt = "" }: StandinError): string {
  const [line, carets] = excerpt.split("\n");
  const at = carets.indexOf("^");
  return line.slice(at, carets.length) || "the end";
}

describe("an expression is refused, with its place,", () => {
  it.each([
    ["age = 3", "=", /sign =\.[\s\S]*Write ==/],
    ["age === 3", "===", /Write ==/],
    ["age <> 3", "<>", /Write !=/],
    ["age < 3 && age > 1", "&&", /Write and/],
    ["!smokes", "!", /Write not/],
    ["age % 2 == 1", "%", /They have </],
    ["age ** 2 > 1", "**", /sign \*\*/],
    ["sex == 'F", "'", /quote ' is not closed/],
    ["`age < 3", "`", /quote ` is not closed/],
    ["age < 3e999", "3e999", /too large/],
    ["age < 3rd", "3rd", /not a number.*\n[\s\S]*backquotes/],
    ["age < 1.2.3", "1.2.3", /not a number/],
    ["age <", "the end", /Expected a column or a value, found the end/],
    ["", "the end", /found the end/],
    ["age < 3 sex", "sex", /Expected an operator or the end, found sex\.[\s\S]*in backquotes/],
    ["age < 3 AND age > 1", "AND", /Write and in small letters/],
    ["(age < 3", "the end", /Expected \), found the end/],
    ["age in 3", "3", /Expected \(, found 3/],
    ["age in ()", ")", /Expected a column or a value/],
    ["age not 3", "3", /Expected in, found 3/],
    ["age is 3", "3", /Expected missing, found 3/],
    ["18 <= age < 65", "<", /do not form chains[\s\S]*18 <= age and age < 65/],
    [`${"(".repeat(40)}age < 3${")".repeat(40)}`, "(", /More than 32/],
    [`${Array.from({ length: 40 }, () => "age").join(" + ")} > 3`, "+", /More than 32/],
    ["agee < 3", "agee", /no column "agee"[\s\S]*Did you mean age\?/],
    ["elevation < 3", "elevation", /no column[\s\S]*models age, sex,/],
    ["name == 'x'", "name", /does not model the column "name"/],
    ["sex == F", "F", /write it in quotes: 'F'/],
    ["sex == 'unknwon'", "'unknwon'", /"sex" has no category "unknwon"[\s\S]*Did you mean 'unknown'/],
    ["sex == 'something else'", "'something else'", /There are 'F', 'M', 'unknown'/],
    ["sex == 1", "sex == 1", /A category is compared with a number/],
    ["sex < 'M'", "sex < 'M'", /have no order/],
    ["sex + 1 > 2", "sex + 1", /\+ needs numbers, found a category and a number/],
    ["-sex == 'F'", "-sex", /- needs numbers/],
    ["age == '3'", "'3'", /Write numbers without quotes/],
    ["'age' < 'b'", "'age' < 'b'", /Two texts/],
    ["born < '2020-01-15'", "'2020-01-15'", /not a date in the format of "born"[\s\S]*'01\/01\/2020'/],
    ["born < 2020", "born < 2020", /A date is compared with a number[\s\S]*dates and times in quotes/],
    ["born < seen", "born < seen", /A date is compared with a datetime/],
    ["born * 2 > 3", "born * 2", /\* needs numbers, found a date/],
    ["age + 'x' > 1", "'x'", /not compared with a column/],
    ["age and age < 3", "age", /Expected a condition, found a number/],
    ["(age < 3) + 1 > 2", "age < 3", /Expected a value, found a condition/],
    ["true", "true", /Expected a condition/],
    ["smokes == 'maybe'", "'maybe'", /"smokes" has no category "maybe"/],
    ["(age + 1) is missing", "age + 1", /Only a column can be missing/],
    ["age in (1, hours)", "hours", /values, not columns/],
    ["age in (1, 'x')", "'x'", /Write numbers without quotes/],
    ["1 < 2", "1 < 2", /names no column/],
    ["age < 3 or income >= 50001", "income >= 50001", /"income" from 50000 to 59999 [\s\S]*begin at 50001/],
    ["band >= 18 and not band == 70", "band == 70", /"band" from 65 to 99 [\s\S]*bins/],
    ["wage * income > 3", "income", /"income" from 0 to 9999 as one, and a calculation/],
    [
      "wealth > 8",
      "wealth > 8",
      /"wealth" from 8 to 15 [\s\S]*begin at 9 .*a granularity such as 5, which leaves at most 65,534 values/,
    ],
    ["wealth == 9", "wealth == 9", /\nState a granularity/],
  ])("%s", (text, place, message) => {
    const error = refusedWith([{ expression: text }]);
    expect(error.code).toBe("workload/expression");
    expect(error.message).toMatch(message);
    expect(pointedAt(error)).toBe(place);
    expect(error.message.endsWith(error.hint!)).toBe(true);
  });

  it("in the line that has it, if there are several", () => {
    const { excerpt = "" } = refusedWith([{ expression: "age < 3\n\tand sex == 'F' or '🙂' == agee\nand age > 5" }]);
    const [line, carets] = excerpt.split("\n");
    expect(line).toBe("   and sex == 'F' or '🙂' == agee");
    expect([...line].slice(carets.indexOf("^")).join("")).toBe("agee");
    expect(carets.trim()).toBe("^^^^");
  });

  it("with what is around the place in a long line", () => {
    const long = "age < 3 and ".repeat(1000);
    const { excerpt = "" } = refusedWith([{ expression: `${long}agee < 3 and ${long}age < 3` }]);
    const [line, carets] = excerpt.split("\n");
    expect(line.startsWith(`  … ${"age < 3 and ".repeat(5)}agee < 3 and `)).toBe(true);
    expect(line.endsWith(" …")).toBe(true);
    expect(line.slice(carets.indexOf("^"), carets.length)).toBe("agee");
    expect(line.length).toBeLessThan(140);
  });

  it.each(["x".repeat(90_000), `'${"x".repeat(90_000)}`, `sex == '${"x".repeat(90_000)}'`, "9".repeat(90_000)])(
    "shortly, however long it is (%#)",
    (text) => {
      expect(refusedWith([{ expression: text }]).message.length).toBeLessThan(600);
    },
  );

  it("if it is too long, as it is written or in its usual form", () => {
    const message = /characters; at most 100,000 are read/;
    expect(refusedWith([{ expression: `age < 3${" ".repeat(100_000)}` }]).message).toMatch(message);
    expect(refusedWith([{ expression: `age<3${" or age<3".repeat(11_000)}` }]).message).toMatch(message);
    expect(refusedWith([{ expression: `age in (${"1,".repeat(49_990)}1)` }]).message).toMatch(message);
  });

  it("if the tables of a calculation take too much memory", () => {
    const column = (name: string) => ({ name, type: "integer", constraints: { minimum: 0, maximum: 65_533 } });
    const schema = parseSchema({ fields: [column("a"), column("b")] });
    const expressions = Array.from({ length: 300 }, (_, at) => `a * ${at + 2} < b`);
    expect(() => workloadQueries([{ expressions }], schema)).toThrow(/take 151 MiB; at most 128/);
  });

  it.each([
    [[{ expression: 3 }], /not one or several expressions/],
    [[{ expressions: [] }], /not one or several/],
    [[{ expressions: ["age < 3", 4] }], /not one or several/],
    [[{ expressions: Object.assign([], { 1: "age < 3" }) }], /not one or several/],
    [[{ expression: "age < 3", expressions: ["age < 3"] }], /not one or several/],
    [[{ expression: "age < 3", partition: true }], /not one or several/],
    [[{ expressions: ["age < 3"], partition: 1 }], /not one or several/],
    [[{ expressions: ["age < 3"], partitions: true }], /not one or several/],
    [
      [{ expressions: ["c0 and c1 and c2 and c3 and c4 and c5 and c6", "smokes and sex == 'F'"] }],
      /over 9 columns; at most 8/,
    ],
    [["age < 3"], /Entry 1 of the workload is neither/],
    [{ expression: "age < 3" }, /must be a list of column sets/],
  ])("as an entry: %j", (list, message) => {
    expect(refusedWith(list).message).toMatch(message);
  });
});

const asked = (...list: QueryList): Query[] => workloadQueries(list, PEOPLE);

describe("a workload", () => {
  it("merges expressions that are the same, and follows its own queries with more", () => {
    const list = [
      { expression: "age<30" },
      { expressions: ["age < 30"] },
      { expressions: ["age < 30"], partition: true },
    ];
    expect(asked(...list)).toHaveLength(2);
    const both = workloadQueries("1-way", PEOPLE, [{ expression: "age < 30" }, ["age"], { expression: "age  < 30" }]);
    expect(both.map(({ kind }) => kind).filter((kind) => kind === "expression")).toHaveLength(1);
    expect(both).toHaveLength(PEOPLE.attributes.length + 1);
  });

  it("takes a query as a release states it", () => {
    const stated = { query: "expression", columns: ["age", "sex"], expressions: ["age < 30", "sex == 'F'"] };
    expect(asked(stated as never)).toEqual(asked({ expressions: ["age<30", "sex=='F'"] }));
    for (const changed of [{ columns: ["age"] }, { expressions: ["age<30", "sex == 'F'"] }, { expressions: 3 }])
      expect(() => asked({ ...stated, ...changed } as never)).toThrow(/whose expressions/);
  });
});

/** Whether an expression is true for each code of its only column. */
function truths(text: string): boolean[] {
  const [query] = asked({ expression: text });
  const { attributes } = refined(PEOPLE, query.columns);
  const codes = Array.from({ length: codesOf(attributes[query.columns[0]]) }, (_, code) => code);
  const columns = attributes.map((_, at) => Uint16Array.from(codes, (code) => (at === query.columns[0] ? code : 0)));
  const upTo = codes.map(
    (code) =>
      expressionAnswers(
        query,
        columns.map((column) => column.slice(code, code + 1)),
      )[0],
  );
  expect(engineAnswers(query, attributes, columns)[0]).toBe(upTo.reduce((sum, truth) => sum + truth, 0));
  return upTo.map(Boolean);
}

describe("what a refusal suggests makes the expression exact, without another refusal", () => {
  const field = (minimum: number, maximum: number, standin: object) => ({
    name: "x",
    type: "number",
    constraints: { minimum, maximum },
    standin,
  });
  const query = [{ expression: "x * y > 10" }];
  const planned = (of: object) =>
    workloadQueries(
      query,
      parseSchema({ fields: [of, field(0, 9, { granularity: 1 })].map((one, at) => ({ ...one, name: "xy"[at] })) }),
    );

  it.each([
    [0, 100_000, { granularity: 1 }, "2"],
    [0, 1e6, { granularity: 1, bins: 20 }, "20"],
    [5, 100_001, { granularity: 1 }, "5"],
    [-4, 1e5, { granularity: 0.01, bins: [5, 10] }, "2.00"],
  ])("from %d to %d with %j", (minimum, maximum, standin, granularity) => {
    const hint = new RegExp(
      `^State a granularity such as ${granularity}, which .*${"bins" in standin ? ", and no bins" : "\\)"}\\.$`,
    );
    expect(() => planned(field(minimum, maximum, standin))).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(hint) }),
    );
    expect(planned(field(minimum, maximum, { granularity: Number(granularity) }))).toHaveLength(1);
  });

  it("says so where the minimum would have to change", () => {
    expect(() => planned(field(7, 400_000, { granularity: 1 }))).toThrow(
      /State a granularity that divides the minimum and leaves/,
    );
    expect(planned(field(7, 400_000, { granularity: 7 }))).toHaveLength(1);
  });
});

describe("a code that stands for several values", () => {
  it("has the truth of all of them, or the expression is refused", () => {
    const leaf = 10_000;
    const sides = fc.integer({ min: -5, max: 325_000 });
    const near = fc.tuple(fc.nat(32), fc.integer({ min: -2, max: 2 })).map(([code, step]) => code * leaf + step);
    const signs = { "<": (a: number, b: number) => a < b, "<=": (a: number, b: number) => a <= b };
    const more = { ">": (a: number, b: number) => a > b, ">=": (a: number, b: number) => a >= b };
    const all = { ...signs, ...more };
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(all)), fc.oneof(sides, near), fc.nat(2), (sign, bound, factor) => {
        const text = `income * ${factor + 1} ${sign} ${bound * (factor + 1)}`;
        const test = all[sign as keyof typeof all];
        const exact = Array.from({ length: 32 }, (_, code) => [
          test(code * leaf, bound),
          test(code * leaf + leaf - 1, bound),
        ]);
        const isDecided = exact.every(([first, last]) => first === last);
        if (isDecided) expect(truths(text)).toEqual([...exact.map(([first]) => first), false]);
        else expect(() => truths(text)).toThrow(/does not hold for all of them/);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it("is what the schema makes of bins, and its edge is named", () => {
    expect(truths("band < 18 or band >= 65")).toEqual([true, false, true, false]);
    expect(truths("band in (200, -1)")).toEqual([false, false, false, false]);
    expect(truths("band not in (200) and band / (band - 200) < 1")).toEqual([true, true, true, false]);
    expect(() => truths("band - 20 > 0")).toThrow(/from 18 to 64 [\s\S]*begin at 21 /);
    expect(() => truths("1 / (band - 20) > 0")).toThrow(/does not hold for all/);
  });
});

describe("a column with many values", () => {
  const rowsOf = (text: string, rows: readonly (readonly [rent: number, wage: number])[]) => {
    const [query] = asked({ expression: text });
    const codes = PEOPLE.attributes.map(({ name }) =>
      Uint16Array.from(rows, ([rent, wage]) => (name === "rent" ? 2 * rent : name === "wage" ? 2 * wage : 0)),
    );
    return engineAnswers(query, refined(PEOPLE, query.columns).attributes, codes)[0];
  };

  it("is seen value by value where expressions are about it", () => {
    const rows = Array.from({ length: 1001 }, (_, at) => [at / 2, (at % 101) / 2] as const);
    expect(rowsOf("rent >= 123.5", rows)).toBe(rows.filter(([rent]) => rent >= 123.5).length);
    expect(rowsOf("rent == 77", rows)).toBe(1);
    expect(rowsOf("rent > 10 * wage", rows)).toBe(rows.filter(([rent, wage]) => rent > 10 * wage).length);
    expect(truths("wealth < 65536").indexOf(false)).toBe(65_536 / 8);
  });
});

describe("a truth", () => {
  it.each([
    ["smokes", [false, true, false]],
    ["smokes == 'no'", [true, false, false]],
    ["smokes != true", [true, false, false]],
    ["not smokes", [true, false, true]],
    ["sex != 'F'", [false, true, true, false]],
    ["sex is missing or sex == 'F'", [true, false, false, true]],
    ["'M' == sex", [false, true, false, false]],
  ])("of %s: %j", (text, expected) => {
    expect(truths(text)).toEqual(expected);
  });

  it("of dates is that of days, and of times that of seconds", () => {
    expect(truths("born - 3 >= '27/01/2020'").indexOf(true)).toBe(29);
    expect(truths("2 + born == '03/01/2020'").indexOf(true)).toBe(0);
    expect(truths("seen > '2020-01-01T00:00:00Z'").indexOf(true)).toBe(1);
    expect(truths("seen - 90 >= '2020-01-01T00:00:00Z'").indexOf(true)).toBe(2);
    expect(truths("born - born == 0")).toEqual([...new Array(31).fill(true), false]);
  });

  it("of a calculation without a value is false", () => {
    for (const text of ["1 / age == 1 / age", "age / 0 != 1", "age / age in (1)", "age - age / 0 not in (5)"])
      expect(truths(text)[0]).toBe(false);
    expect(truths("age / age == 1").filter(Boolean)).toHaveLength(99);
    expect(truths("age * 1e308 * 10 > 1e308").filter(Boolean)).toHaveLength(99);
  });
});

describe("the sensitivity of expressions", () => {
  const schema = parseSchema({
    fields: [
      { name: "a", type: "integer", constraints: { minimum: 0, maximum: 2 } },
      { name: "b", type: "boolean", constraints: { required: true } },
    ],
  });
  const expressions = ["a + 1 >= 2", "b or a is missing", "not b"];
  const rows = [0, 1, 2, 3].flatMap((a) => [0, 1].map((b) => [a, b]));
  const tables = [[], ...rows.map((row) => [row]), ...rows.flatMap((one) => rows.map((other) => [one, other]))];

  it.each([true, false])(
    "is that of its structure, for all neighbours of small tables (partition: %j)",
    (partition) => {
      const [query] = workloadQueries([{ expressions, partition }], schema);
      const { partitions, free } = structureOf(query, schema.attributes);
      const answersOf = (table: readonly number[][]) => {
        const codes = [0, 1].map((column) => Uint16Array.from(table, (row) => row[column]));
        return engineAnswers(query, schema.attributes, codes);
      };
      const most = { add: 0, replace: 0 };
      for (const table of tables)
        for (const row of rows) {
          const before = answersOf(table);
          const change = (after: Int32Array) => after.reduce((sum, count, at) => sum + Math.abs(count - before[at]), 0);
          most.add = Math.max(most.add, change(answersOf([...table, row])));
          for (const left of table.keys())
            most.replace = Math.max(most.replace, change(answersOf(table.with(left, row))));
        }
      expect([partitions.length, free]).toEqual(partition ? [1, 0] : [0, 3]);
      expect(most.add).toBeLessThanOrEqual(partitions.length + free);
      expect(most.replace).toBeLessThanOrEqual(2 * partitions.length + free);
      expect(most).toEqual(partition ? { add: 1, replace: 2 } : { add: 2, replace: 3 });
    },
  );
});

it("draws expressions over every column", () => {
  const names = new Set(fc.sample(condition, { seed: 1, numRuns: 200 }).flatMap(namesIn));
  expect([...names].sort()).toEqual(SCHEMA.attributes.map(({ name }) => name).sort());
});
