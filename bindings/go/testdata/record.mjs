// node bindings/go/testdata/record.mjs [folder]: writes refusals.json and owners.json anew, with the built package (npm
// run build first): what the npm package says where schemas, tables and options are wrong, and what it tells the owners
// of tables. The Go package has to say the same.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseCsv, parseSchema, plan } from "../../../dist/node.js";
import { nonPrivateCheck, nonPrivateProposal } from "../../../dist/owner-node.js";

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

const PEOPLE = "sex,age,city\r\nF,31,Köln\r\nM,NA,Málaga\r\nF,120,Köln,more\r\n\r\nm,7\r\n";
/** What UTF-16, Windows-1252 and UTF-8 write. */
const FILES = [Buffer.from(`\ufeff${PEOPLE}`, "utf16le"), Buffer.from(PEOPLE, "latin1"), Buffer.from(PEOPLE)];

/** What the package tells the owner of a table. */
const ownersOf = async (bytes) => {
  const proposal = await nonPrivateProposal(bytes, { maxCategories: 2 });
  const { encoding } = proposal.descriptor.dialect ?? {};
  const schema = { ...SCHEMA, missingValues: ["NA"], standin: { constraints: [] }, ...(encoding && { encoding }) };
  const check = await nonPrivateCheck(bytes, parseSchema(schema));
  return { base64: bytes.toString("base64"), maxCategories: 2, proposal, schema, check };
};

const folder = process.argv[2] ?? fileURLToPath(new URL(".", import.meta.url));
const record = (file, content) => writeFileSync(join(folder, file), `${JSON.stringify(content, null, 2)}\n`);
record(
  "refusals.json",
  CASES.map((one) => ({ ...one, expected: expected(one) })),
);
record("owners.json", await Promise.all(FILES.map(ownersOf)));
