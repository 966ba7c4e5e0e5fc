import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Decimal } from "../../src/notation/decimal.js";
import { ColumnProfile } from "../../src/owner/column-profile.js";
import { recognisersFor } from "../../src/owner/recognise.js";
import { one } from "../schema/one.js";

function typed(texts: readonly string[], name = "value", delimiter = ",") {
  const profile = new ColumnProfile(name, recognisersFor(name, delimiter));
  for (const text of texts) profile.add(text);
  return profile.typed();
}

const numberOf = ({ units, scale }: Decimal) => Number(`${units}e${-scale}`);

/** Members, constraints and block as one object. */
function facts(texts: readonly string[], name?: string, delimiter?: string): object | undefined {
  const found = typed(texts, name, delimiter)?.facts;
  return found && { ...found.members, ...found.constraints, ...found.block };
}

describe("booleans", () => {
  it.each([
    ["true", "false"],
    ["Yes", "No"],
    ["Y", "N"],
    ["ja", "nein"],
    ["oui", "non"],
  ])("are %s and %s, both seen", (yes, no) => {
    expect(facts([yes, no, yes])).toEqual({ type: "boolean", trueValues: [yes], falseValues: [no] });
    expect(facts([yes, yes])).toBeUndefined();
    expect(facts([yes, no, "maybe"])).toBeUndefined();
  });

  it("are not 0 and 1, which are integers", () => expect(facts(["0", "1"])).toMatchObject({ type: "integer" }));
});

describe("integers", () => {
  it("have bounds rounded outwards to 1, 2 or 5 times a power of ten, at most a fifth of the range", () => {
    expect(facts(["17", "90"])).toEqual({ type: "integer", minimum: 10, maximum: 90 });
    expect(facts(["-3", "4"])).toEqual({ type: "integer", minimum: -3, maximum: 4 });
    expect(facts(["-1", "1999"])).toEqual({ type: "integer", minimum: -200, maximum: 2000 });
    expect(facts(["7", "7"])).toEqual({ type: "integer", minimum: 7, maximum: 7 });
  });

  it("beyond 2^53 have bounds in quotes", () =>
    expect(facts(["9007199254740993", "9007199254740999"])).toMatchObject({
      minimum: "9007199254740993",
      maximum: "9007199254740999",
    }));

  it.each([
    ["leading zeros", ["007", "123"]],
    ["plus signs", ["+44", "33"]],
    ["exponents", ["1E5", "2E10"]],
    ["letters", ["12", "7A1"]],
    ["more points than 2^53", ["1000000000000000000", "9000000000000000000"]],
  ])("are not codes with %s", (_, texts) => expect(facts(texts)).toBeUndefined());
});

describe("years", () => {
  it("are recognised only by the column's name", () => {
    expect(facts(["1930", "2005"], "birth_year")).toEqual({ type: "year", minimum: 1930, maximum: 2010 });
    expect(facts(["1930", "2005"], "Baujahr")).toMatchObject({ type: "integer" });
    expect(facts(["1930", "2005"], "income")).toMatchObject({ type: "integer" });
  });
});

