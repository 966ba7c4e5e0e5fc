// What recorded.json is made from: schemas and tables of every kind.
import { FACTS, TYPES } from "./types.mjs";

const integer = (minimum, maximum, block = {}, rest = {}) => ({
  type: "integer",
  constraints: { minimum, maximum },
  standin: block,
  ...rest,
});
const number = (minimum, maximum, block = {}, rest = {}) => ({
  ...integer(minimum, maximum, block, rest),
  type: "number",
});
const between = (type, minimum, maximum, format, block = {}) => ({
  type,
  ...(format && { format }),
  constraints: { minimum, maximum },
  standin: block,
});
const listed = (type, ...categories) => ({ type, constraints: { enum: categories } });
const required = (field) => ({ ...field, constraints: { ...field.constraints, required: true } });
const id = (rest, format) => ({ ...rest, standin: { role: "id", ...(format && { format }) } });

/** A field, and cells for it: values of all kinds, and texts that are none. */
export const FIELDS = [
  [listed("string", "a", "b", " c", "Ö"), ["a", "A", "b ", " c", "c", "Ö", "O\u0308", "\u00a0a\ufeff"]],
  [{ ...listed("string", "a", "b"), standin: { other: "rest" } }, ["a", "rest", "what"]],
  [required(listed("string", "x", "y")), ["y", "", "z"]],
  [listed("integer", 7, "01", 1000), ["7", "07.0", "1", "1e3", "unknown", "2"]],
  [listed("number", 1.5, "02.50", 1e-7), ["1.50", "2.5", "02.50", "0.0000001", "1e-7"]],
  [listed("date", "2024-02-29", "1999-12-31"), ["2024-02-29", "2024-2-29", "1999-12-31", "1999-12-30"]],
  [{ type: "boolean" }, ["true", "TRUE", "0", "False", "yes", "2"]],
  [{ type: "boolean", trueValues: ["oui", "o"], falseValues: ["non"] }, ["o", "non", "oui ", "true"]],
  [integer(-5, 99), ["12", "012", "-5", "-6", "+7", "3.5", "-3.5", "1e1", "٣", "1_0", "0x10", "NaN", "", " 8\t"]],
  [integer(0, 320_000, { granularity: 5000 }), ["2499", "2500", "7500", "-1", "1e9"]],
  [integer("9007199254740993", "9007199254741099"), ["9007199254740993", "9007199254741000.5", "9007199254741098"]],
  [integer(0, 999, { format: { width: 5 } }), ["00042", "42", "100000"]],
  [integer(0, 99, { bins: [18, 65] }), ["17", "18", "64", "65"]],
  [integer(0, 9_999, { format: { width: 5 }, bins: "tree" }), ["1", "311", "312", "313", "9999"]],
  [number(-10, 10), ["0.125", "-0.005", ".5", "5.", ".", "1e-3", "12e-1", "1e999", "Infinity"]],
  [number(0, 9, { granularity: "0.50", format: { width: 0 } }), ["0.25", "0.2499999", ".75", "9"]],
  [
    number(0, 5000, { granularity: 0.01, format: { prefix: "$" } }, { groupChar: ",", bareNumber: false }),
    ["$1,234.5", "USD 7", "-$3", "1234.567"],
  ],
  [number(-9, 9, { granularity: 0.1 }, { decimalChar: ",", groupChar: " " }), ["1,25", "-1,25", "1.25", "1 2"]],
  [number(0, 100, { format: { suffix: " %" } }, { bareNumber: false }), ["12.5%", "12.5 %", "% 3", "7 of 8"]],
  [number(-20, 20, { granularity: 0.01, format: { exponent: "0.000000e+00" } }), ["0.25", "-2.50E-1", "0", "12e0"]],
  [
    number(-1000, 1000, { granularity: 1e-4, format: { exponent: "0e+00", plainFrom: 0.01, plainBelow: "1e2" } }),
    ["0", "0.0099", "-0.01", "99.99999", "-250"],
  ],
  [between("year", 1900, 2100), ["1999", "99", "2024", "2101"]],
  [
    between("date", "1890-01-01", "2024-12-31"),
    ["2000-02-29", "1900-02-29", "2024-1-5", "2024-01-05T00:00", "0001-01-01"],
  ],
  [between("date", "0000-01-01", "9999-12-31"), ["0000-02-29", "9999-12-31", "1970-01-01"]],
  [between("date", "01/03/1900", "29/02/2024", "%d/%m/%Y"), ["1/3/1900", "31/04/2000", "29/02/2024", " 05/06/1977 "]],
  [between("date", "1.1.69", "31.12.68", "%-d.%-m.%y"), ["05.06.77", "5.6.07", "1.13.99"]],
  [between("date", "Jan 01, 1999", "Dec 31, 2000", "%b %d, %Y"), ["feb 29, 2000", "FEB 30, 2000", "March 1, 2000"]],
  [between("date", "20240101", "20241231", "%Y%m%d"), ["20240229", "2024229", "20240230"]],
  [between("date", "2023-365", "2024-366", "%Y-%j"), ["2024-060", "2023-366", "2024-1"]],
  [
    between("datetime", "2024-01-01T00:00:00", "2025-01-01T00:00:00"),
    ["2024-05-06 07:08:29.9", "2024-05-06T07:08:30", "2024-05-06T07:08:09Z", "2024-05-06T07:08:09+02:00"],
  ],
  [
    between("datetime", "2024-03-01T00:00:00+01:00", "2024-03-01T12:00:00+01:00"),
    ["2024-03-01T05:00:00", "2024-03-01T05:00:00Z", "2024-03-01T05:00:00-0330"],
  ],
  [
    between("datetime", "01/01/2024 12:00:00 AM", "01/01/2024 11:59:59 PM", "%m/%d/%Y %I:%M:%S %p"),
    ["1/1/2024 1:02:03 pm", "01/01/2024 13:02:03 PM", "01/01/2024 12:30:00 PM"],
  ],
  [
    between("datetime", "2024-01-01 00:00:00.000000", "2024-01-01 00:01:00.000000", "%Y-%m-%d %H:%M:%S.%f", {
      granularity: "0.25",
    }),
    ["2024-01-01 00:00:01.125", "2024-01-01 00:00:01.1"],
  ],
  [between("time", "00:00:00", "23:59:59"), ["01:02:03", "24:00:00", "1:2:3", "23:59:59.6"]],
  [between("time", "06:00", "18:00", "%H:%M"), ["07:30", "7:05", "05:59"]],
  [between("time", "12 AM", "11 PM", "%I %p"), ["12 am", "12 PM", "0 AM"]],
  [id({ type: "integer" }, { width: 4 }), ["1", "x"]],
  [id({ type: "string" }, { pattern: "P-##-#/b" }), ["1", "x"]],
  [id({ type: "string", format: "uuid" }), ["1", "x"]],
];

