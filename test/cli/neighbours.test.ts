// Tables that differ by one person's record look alike from outside, in every form of `synth`. The other commands that
// read a table are only for its owner. Here they show that the comparison would find a difference.
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { FIELDS, HEADER, MORE_NEIGHBOURS, NEIGHBOURS, ROWS, tableOf } from "../neighbours.js";
import { type Noisy, type Sight, sightOf, withoutOutputs } from "./bystander.js";
import { Folder } from "./cli.js";

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