describe("numbers", () => {
  it("have steps as fine as the values, written with the decimals that were seen", () => {
    expect(facts(["1.50", "22.25"])).toEqual({ type: "number", minimum: 0, maximum: 24, granularity: 0.01 });
    expect(facts(["41.0", "3.0"])).toMatchObject({ granularity: "1.0" });
    expect(facts(["-1", "3.50", "7.1"])).toMatchObject({ granularity: "0.10" });
    expect(facts(["1,234.500", "2,000"])).toMatchObject({ groupChar: ",", granularity: "0.100" });
  });

  it("below 1 have no zero before the point where none was seen", () => {
    expect(facts([".25", "-.5", "3"])).toMatchObject({ granularity: 0.01, format: { width: 0 } });
    expect(facts([",25", "1,5"])).toMatchObject({ decimalChar: ",", format: { width: 0 } });
    for (const texts of [["0.25", ".5"], ["0.25"], ["2.5"], ["-0.5", "1,000.25"]])
      expect(facts(texts)).not.toHaveProperty("format");
  });

  it("have no more than 2^53 steps, and then no more decimals", () => {
    expect(facts(["0.123456789012345678", "1000.5"])).toMatchObject({ granularity: 1e-12 });
    expect(facts(["0.123456789012345678", "1000.50000000000000000000"])).toMatchObject({ granularity: 1e-12 });
  });

  it.each([
    [["1,50", "2,75"], ",", { decimalChar: "," }],
    [["1.234,50", "7,5"], ";", { decimalChar: ",", groupChar: "." }],
    [["1 234,50", "7,5"], ";", { decimalChar: ",", groupChar: " " }],
    [["229,932.50", "12.5"], ",", { groupChar: "," }],
    [["1'234.5", "2"], ",", { groupChar: "'" }],
    [["$1.50", "-$2.25"], ",", { bareNumber: false, format: { prefix: "$" } }],
    [["12.5%", "-3%"], ",", { bareNumber: false, format: { suffix: "%" } }],
    [["€ 7.50", "€ -12.00", "-€ 1.00"], ",", { bareNumber: false, format: { prefix: "€ " }, minimum: -12 }],
    [["CHF 500", "CHF 120.50"], ",", { bareNumber: false, format: { prefix: "CHF " } }],
    [["12,50 €", "3 €"], ";", { decimalChar: ",", bareNumber: false, format: { suffix: " €" } }],
  ])("are recognised in %j by their marks", (texts, delimiter, marks) =>
    expect(facts(texts, "value", delimiter)).toMatchObject({ type: "number", ...marks }),
  );

  it("with a lone comma before three digits are doubtful, and the delimiter decides", () => {
    expect(typed(["1,234", "5,678"])).toMatchObject({ doubtful: true, facts: { members: { groupChar: "," } } });
    expect(typed(["1,234", "5,678"], "v", ";")).toMatchObject({
      doubtful: true,
      facts: { members: { decimalChar: "," } },
    });
    expect(typed(["1,234", "5,67"])).toMatchObject({ doubtful: false, facts: { members: { decimalChar: "," } } });
  });

  it.each([[["1.2.3"]], [["1,2,3"]], [["$"]], [["12 kg"]], [["0x10"]], [["Infinity"]]])("are not %j", (texts) =>
    expect(facts(texts)).toBeUndefined(),
  );
});

