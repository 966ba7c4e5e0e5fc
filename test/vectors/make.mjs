// node test/vectors/make.mjs: writes test/vectors/*.json anew, with the built package (npm run build first). Run it when a change is
// meant to change bytes, look at what differs, and say in the changelog that outputs of the same seed are no longer those of before.
//
// A vector is one release from beginning to end. Whoever embeds the engine in another language has made the same bytes when
//   - `schema` and `csv`, measured as `plan` says under `noiseKey`, give the items of `release` (answers and choices), and
//   - `release`, searched for its `rows` under its `search.seed` and written as CSV, gives `output.csv`.
import { writeFileSync } from "node:fs";
import * as standin from "../../dist/node.js";
import { fromHex, sha256 } from "./job.mjs";

const SEX = { name: "sex", type: "string", constraints: { enum: ["F", "M"], required: true } };
const REGION = { name: "region", type: "string", constraints: { enum: ["N", "E", "S", "W", "Ö"], required: true } };
const AGE = {
  name: "age",
  type: "integer",
  constraints: { minimum: 0, maximum: 99, required: true },
  standin: { bins: 10 },
};
const VISITS = { name: "visits", type: "integer", constraints: { minimum: 0, maximum: 6, required: true } };
const INCOME = {
  name: "income",
  type: "number",
  constraints: { minimum: 0, maximum: 500_000, required: true },
  standin: { granularity: 100 },
};
const FIELDS = [SEX, REGION, AGE, VISITS];

const PREFIXES = {
  ...{ query: "random-prefixes", columns: ["sex", "region", "age", "income"], count: 5000, seed: 1, weight: 2 },
};

const optional = (field) => ({ ...field, constraints: { ...field.constraints, required: false } });

const CASES = {
  pairs: { schema: { fields: FIELDS }, plan: { epsilon: 5 } },
  // so many codes and so small an ε that tables are measured on groups of codes
  groups: { schema: { fields: [SEX, REGION, { ...AGE, standin: {} }] }, plan: { epsilon: 1 } },
  raw: { schema: { fields: FIELDS }, plan: { epsilon: 5, estimate: "raw" } },
  paper: { schema: { fields: FIELDS }, plan: { epsilon: 5, search: { method: "paper", generations: 2000 } }, rows: 40 },
  replace: { schema: { fields: FIELDS }, plan: { epsilon: 5, neighbours: "replace", publicRows: 240 } },
  rounds: { schema: { fields: FIELDS }, plan: { epsilon: 5, workload: "3-way", rounds: 2, perRound: 1 } },
  // so many members that they are drawn in two streams
  sets: {
    schema: { fields: [SEX, REGION, { ...AGE, standin: { bins: "tree" } }, INCOME] },
    plan: {
      ...{ epsilon: 5, selection: "max", rounds: 2, perRound: 3 },
      workload: [["sex", "region"], { columns: ["region", "age"], weight: 0.5 }, PREFIXES],
    },
  },
  aim: { schema: { fields: FIELDS }, plan: { epsilon: 5, selection: "aim" } },
  trees: { schema: { fields: [SEX, { ...AGE, standin: { bins: "tree" } }, INCOME] }, plan: { epsilon: 5 } },
  persons: {
    schema: {
      fields: [{ name: "person", type: "integer", standin: { role: "drop" } }, ...FIELDS],
      standin: { unit: { column: "person", maxRows: 2 } },
    },
    plan: { epsilon: 20 },
  },
  missing: {
    schema: { fields: [SEX, optional(REGION), AGE, optional(VISITS)], missingValues: ["NA", ""] },
    plan: { epsilon: 5 },
    holes: true,
  },
};

const ROWS = 240;
const SEED = 20;
const NOISE_KEY = Array.from({ length: 32 }, (_, at) => (at + 1).toString(16).padStart(2, "0")).join("");

/** A table in which everything hangs together a little; every ninth region and every seventh number of visits is missing in `holes`. */
function table({ fields }, holes) {
  const cell = (name, row) => {
    const turn = (row * 37) % 101;
    if (name === "person") return row % 150;
    if (name === "sex") return turn < 55 ? "F" : "M";
    if (name === "region") return holes && row % 9 === 0 ? "" : "NESWÖ"[(turn + (row % 3)) % 5];
    if (name === "age") return (turn * 3 + row) % 100;
    if (name === "visits") return holes && row % 7 === 0 ? "NA" : Math.floor(turn / 20) + (row % 2);
    return turn * turn * 40 + (row % 10) * 100;
  };
  const names = fields.map(({ name }) => name);
  const lines = Array.from({ length: ROWS }, (_, row) => names.map((name) => cell(name, row)).join(","));
  return `${[names.join(","), ...lines].join("\n")}\n`;
}

for (const [name, { schema: descriptor, plan: request, rows, holes = false }] of Object.entries(CASES)) {
  const schema = standin.parseSchema(descriptor);
  const csv = table(descriptor, holes);
  const options = { seed: SEED, rows, unsafeNoiseKey: fromHex(NOISE_KEY) };
  const release = await standin.synthesize(standin.parseCsv(csv, schema), standin.plan(schema, request), options);
  const output = standin.toCsv(release.table);
  const vector = {
    ...{ name, schema: descriptor, csv, plan: request, seed: SEED, rows, noiseKey: NOISE_KEY },
    ...{ release, output: { csv: output, sha256: await sha256(output) } },
  };
  writeFileSync(new URL(`${name}.json`, import.meta.url), text(vector));
}

/** JSON with a line for each member, but arrays of numbers on one. */
function text(value) {
  const lines = JSON.stringify(value, null, 2);
  return `${lines.replace(/\[[\s\d,.-]*\]/g, (numbers) => numbers.replace(/\s+/g, " "))}\n`;
}
