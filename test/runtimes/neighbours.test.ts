// In every language, tables that differ by one person's record look alike from outside, and mistakes have the codes and
// messages of the npm package.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parseSchema, plan, type StandinError } from "../../src/node.js";
import { thrown } from "../files/tables.js";
import { FIELDS, MORE_NEIGHBOURS, NEIGHBOURS, ROWS, tableOf } from "../neighbours.js";
import { PROGRAMS, type Program, startProgram } from "./programs.js";

const MINUTES = 60_000;
const folder = mkdtempSync(join(tmpdir(), "standin-neighbours-"));
const at = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const UNITS = { row: "row", person: { column: "who", maxRows: 2 } };
for (const [name, unit] of Object.entries(UNITS))
  writeFileSync(at(`${name}.json`), JSON.stringify({ fields: FIELDS, standin: { unit } }));

/** What a bystander sees of a job: its answer, and how large the file is that it leaves. */
async function sightOf(program: Program, unit: string, rows: readonly string[], options: object) {
  writeFileSync(at("people.csv"), tableOf(rows));
  rmSync(at("out.csv"), { force: true });
  const files = { schema: at(`${unit}.json`), csv: at("people.csv"), out: at("out.csv") };
  const answer = await program.run({ ...files, options, rows: 40 });
  if (answer !== "done") return { answer };
  const [header, ...lines] = readFileSync(at("out.csv"), "utf8").trimEnd().split("\n");
  return { answer, header, lines: lines.length };
}

describe.each(Object.keys(PROGRAMS))("%s", { timeout: 5 * MINUTES }, (language) => {
  it("sees no difference between neighbouring tables, and refuses as the npm package does", async ({ skip }) => {
    mkdirSync(at(language));
    const program = startProgram(language, at(language));
    if (typeof program === "string") return skip(program);
    try {
      for (const unit of Object.keys(UNITS)) {
        const usual = await sightOf(program, unit, ROWS, { epsilon: 8 });
        expect(usual).toMatchObject({ answer: "done", lines: 40 });
        for (const [name, rows] of Object.entries({ ...NEIGHBOURS, ...MORE_NEIGHBOURS }))
          expect({ [name]: await sightOf(program, unit, rows, { epsilon: 8 }) }).toEqual({ [name]: usual });
      }
      const schema = parseSchema(readFileSync(at("row.json"), "utf8"));
      for (const options of [{ epsilon: -1 }, { epsilon: 1, workload: "9-way" }, { epsilon: 1, workload: [["no"]] }]) {
        const { code, message } = thrown(() => plan(schema, options as object)) as StandinError;
        expect(await sightOf(program, "row", ROWS, options)).toEqual({ answer: `${code} ${message}` });
      }
    } finally {
      program.stop();
    }
  });
});