/** Schemas whose columns have something to do with each other, or with their file, and a table for each. */
export const TABLES = [
  [
    { fields: [{ name: "a", ...listed("string", "x", 'say "y"', "p,q", "") }], missingValues: ["NA"] },
    'a\nx\n"say ""y"""\n"p,q"\n""\n\nNA\n"x" \n',
  ],
  [
    { fields: ["a", "b"].map((name) => ({ name, ...integer(0, 9) })), dialect: { skipLines: 2 } },
    'about "it\r\n\r\n\r\nb,note,a\r\n1,x,2\r\n\r\n3,"y\r\nz",4,5,6\r7\n',
  ],
  [{ fields: ["a", "b"].map((name) => ({ name, ...integer(0, 9) })), missingValues: [] }, "a;b;c\n1;2;3\n;\n4\n"],
  [
    { fields: ["a", "b"].map((name) => ({ name, ...integer(0, 9) })), dialect: { delimiter: " " } },
    "\ufeffa b\n1 2\n3 4",
  ],
  [{ fields: ["n", "n_2"].map((name) => ({ name, ...integer(0, 9) })) }, "n,n\n1,2\n"],
  [
    {
      fields: [
        { name: "line\nend", ...listed("string", "x") },
        { name: "b", ...listed("string", "y") },
      ],
    },
    '"line\nend",b\nx,y\n"x"tail,"y\n',
  ],
  [
    {
      fields: [
        { name: "p", standin: { role: "id" } },
        { name: "a", ...integer(0, 9) },
      ],
      standin: { unit: { column: "p", maxRows: 3 } },
    },
    "a,p\n1,x\n2,\n3,y\n4,x\n5\n",
  ],
];

