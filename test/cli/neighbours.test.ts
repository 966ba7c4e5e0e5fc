// Tables that differ by one person's record look alike from outside, in every form of `synth`. The other commands that
// read a table are only for its owner. Here they show that the comparison would find a difference.
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type Noisy, type Sight, sightOf, withoutOutputs } from "./bystander.js";
import { Folder } from "./cli.js";

const day = { type: "date", constraints: { minimum: "1990-01-01", maximum: "1999-12-31" } };
const FIELDS = [
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
const HEADER = ["unknown", ...FIELDS.map(({ name }) => name)].join(",");
const record = (at: number) =>
  [
    ...["?", `note ${at}`, `w${at % 30}`, `P-${at}`, at % 3 ? "a" : "b", at % 2 ? "x" : "y"],
    ...[at % 11, (at * 7) % 500, at % 5 === 0, `199${at % 10}-0${1 + (at % 9)}-11`],
  ].join(",");
const ROWS = Array.from({ length: 60 }, (_, at) => record(at));
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
const NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
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

const MORE_NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
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
const tableOf = (rows: readonly string[], header = HEADER): Buffer =>
  Buffer.from(`${header}\n${rows.map((row) => `${row}\n`).join("")}`.replaceAll("\uFFFF", "\xff"), "latin1");

/** A way to call a command: the arguments and their surroundings. */
interface Form {
  readonly args: readonly string[];
  readonly unit?: object;
  /** Whether the table comes through standard input. */
  readonly piped?: boolean;
  readonly before?: string;
  readonly noisy?: Noisy;
  readonly header?: string;
  /** The exit code, if it is not 0. */
  readonly code?: number;
  /** Whether `MORE_NEIGHBOURS` are run too. */
  readonly thorough?: true;
}

const SYNTH = ["--schema", "s.json", "--epsilon", "8", "--seed", "1"];
const synth = (...more: string[]) => ["synth", "people.csv", ...SYNTH, "--rows", "40", ...more];
const LEDGER = { epsilon: 30, delta: 1e-8, neighbours: "add-remove", unit: "row", spent: [] };

const FORMS: Readonly<Record<string, Form>> = {
  "file to file": { args: synth("-o", "out.csv", "--release", "r.json"), thorough: true },
  "as many rows as estimated": {
    args: ["synth", "people.csv", ...SYNTH, "-o", "out.csv", "--release", "r.json"],
    noisy: { rows: true },
  },
  "standard input to standard output": {
    args: ["synth", "-", ...synth().slice(2), "-o", "-"],
    piped: true,
    noisy: { stdout: true },
    thorough: true,
  },
  "packed to packed": {
    args: ["synth", "people.csv.gz", ...synth().slice(2), "-o", "out.csv.gz", "--release", "r.json.gz"],
  },
  "in two threads": { args: synth("-o", "out.csv", "--release", "r.json", "--threads", "2") },
  "with a ledger": { args: synth("-o", "out.csv", "--ledger", "ledger.json") },
  "of persons": {
    args: synth("-o", "out.csv", "--release", "r.json"),
    unit: { column: "who", maxRows: 2 },
    thorough: true,
  },
  "with a declared number of rows": {
    args: synth("-o", "out.csv", "--release", "r.json", "--neighbours", "replace", "--public-rows", "60"),
  },
  "one-way and quiet": { args: synth("-o", "out.csv", "--release", "r.json", "--workload", "1-way", "--quiet") },
  "with a header that does not fit": {
    args: [...synth("-o", "out.csv"), "--delimiter", ";"],
    code: 2,
  },
  "with a quote that stays open in the header": {
    args: synth("-o", "out.csv"),
    header: HEADER.replace("note", '"note'),
    code: 2,
    thorough: true,
  },
  "with a quote that stays open at the header's end": { args: synth("-o", "out.csv"), header: `${HEADER},"`, code: 2 },
  "with a column too few": { args: synth("-o", "out.csv"), header: HEADER.replace(",born", ""), code: 2 },
  "where the disk is full": { args: synth("-o", "out.csv"), before: "trap '' XFSZ; ulimit -f 0; ", code: 2 },
  "where standard output is full": { args: synth("-o", "-"), before: "exec >/dev/full; ", code: 2 },
};

async function look(rows: readonly string[], form: Form): Promise<Sight> {
  const folder = new Folder();
  const table = tableOf(rows, form.header);
  folder.write("people.csv", table);
  folder.write("people.csv.gz", gzipSync(table));
  folder.write("s.json", JSON.stringify({ fields: FIELDS, standin: { unit: form.unit ?? "row" } }));
  folder.write("s.csv", tableOf(ROWS));
  folder.write("ledger.json", JSON.stringify(LEDGER));
  const inputs = folder.names().filter((name) => name !== "ledger.json");
  const ended = await folder.run(form.args, { input: form.piped ? table : "", before: form.before });
  return sightOf(folder, ended, inputs);
}

const seen = async (rows: readonly string[], form: Form) => withoutOutputs(await look(rows, form), form.noisy ?? {});

describe("neighbouring tables look alike", () => {
  it.each(Object.entries(FORMS))("%s", { timeout: 120_000 }, async (_, form) => {
    const usual = await seen(ROWS, form);
    expect(usual.code).toBe(form.code ?? 0);
    const others = Object.entries({ ...NEIGHBOURS, ...(form.thorough && MORE_NEIGHBOURS) });
    await inPairs(others, async ([name, rows]) => {
      expect({ [name]: await seen(rows, form) }).toEqual({ [name]: usual });
    });
  });
});

describe("they do not to the owner's commands: the comparison finds the difference", () => {
  it.each([
    ["check", ["check", "people.csv", "--schema", "s.json"], NEIGHBOURS["a number that cannot be read"]],
    ["schema", ["schema", "people.csv", "-o", "proposed.json"], NEIGHBOURS["an unlisted category"]],
    [
      "evaluate",
      ["evaluate", "--real", "people.csv", "--synthetic", "s.csv", "--schema", "s.json"],
      NEIGHBOURS["one row more"],
    ],
  ])("%s", async (_, args, rows) => {
    const usual = await seen(ROWS, { args });
    expect(usual.code).toBe(0);
    expect(await seen(rows, { args })).not.toEqual(usual);
  });
});

/** Does something to each entry of a list, two at a time. */
async function inPairs<Entry>(list: readonly Entry[], job: (entry: Entry) => Promise<void>): Promise<void> {
  const queue = list.values();
  const lane = async () => {
    for (const entry of queue) await job(entry);
  };
  await Promise.all([lane(), lane()]);
}