describe("numbers with exponents", () => {
  it.each([
    [",", ",", ["-1,323e+00", "2,131e+00"]],
    [",", ";", ["-1,323E+00", "2,131E+05"]],
    [".", ";", ["1.323e-02", "2.131e+00"]],
    [".", ",", ["1.323e-02", "2.131e+00"]],
  ])("have no thousands separators: %j is the decimal sign with the delimiter %j", (decimal, delimiter, texts) => {
    const found = typed(texts, "value", delimiter)!;
    const values = texts.map((text) => Number(text.replace(decimal, ".")));
    expect(found.doubtful).toBe(false);
    expect(found.facts.members).toEqual({ type: "number", ...(decimal === "," ? { decimalChar: "," } : {}) });
    expect(texts.map((text) => numberOf(found.recogniser.read(text)!))).toEqual(values);
  });

  it("may occur among others that have them", () =>
    expect(facts(["1,234.5", "1.2e+06", "-12,345"])).toMatchObject({ groupChar: ",", minimum: -200_000 }));

  it.each([
    ["as C and R", ["2.500000e-01", "0.000000e+00", "9.999992e-04"], { exponent: "0.000000e+00" }],
    ["as Excel", ["2.50E-01", "1.17E+03"], { exponent: "0.00E+00" }],
    ["as JavaScript", ["2.5e-1", "1e+0", "1.17e-9"], { exponent: "0e+0" }],
    ["with three digits", ["2.5e-001", "1.17e+010"], { exponent: "0e+000" }],
    ["without a plus sign", ["1e3", "2.5e3", "1e-12"], { exponent: "0e0" }],
    ["of large numbers", ["4.56e+09", "1.23e+10"], { exponent: "0.00e+00" }],
    ["where nothing tells more", ["1.25e-11", "1.5e-12"], { exponent: "0e+00" }],
    ["as all but few", ["2.50e-01", "1.25e-01", "0.3", "5.00e-01"], { exponent: "0.00e+00" }],
    ["below a magnitude, as Python", ["0.25", "1e-05", "3.0", "2.5e-07"], { exponent: "0e+00", plainFrom: "1e-4" }],
    ["from a magnitude on", ["0.25", "1e+16", "-3e+20", "99"], { exponent: "0e+00", plainBelow: "1e16" }],
    [
      ...(["on both sides, as Java", ["1.0E-4", "0.25", "1.25E7", "0.0", "1.0E-11"]] as const),
      { exponent: "0.0E0", plainFrom: "1e-3", plainBelow: "1e7" },
    ],
    ["but for 0", ["0", "1.5e-05", "2e-07"], { exponent: "0e+00", plainFrom: "1e-4" }],
    ["but for 0, however large", ["0", "1.5e-05", "2e+07"], { exponent: "0e+00", plainFrom: "1e8" }],
  ])("are written %s", (_, texts, format) => {
    const found = facts(texts);
    expect(found).toMatchObject({ type: "number", format });
    expect(found).toEqual({ ...found, format });
  });

  it("are ignored if most numbers of their magnitude are plain", () => {
    expect(facts(["1e+05", "250000", "300000", "400000"])).toEqual({
      ...{ type: "number", minimum: 100_000, maximum: 400_000, granularity: 1 },
    });
  });

  it("count by cells, not by texts", () => {
    const profile = new ColumnProfile("v", recognisersFor("v", ","));
    for (const text of ["0.5", "0.5", "0.5", "2.5e-01", "7.5e-01"]) profile.add(text);
    expect(profile.typed()?.facts.block).toEqual({ granularity: 0.01 });
  });

  it("have steps that their mantissas can express at the largest magnitude, if these keep their zeros", () => {
    expect(facts(["2.500000e-01", "0.000000e+00", "9.999992e-04"])).toMatchObject({ granularity: 0.0000001 });
    expect(facts(["4.50e+09", "1.23e+10"])).toMatchObject({ minimum: 4e9, maximum: 13e9, granularity: 1e8 });
    expect(facts(["-1.50e+02", "9.99e+00"])).toMatchObject({ granularity: 1, minimum: -160, maximum: 20 });
    expect(facts(["-1.52e+02", "9.99e+00"])).toMatchObject({ granularity: 0.01, minimum: -160, maximum: 20 });
    expect(facts(["1.5e-05", "2e-05"])).toMatchObject({ minimum: 0.000015, maximum: 0.00002, granularity: 0.000001 });
  });

  it("keep the zeros of plain numbers", () =>
    expect(facts(["0.250", "3.5e-02", "12"])).toMatchObject({
      granularity: 0.001,
      format: { exponent: "0.0e+00", plainFrom: "1e-1" },
    }));

  it("may have a decimal comma, thousands separators, a currency sign, or no zero before the point", () => {
    expect(facts(["2,50e-01", "1,25e+00"], "v", ";")).toMatchObject({
      decimalChar: ",",
      format: { exponent: "0.00e+00" },
    });
    expect(facts(["$2.50e-01", "$1.25e+00"])).toMatchObject({ format: { exponent: "0.00e+00", prefix: "$" } });
    expect(facts(["1,234.5", "2.5e-05"])).toMatchObject({ groupChar: ",", format: { plainFrom: "1e-4" } });
    expect(facts([".25", "1.5e-05"])).toMatchObject({ format: { width: 0, exponent: "0.0e+00", plainFrom: "1e-4" } });
    expect(typed([".25e-03", ".5e-05"])?.facts.block?.format).toEqual({ exponent: "0e+00" });
  });

  it("are codes if none has a point or a sign", () => {
    for (const texts of [
      ["1E5", "2E10"],
      ["12", "1e3"],
      ["1.5", "1E5"],
    ])
      expect(facts(texts)).toBeUndefined();
  });

  /** Numbers as programming languages write them, and the form of those with exponents. */
  const WRITERS: readonly (readonly [write: (value: number) => string, form: RegExp])[] = [
    [(value) => value.toExponential(6).replace(/\d$/, "0$&"), /^\d\.\d{6}e[+-]\d\d$/],
    [
      (value) =>
        value
          .toExponential()
          .replace(/^\d(?=e)/, "$&.0")
          .replace(/e\+?/, "E"),
      /^\d\.\d+E-?\d$/,
    ],
    [(value) => switched(value, 1e-4, 1e16).replace(/(?<=e-)\d$/, "0$&"), /^\d(\.\d+)?e-\d\d$/],
    [(value) => switched(value, 1e-3, 1e3), /^\d(\.\d+)?e[+-]\d$/],
    [String, /^\d(\.\d+)?e-\d$/],
  ];
  const switched = (value: number, from: number, below: number) =>
    value === 0 || (value >= from && value < below) ? String(value) : value.toExponential();

  it("are proposed so that numbers with an exponent keep one in the same form, and the others get none", () => {
    const value = fc.tuple(fc.nat({ max: 999 }), fc.integer({ min: -9, max: 3 }));
    fc.assert(
      fc.property(fc.constantFrom(...WRITERS), fc.array(value, { minLength: 1, maxLength: 30 }), (writer, drawn) => {
        const [write, form] = writer;
        const texts = drawn.map(([units, order]) => write(Number(`${units}e${order}`)));
        const { members, constraints, block } = typed(texts)!.facts;
        const { through } = one({ ...members, constraints, standin: block });
        for (const text of texts)
          expect([through(text), form.test(through(text))]).toEqual([expect.any(String), form.test(text)]);
      }),
      { seed: 12, numRuns: 500 },
    );
  });
});