export const HEADERS = ["", "\n\n", "b\n1\n", "a,a\n1,2\n", 'a,"b\n1,2\n', 'a,"b', '"a\nb",a\n1,2\n'];

export const x = (field) => ({ fields: [{ name: "x", ...field }] });
const constrained = (...constraints) => ({
  fields: [
    { name: "a", ...integer(0, 9) },
    { name: "b", ...integer(5, 14) },
    { name: "c", ...integer(20, 29) },
    { name: "day", ...between("date", "2020-01-01", "2020-12-31") },
    { name: "at", ...between("time", "00:00:00", "12:00:00") },
    { name: "city", ...listed("string", "Lyon", "Porto") },
    { name: "country", ...required(listed("string", "France", "Portugal")) },
    { name: "row", type: "integer", standin: { role: "id" } },
  ],
  standin: { constraints },
});

/** Fields that state a value of their type. */
export const STATED = TYPES.flatMap(([field, values]) =>
  Object.values(FACTS).map(([stating]) => x(stating(field, values, values[1]))),
);

export const REFUSED = [
  ...TYPES.flatMap(([field, values, strays]) =>
    Object.values(FACTS).flatMap(([stating]) => strays.map((stray) => x(stating(field, values, stray)))),
  ),
  ...[1, null, {}].map((gap) => ({ ...x(integer(0, 1)), missingValues: ["NA", gap] })),
  x({ type: "boolean", trueValues: ["1", 1] }),
  x({ ...listed("string", "a"), standin: { bins: [2] } }),
  ...["{", "[]", '{ "fields": [NaN] }', {}, { fields: [] }, { fields: [{}] }, { fields: [{ name: 3 }] }],
  ...[x({ type: "strng" }), x({ standin: { role: "modl" } }), x({ standin: { rol: "id" } }), x({ standin: [] }), x({})],
  ...[
    x(listed("string")),
    x(listed("string", "a", "b", "a")),
    x(listed("integer", "1", "01")),
    x(listed("string", "", "b")),
  ],
  ...[
    x(listed("string", {})),
    x({ ...listed("string", "a"), standin: { other: 3 } }),
    x({ ...integer(0, 9, { other: "o" }) }),
  ],
  ...[
    x({ type: "integer" }),
    x({ type: "integer", constraints: { minimum: 1 } }),
    x(integer(5, 1)),
    x(integer("x", 1)),
  ],
  ...[
    x(integer(0.5, 9)),
    x(integer(0, 9, { granularity: 0.5 })),
    x(integer(3, 30, { granularity: 5 })),
    x(integer(0, 9, { granularity: 0 })),
  ],
  ...[x(integer(0, 2 ** 60)), x(integer(0, "90071992547409930")), x({ ...integer(0, 9), minimum: 0 })],
  ...[
    x(integer(0, 9, { bins: 20 })),
    x(integer(0, 9, { bins: 2.5 })),
    x(integer(0, 9, { bins: [3, 2] })),
    x(integer(0, 9, { bins: [12] })),
    x(integer(0, 9, { bins: "trees" })),
  ],
  ...[
    x(integer(0, 9, { format: { width: 0 } })),
    x(integer(0, 9, { format: { prefix: "$" } })),
    x(integer(0, 9, { format: { widht: 2 } })),
  ],
  ...[
    x(number(0, 9, { format: { prefix: 3 } }, { bareNumber: false })),
    x(number(0, 9, { format: { prefix: "1" } }, { bareNumber: false })),
  ],
  ...[
    x(number(0, 9, {}, { groupChar: "." })),
    x(number(0, 9, { format: { width: 2 } }, { groupChar: "," })),
    x(number(0, 9, {}, { decimalChar: "::" })),
  ],
  ...[
    x(number(0, 9, { format: { plainFrom: 1 } })),
    x(number(0, 9, { format: { exponent: "0.0" } })),
    x(number(0, 9, { format: { exponent: "0e0", plainFrom: 2, plainBelow: 1 } })),
  ],
  ...[
    x({ ...listed("string", "a"), standin: { format: {} } }),
    x({ type: "boolean", trueValues: ["y"], falseValues: ["y"] }),
    x({ type: "boolean", trueValues: "y" }),
  ],
  ...[
    x(id({}, { pattern: "P-" })),
    x(id({}, { pattern: "P-#", width: 3 })),
    x(id({ format: "binary" })),
    x(id({ type: "date" })),
  ],
  ...[
    x(between("date", "2024-01-01", "2024-02-30")),
    x(between("date", 1, 2)),
    x(between("date", "x", "y", "%d")),
    x(between("date", "x", "y", "%Y-%m-%d %H")),
  ],
  ...[
    x(between("date", "x", "y", "any")),
    x(between("date", "x", "y", "%Y-%m-%d %Q")),
    x(between("date", "x", "y", "%Y%-m%d")),
    x(between("date", "x", "y", "%Y-%m-%d-%y")),
  ],
  ...[
    x(between("time", "x", "y", "%I:%M")),
    x(between("time", "x", "y", "%H %S")),
    x(between("year", 1, 2, "%Y")),
    x(between("time", "00", "11", "%H", { granularity: 60 })),
  ],
  ...[
    x(between("datetime", "1 2024 00", "2 2024 00", "%j %Y %H", { granularity: 60 })),
    x(integer(0, 9, { provenance: "guessed" })),
  ],
  ...[
    { fields: [integer(0, 1), integer(0, 1)].map((field) => ({ name: "x", ...field })) },
    { ...x(integer(0, 1)), missingValues: "NA" },
  ],
  ...[
    { ...x(integer(0, 1)), missing_values: [] },
    { ...x(integer(0, 1)), standin: { spent: [] } },
    { ...x(integer(0, 1)), dialect: 3 },
  ],
  ...[{ delimiter: ";;" }, { encoding: "utf-9" }, { quoteChar: "'" }, { skipLines: -1 }].map((dialect) => ({
    ...x(integer(0, 1)),
    dialect,
  })),
  ...[{ column: "y", maxRows: 2 }, { column: "x", maxRows: 2 }, { maxRows: 0 }, { column: "x" }, "person"].map(
    (unit) => ({ ...x(integer(0, 1)), standin: { unit } }),
  ),
  ...[
    "a",
    "a <= ",
    "a < b",
    "a = b",
    'a <= "b',
    "a <= z",
    "a <= row",
    "a <= a",
    "a <= city",
    "a <= day",
    "day <= at",
    "c = day + a",
  ].map((text) => constrained(text)),
  ...["c <= a", "a = b + c"].map((text) => constrained(text)),
  ...[constrained("b <= a", "c = a + b"), { ...constrained(), standin: { constraints: "a <= b" } }, constrained(3)],
  ...[
    { columns: ["a"], allowed: [[1]] },
    { columns: ["a", "b"] },
    { columns: ["a", "b"], allowed: [[1]] },
    { columns: ["a", "b"], allowed: [[1, 99]] },
    { columns: ["city", "country"], allowed: [["Lyon", null]] },
    { columns: ["city", 3], allowed: [[1, 2]] },
    { columns: ["city", "country"], allowed: [["Lyon", ["France"]]] },
    { columns: ["city", "country"], allow: [] },
  ].map((list) => constrained(list)),
  {
    fields: ["x", "y"].map((name) => ({ name, ...number(0, "5e13", { granularity: "0.01" }) })),
    standin: { constraints: ["x <= y"] },
  },
];

