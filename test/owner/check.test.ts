import { describe, expect, it } from "vitest";
import { columnNames } from "../../src/files/header.js";
import { nonPrivateCheck } from "../../src/owner/check.js";
import { parseSchema } from "../../src/schema/schema.js";
import { inPieces, rejection, utf8 } from "../files/tables.js";

const schema = parseSchema({
  fields: [
    { name: "id", type: "string", standin: { role: "id" } },
    { name: "sex", type: "string", constraints: { enum: ["F", "M"] }, standin: { other: "X" } },
    { name: "age", type: "integer", constraints: { minimum: 0, maximum: 99, required: true } },
    { name: "fare", type: "number", constraints: { minimum: 0, maximum: 10 }, standin: { granularity: 0.5 } },
    { name: "born", type: "date", constraints: { minimum: "2000-01-01", maximum: "2009-12-31" } },
  ],
  missingValues: ["", "NA"],
});
const check = (text: string) => nonPrivateCheck(inPieces(utf8(text), 5), schema);

const NOTHING = { missing: 0, missingRequired: 0, unlisted: 0, unparseable: 0, clipped: 0 };

describe("a check", () => {
  it("agrees with counts by hand", async () => {
    const rows = [
      "1,F,31,5.5,2001-02-03,more",
      "2,f,-1,10.2,1999-12-31,",
      "3,X,,10.3,2010-01-01,",
      "4, M ,x,-0.3,NA,",
      "",
      "5,NA,100",
      "6,M,1e2,NaN,2001-02-30,a,b,c",
    ];
    expect(await check(`id,sex,age,fare,born,note\n${rows.join("\n")}\n`)).toEqual({
      private: false,
      rows: 6,
      short: 1,
      long: 1,
      blank: 1,
      unknownColumns: 1,
      columns: [
        { ...NOTHING, name: "sex", missing: 1, unlisted: 1 },
        { ...NOTHING, name: "age", missingRequired: 1, unparseable: 1, clipped: 3 },
        // 10.2 is nearer to 10 than to 10.5; 10.3 is not.
        { ...NOTHING, name: "fare", missing: 1, unparseable: 1, clipped: 2 },
        { ...NOTHING, name: "born", missing: 2, unparseable: 1, clipped: 2 },
      ],
      constraints: [],
    });
  });

  it("counts the records that break each constraint, as they are read", async () => {
    const allowed = [
      ["F", 5],
      ["M", 5],
      ["M", null],
    ];
    const constraints = ["age <= fare", { columns: ["sex", "fare"], allowed }];
    const constrained = parseSchema({ ...schema.toJSON(), standin: { constraints } });
    // Read as F 3 5, M 7 missing, F 10 10 (clipped), F missing→0 5, X 9 5, and a short one, M 1 missing.
    const rows = ["F,3,5,", "M,7,NA,", "F,10,99,", "F,NA,5,", "other,9,5,", "M,1"];
    const { constraints: found } = await nonPrivateCheck(
      inPieces(utf8(`sex,age,fare,born\n${rows.join("\n")}\n`), 5),
      constrained,
    );
    expect(found).toEqual([
      { constraint: "age <= fare", broken: 1 },
      { constraint: "sex, fare: one of 3 combinations", broken: 2 },
    ]);
  });

  it("reads numbers with exponents in the notation that the schema states", async () => {
    const format = { exponent: "0.00e+00" };
    const constraints = { minimum: 0, maximum: "1e0" };
    const share = { name: "share", type: "number", constraints, standin: { granularity: 1e-3, format } };
    const cells = ["2.50e-01", "2.5E-1", "0.25", "1.00e+00", "1.01e+00", "1e400", "e-01", "2.5e", "2.5e-01x", "NA"];
    const { columns } = await nonPrivateCheck(
      inPieces(utf8(`share\n${cells.join("\n")}\n`), 5),
      parseSchema({ fields: [share], missingValues: ["NA"] }),
    );
    expect(columns).toEqual([{ ...NOTHING, name: "share", missing: 1, unparseable: 3, clipped: 2 }]);
  });

  it("finds nothing in a table that fits, whatever the order of its columns", async () => {
    const found = await check("born,fare,age,sex\n2009-12-31,10,99,M\n2000-01-01,0,0,F\n");
    expect(found).toMatchObject({ rows: 2, short: 0, long: 0, blank: 0, unknownColumns: 0 });
    expect(found.columns).toEqual(["born", "fare", "age", "sex"].map((name) => ({ ...NOTHING, name })));
  });

  it("refuses a header as reading does", async () => {
    expect((await rejection(check("sex,age\nF,1\n"))).code).toBe("files/missing-column");
    expect((await rejection(check(""))).code).toBe("files/empty");
  });
});

describe("names of a header", () => {
  it.each([
    [
      ["a", "b"],
      ["a", "b"],
    ],
    [
      ["a", "a", "a"],
      ["a", "a_2", "a_3"],
    ],
    [
      ["a", "a", "a_2", "a"],
      ["a", "a_3", "a_2", "a_4"],
    ],
    [
      ["", "", "A", "a"],
      ["", "_2", "A", "a"],
    ],
    [
      ["__proto__", "__proto__"],
      ["__proto__", "__proto___2"],
    ],
  ])("%j become %j", (header, names) => expect(columnNames(header)).toEqual(names));
});
