// What callers pass by mistake is named, with what to pass instead.
import { expect, it } from "vitest";
import { parseRelease } from "../../src/frame/release-parser.js";
import { parseCsv, plan, type Release, readCsv, resample, resume, synthesize } from "../../src/node.js";
import { nonPrivateCheck } from "../../src/owner/check.js";
import { nonPrivateProposal } from "../../src/owner/propose.js";
import { parseSchema, type Schema } from "../../src/schema/schema.js";
import { rejection } from "../files/tables.js";

const schema = parseSchema({ fields: [{ name: "sex", constraints: { enum: ["F", "M"] } }] });
const table = parseCsv("sex\nF\nM\n", schema);
const planned = plan(schema, { epsilon: 1 });
// biome-ignore lint/suspicious/noExplicitAny: mistakes have other types than the ones that functions take
type Mistake = any;
const wrong = (value: unknown): Mistake => value;
const release = async () => synthesize(table, planned);

it.each<[string, string, RegExp, () => unknown]>([
  [
    "a path as a table",
    "options/argument",
    /await readCsv\(source, schema\)/,
    () => synthesize(wrong("a.csv"), planned),
  ],
  [
    "a promise of a table",
    "options/argument",
    /await readCsv/,
    () => synthesize(wrong(Promise.resolve(table)), planned),
  ],
  [
    "a schema as a plan",
    "options/argument",
    /plan\(schema, \{ epsilon: 1 \}\)/,
    () => synthesize(table, wrong(schema)),
  ],
  [
    "a path as a public table",
    "options/argument",
    /readCsv/,
    () => plan(schema, { epsilon: 1, publicTable: wrong("a") }),
  ],
  ["a path to resume with", "options/argument", /readCsv/, async () => resume(wrong("a.csv"), await release())],
  ["a path as a release", "options/argument", /parseRelease/, () => resample(wrong("r.json") as Release)],
  ["a path as a release's text", "release/broken", /path of a file/, () => parseRelease("r.json")],
  ["a number as a source", "options/argument", /bytes of a table/, () => readCsv(wrong(3), schema)],
  ["nothing as a source", "options/argument", /bytes of a table/, () => readCsv(wrong(null), schema)],
  ["a list as a source", "options/argument", /bytes of a table/, () => nonPrivateCheck(wrong([1, 2]), schema)],
  ["a string as a source", "options/argument", /parseCsv/, () => nonPrivateProposal(wrong("sex\nF\n"))],
  ["bytes as a text", "options/argument", /readCsv/, () => parseCsv(wrong(new Uint8Array(3)), schema)],
  [
    "rows in quotes",
    "options/rows",
    /rows is the string "5"/,
    async () => resample(await release(), { rows: wrong("5") }),
  ],
  [
    "a seed in quotes",
    "options/seed",
    /seed is the string "7"/,
    () => synthesize(table, planned, { seed: wrong("7") }),
  ],
  [
    "threads in quotes",
    "options/threads",
    /is the string "2"/,
    () => readCsv(new Blob([]), schema, { threads: wrong("2") }),
  ],
  ["ε in quotes", "budget/epsilon", /epsilon is the string "1"/, () => plan(schema, { epsilon: wrong("1") })],
  ["ρ in quotes", "budget/rho", /rho is the string "1"/, () => plan(schema, { rho: wrong("1") })],
  [
    "δ in quotes",
    "budget/delta",
    /delta is the string "1e-9"/,
    () => plan(schema, { epsilon: 1, delta: wrong("1e-9") }),
  ],
  [
    "rounds in quotes",
    "options/rounds",
    /rounds is the string "2"/,
    () => plan(schema, { epsilon: 1, rounds: wrong("2") }),
  ],
  [
    "a column that is not there",
    "table/unknown-column",
    /no column "nope"\. It has "sex"\./,
    () => table.column("nope"),
  ],
])("%s", async (_, code, words, call) => {
  const error = await rejection((async () => call())());
  expect(error).toMatchObject({ code, message: expect.stringMatching(words) });
});

it("a schema that was not parsed", async () => {
  const error = await rejection((async () => plan(wrong({ fields: [] }) as Schema, { epsilon: 1 }))());
  expect(error).toMatchObject({ code: "schema/unparsed", message: expect.stringMatching(/parseSchema/) });
});