/** Schemas with constraints; their tables hold codes of all kinds. */
export const CONSTRAINED = [
  constrained("a <= b", "c = a + b", {
    columns: ["city", "country"],
    allowed: [
      ["Lyon", "France"],
      ["Porto", "Portugal"],
      [null, "France"],
    ],
  }),
  {
    fields: [
      { name: "net", ...number(0, 50, { granularity: 0.5, bins: [0, 7.5, 30] }) },
      { name: "tax", ...listed("number", 0, 2.5, 7) },
      { name: "total", ...number(-10, 400, { granularity: 0.25 }) },
      { name: "first", ...between("date", "2019-03-01", "2024-12-31") },
      { name: "last", ...between("date", "2020-01-01", "2021-06-30") },
      { name: "stage", ...listed("string", "new", "old") },
    ],
    standin: {
      constraints: [
        "total = net + tax",
        "first <= last",
        {
          columns: ["stage", "last"],
          allowed: [
            ["new", "2021-01-01"],
            ["old", "2020-02-29"],
            ["old", null],
          ],
        },
      ],
    },
  },
];

const BUDGET = { epsilon: 3, delta: 1e-8, neighbours: "add-remove", unit: "row", spent: [] };
const [RELEASE, RUN] = ["0123456789abcdef", "fedcba9876543210"].map((half) => half.repeat(2));
const ROUNDS = { rho: "5", delta: 0, release: RELEASE, run: RUN, items: 4 };
const changed = (change) => JSON.stringify({ ...BUDGET, ...change });
const charged = (change) =>
  changed({
    spent: [
      { rho: "1", delta: 0 },
      { ...ROUNDS, ...change },
    ],
  });

