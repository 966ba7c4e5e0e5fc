// A table, and tables that differ from it by one person's record. From outside, what is made of them looks alike.
const day = { type: "date", constraints: { minimum: "1990-01-01", maximum: "1999-12-31" } };
export const FIELDS = [
  { name: "note", type: "string", standin: { role: "drop" } },
  { name: "who", type: "string", standin: { role: "drop" } },
  { name: "id", type: "string", standin: { role: "id", format: { pattern: "P-###" } } },
  { name: "group", type: "string", constraints: { enum: ["a", "b"], required: true } },
  { name: "plan", type: "string", constraints: { enum: ["x", "y"] }, standin: { other: "z" } },
  { name: "score", type: "integer", constraints: { minimum: 0, maximum: 10 } },
  { name: "price", type: "number", constraints: { minimum: 0, maximum: 500 }, standin: { granularity: 0.5 } },
  { name: "smokes", type: "boolean" },
  { name: "born", ...day },
];
export const HEADER = ["unknown", ...FIELDS.map(({ name }) => name)].join(",");
const record = (at: number) =>
  [
    ...["?", `note ${at}`, `w${at % 30}`, `P-${at}`, at % 3 ? "a" : "b", at % 2 ? "x" : "y"],
    ...[at % 11, (at * 7) % 500, at % 5 === 0, `199${at % 10}-0${1 + (at % 9)}-11`],
  ].join(",");
export const ROWS = Array.from({ length: 60 }, (_, at) => record(at));
const [FIRST, ...OTHERS] = ROWS;

/** The first record with another text in one of its cells. */
const withCell = (column: string, text: string): string[] => {
  const cells = FIRST.split(",");
  cells[HEADER.split(",").indexOf(column)] = text;
  return [cells.join(","), ...OTHERS];
};

/**
 * Neighbours of the table of `ROWS`: one more record, or a different one; and tables of almost no rows, neighbours of
 * each other.
 */
export const NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  "one row more": [...ROWS, record(60)],
  "no rows": [],
  "one row": ROWS.slice(0, 1),
  "two rows": ROWS.slice(0, 2),
  "an unlisted category": withCell("group", "unlisted"),
  "a number that cannot be read": withCell("score", "three"),
  "a missing cell where there was none": withCell("score", ""),
  "too many fields": [`${FIRST},1,2,3,4,5,6,7,8`, ...OTHERS],
  "a quote that never closes": [...OTHERS, `"${FIRST}`],
};

export const MORE_NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  "one row less": OTHERS,
  "one person with many rows more": [...ROWS, ...Array.from({ length: 9 }, () => FIRST.replace("w0", "new"))],
  "an unlisted category that becomes another": withCell("plan", "unlisted"),
  "a listed category in other letters": withCell("group", "A"),
  "a number out of range": withCell("price", "1e300"),
  "no number": withCell("price", "NaN"),
  "more digits than a number has": withCell("score", "9".repeat(5000)),
  "a truth value that is none": withCell("smokes", "perhaps"),
  "a day that does not exist": withCell("born", "1991-02-30"),
  "a missing cell that is required": withCell("group", ""),
  "a missing person": withCell("who", ""),
  "an id that comes twice": withCell("id", "P-1"),
  "too few fields": ["?,short", ...OTHERS],
  "an empty line": ["", ...OTHERS],
  "a line break in quotes": withCell("note", '"two\nlines"'),
  "text after a closing quote": withCell("group", '"a"b'),
  "a carriage return at its end": [`${FIRST}\r`, ...OTHERS],
  "a quoted cell": withCell("note", '"quoted"'),
  "bytes that are no text": withCell("note", "\0\u0007\u001b[2J\uFFFF"),
  "a cell of a megabyte": withCell("note", "x".repeat(1 << 20)),
};

/** The table's bytes; U+FFFF stands for a byte that is not valid text. */
export const tableOf = (rows: readonly string[], header = HEADER): Buffer =>
  Buffer.from(`${header}\n${rows.map((row) => `${row}\n`).join("")}`.replaceAll("\uFFFF", "\xff"), "latin1");
