// An error after private rows have been loaded reveals nothing about them: not in its message, its stack, its cause or
// any other member.
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Instance } from "../../src/engine/instance.js";
import { parseCsv, readCsv } from "../../src/files/csv.js";
import { measure, plan } from "../../src/index.js";
import { Budget } from "../../src/privacy/budget.js";
import { parseSchema } from "../../src/schema/schema.js";
import { inPieces, rejection, utf8 } from "../files/tables.js";

const CANARY = /canary|471147114711/i;
const FIELDS = [
  { name: "note", standin: { role: "drop" } },
  { name: "group", constraints: { enum: ["a", "b"] } },
  { name: "score", type: "integer", constraints: { minimum: 0, maximum: 10 } },
];
const schema = parseSchema({ fields: FIELDS });
const other = parseSchema({ fields: FIELDS.slice(1) });
const TEXT = "note,group,score\ncanary,canary,471147114711\n";
const table = parseCsv(TEXT, schema);
const poor = () => new Budget({ epsilon: 0.1, delta: 1e-8, neighbours: "add-remove", unit: "row" });

async function* failing() {
  yield utf8(TEXT);
  throw Object.assign(new Error("canary", { cause: "canary" }), { code: "ECANARY", path: "canary.csv" });
}

let usual: number;
beforeEach(() => {
  usual = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
});
afterEach(() => {
  Error.stackTraceLimit = usual;
  vi.restoreAllMocks();
});

/** Makes reading cells fail, with a message that quotes one. */
function breakReading(): void {
  vi.spyOn(Instance.prototype, "write").mockImplementation(() => {
    throw new TypeError("cannot read canary");
  });
}

it.each<[string, () => unknown]>([
  ["a header that is a person", () => parseCsv(`${TEXT.split("\n")[1]}\n${TEXT}`, schema)],
  ["a source that fails", () => readCsv(failing(), schema)],
  ["gzip data that is cut", () => readCsv(inPieces(gzipSync(TEXT).subarray(0, -9), 7), schema)],
  [
    "a fault of a reader at once",
    () => {
      breakReading();
      return parseCsv(TEXT, schema);
    },
  ],
  [
    "a fault of a reader of streams",
    () => {
      breakReading();
      return readCsv(new Blob([TEXT]), schema);
    },
  ],
  ["a plan of another schema", () => measure(table, plan(other, { epsilon: 1 }))],
  ["a budget that is spent", () => measure(table, plan(schema, { epsilon: 1 }), { budget: poor() })],
  ["a number of rows that cannot be", () => measure(table, plan(schema, { epsilon: 1 }), { rows: 0.5 })],
  ["a column that is not there", () => table.column("nobody")],
])("%s", async (_, call) => {
  const error = await rejection((async () => call())());
  expect(error).toBeInstanceOf(Error);
  expect(`${error.stack}${inspect(error, { depth: Infinity, showHidden: true })}`).not.toMatch(CANARY);
});

it("an error that quotes a cell would be found", () => {
  for (const error of [
    new Error("canary"),
    new Error("fixed", { cause: "canary" }),
    Object.assign(new Error(), { table: TEXT }),
  ])
    expect(inspect(error, { depth: Infinity, showHidden: true })).toMatch(CANARY);
});
