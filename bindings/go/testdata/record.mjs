// node bindings/go/testdata/record.mjs [file]: writes refusals.json anew, with the built package (npm run build first):
// what the npm package says where schemas, tables and options are wrong. The Go package has to say the same.
import { writeFileSync } from "node:fs";
import { parseCsv, parseSchema, plan } from "../../../dist/node.js";

const SEX = { name: "sex", type: "string", constraints: { enum: ["F", "M"], required: true } };
const AGE = { name: "age", type: "integer", constraints: { minimum: 0, maximum: 99 } };
const SCHEMA = { fields: [SEX, AGE] };

const CASES = [
  { schema: {} },
  { schema: { fields: [] } },
  { schema: { fields: [{ name: "größe", type: "colour" }] } },
  { schema: { fields: [SEX, SEX] } },
  { schema: { fields: [{ ...AGE, constraints: { minimum: 9, maximum: 0 } }] } },
  { schema: { ...SCHEMA, encoding: "klingon" } },
  { schema: SCHEMA, csv: "" },
  { schema: SCHEMA, csv: "sex\nF\n" },
  { schema: SCHEMA, csv: "sex,age,sex\nF,1,M\n" },
  { schema: SCHEMA, csv: '"sex,age\nF,1\n' },
  { schema: SCHEMA, options: {} },
  { schema: SCHEMA, options: { epsilon: -1 } },
  { schema: SCHEMA, options: { epsilon: "1" } },
  { schema: SCHEMA, options: { epsilon: 1, epsilons: 2 } },
  { schema: SCHEMA, options: { epsilon: 1, workload: "0-way" } },
  { schema: SCHEMA, options: { epsilon: 1, workload: [["sex", "height"]] } },
  { schema: SCHEMA, options: { epsilon: 1, mechanism: "magic" } },
];

/** What the package says of a case. */
function expected({ schema: descriptor, csv, options }) {
  try {
    const schema = parseSchema(descriptor);
    if (csv === undefined) plan(schema, options);
    else parseCsv(csv, schema);
  } catch ({ code, message, hint }) {
    return { code, message, hint };
  }
  throw new Error(`Nothing is wrong with ${JSON.stringify({ descriptor, csv, options })}.`);
}

const recorded = CASES.map((one) => ({ ...one, expected: expected(one) }));
const file = process.argv[2] ?? new URL("refusals.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