describe("dates and times", () => {
  it.each([
    ["date", "%Y-%m-%d", ["2023-04-10", "2023-05-02"], "2023-04-01", "2023-05-31"],
    ["date", "%d/%m/%Y", ["24/04/2021", "03/01/2023"], "01/01/2021", "31/12/2023"],
    ["date", "%m/%d/%Y", ["04/24/2021", "01/03/2021"], "01/01/2021", "04/30/2021"],
    ["date", "%m/%d/%y", ["04/24/21", "12/03/99"], "01/01/99", "12/31/21"],
    ["date", "%-d.%-m.%y", ["24.4.21", "3.12.21"], "1.4.21", "31.12.21"],
    ["datetime", "%-m/%-d/%y %-H:%M", ["1/22/20 3:04", "1/2/20 13:04"], "1/1/20 0:00", "1/31/20 23:59"],
    ["date", "%-m/%-d/%Y", ["4/24/2021", "12/3/2021"], "4/1/2021", "12/31/2021"],
    ["date", "%d.%m.%Y", ["24.12.2021"], "01.12.2021", "31.12.2021"],
    ["date", "%Y%m%d", ["20230410", "20240229"], "20230401", "20240229"],
    ["date", "%d %b %Y", ["03 Feb 2021"], "01 Feb 2021", "28 Feb 2021"],
    ["datetime", "%Y-%m-%d %H:%M:%S", ["2019-03-23 20:21:09"], "2019-03-01 00:00:00", "2019-03-31 23:59:59"],
    [
      ...(["datetime", "%Y-%m-%dT%H:%M:%S%z", ["2023-03-01T00:30:00+02:00"]] as const),
      ...(["2023-03-01T00:00:00+02:00", "2023-03-31T23:59:59+02:00"] as const),
    ],
    ["datetime", "%d.%m.%Y %H:%M", ["24.12.2021 07:05"], "01.12.2021 00:00", "31.12.2021 23:59"],
    ["time", "%H:%M", ["07:40", "12:20"], "07:00", "12:59"],
    ["time", "%-I:%M %p", ["7:40 AM", "12:20 PM"], "7:00 AM", "12:59 PM"],
  ])("%s as %s", (type, format, texts, minimum, maximum) =>
    expect(facts(texts)).toMatchObject({ type, format, minimum, maximum }),
  );

  it("have the coarsest clock step that fits all of them", () => {
    expect(facts(["07:40", "12:20"])).toMatchObject({ granularity: 600 });
    expect(facts(["2019-03-23 20:21:09", "2019-03-23 20:22:00"])).toMatchObject({ granularity: 1 });
    expect(facts(["2019-03-23 20:00:00", "2019-03-24 00:00:00"])).toMatchObject({ granularity: 3600 });
  });

  it("whose days and months cannot be distinguished are doubtful", () => {
    expect(typed(["03/04/2021", "05/06/2021"])).toMatchObject({
      doubtful: true,
      facts: { members: { format: "%d/%m/%Y" } },
    });
    expect(typed(["03/04/2021", "13/06/2021"])?.doubtful).toBe(false);
    expect(typed(["2021-03-04"])?.doubtful).toBe(false);
  });

  it.each([["2023-02-29"], ["31/11/2021"], ["24:00"], ["99999999"], ["17000101"]])("are not %s", (text) =>
    expect(["date", "datetime", "time"]).not.toContain(typed([text])?.recogniser.type),
  );
});

describe("gaps", () => {
  it.each(["", "NA", "n/a", "-", "?", "N", " ", "NULL"])("such as %j may occur among values", (gap) => {
    const profile = new ColumnProfile("v", recognisersFor("v", ","));
    for (const text of ["1", gap, "2", gap, gap]) profile.add(text);
    const found = profile.typed();
    expect(found?.recogniser.type).toBe("integer");
    expect(profile.gaps(found?.recogniser)).toEqual([[gap, 3]]);
  });

  it("alone are not values of any type", () => expect(facts(["NA", "-", ""])).toBeUndefined());
  it("are values if the type includes them", () => expect(facts(["Y", "N", "Y"])).toMatchObject({ type: "boolean" }));
});

describe("a column's memory is bounded", () => {
  it("but it forgets neither the cells' types nor the missing spellings", () => {
    const profile = new ColumnProfile("v", recognisersFor("v", ","));
    for (let at = 0; at < 40_000; at++) profile.add(String(3 * at));
    profile.add("NA");
    expect(profile.forgotten).toBe(true);
    expect(profile.values(new Set(["NA"]))).toHaveLength(16_384);
    expect(profile.gaps(profile.typed()?.recogniser)).toEqual([["NA", 1]]);
    expect(profile.typed()?.facts.constraints).toEqual({ minimum: 0, maximum: 120_000 });
    profile.add("twelve");
    expect(profile.typed()).toBeUndefined();
  });
});