/** Texts that are no shared budget. */
export const NO_BUDGETS = [
  `{"spent":[{"rho":"99","delta":0}],${changed({}).slice(1)}`,
  changed({}).replace('"unit"', '"un\\u0069t":"row","unit"'),
  ...["", "{", "null", "[]", "3", '"row"'],
  ...[{ epsilon: "3" }, { epsilon: 0 }, { epsilon: 1e4 }, { epsilon: true }, { epsilon: undefined }].map(changed),
  ...[{ delta: 0 }, { delta: 1 }, { delta: null }].map(changed),
  ...[{ neighbours: "some" }, { neighbours: undefined }, { neighbours: ["replace"] }].map(changed),
  ...["person", null, 3, [], {}, { maxRows: 0 }, { maxRows: 1.5 }, { maxRows: true }].map((unit) => changed({ unit })),
  changed({ unit: { maxRows: 2, column: "who" } }),
  ...[{ spent: undefined }, { spent: null }, { spent: {} }, { spent: "" }, { spent: 0 }].map(changed),
  JSON.stringify({ ...BUDGET, spent: undefined, spnet: [] }),
  ...[{ note: "" }, { Spent: [] }, { constructor: 1 }].map(changed),
  ...[null, 5, "5", []].map((charge) => changed({ spent: [charge] })),
  ...[{ rho: 5 }, { rho: "-5" }, { rho: "0x5" }, { rho: "5\n" }, { rho: "٣" }, { rho: "1".repeat(21) }].map(charged),
  ...[{ rho: undefined }, { delta: 1 }, { delta: -1 }, { delta: "0" }, { delta: undefined }].map(charged),
  ...[{ rhoo: "5" }, { release: undefined }, { release: "x" }, { release: 5 }, { run: 5 }].map(charged),
  ...[{ run: RUN.toUpperCase() }, { items: undefined }, { items: -1 }, { items: 0.5 }, { items: "4" }].map(charged),
  changed({ spent: [ROUNDS, { ...ROUNDS, run: RELEASE }] }),
];

/** Texts of shared budgets. */
export const BUDGETS = [
  changed({}),
  changed({ unit: { maxRows: 5 }, epsilon: 1000, delta: 1e-300 }),
  ...[{}, { run: undefined }, { items: 0 }].map(charged),
];
