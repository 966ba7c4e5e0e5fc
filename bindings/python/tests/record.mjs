// node bindings/python/tests/record.mjs: writes recorded.json anew, with the built package (npm run build first). It
// holds what the TypeScript package makes of schemas, tables and budgets of every kind; the Python package has to make
// the same of them.
import { writeFileSync } from "node:fs";
import * as standin from "../../../dist/node.js";
import { BUDGETS, CONSTRAINED, FIELDS, HEADERS, NO_BUDGETS, REFUSED, STATED, TABLES, x } from "./cases.mjs";
import { changed, RELEASES, releaseCsv, TAMPERED } from "./release-cases.mjs";

const ROWS = 120;
const KEY = Uint8Array.from({ length: 32 }, (_, at) => at + 1);

function refusal(source, make) {
  try {
    make();
  } catch ({ code, message }) {
    return { code, message };
  }
  throw new Error(`Nothing is wrong with ${JSON.stringify(source)}.`);
}

function read(descriptor, csv) {
  const schema = standin.parseSchema(descriptor);
  const table = standin.parseCsv(csv, schema);
  const columns = Object.fromEntries(table.names.map((name) => [name, table.column(name).map(plain)]));
  return {
    schema: descriptor,
    csv,
    attributes: schema.attributes,
    delimiter: table.delimiter,
    persons: table.persons && [...table.persons.codes],
    columns,
    written: standin.toCsv(table),
  };
}

/** JSON has no integers beyond 2^53 that all readers read. */
const plain = (value) => (typeof value === "bigint" ? String(value) : value);

const quoted = (text) => `"${text.replaceAll('"', '""')}"`;

async function synthetic(descriptor) {
  const schema = standin.parseSchema(descriptor);
  const names = descriptor.fields.map(({ name }) => name);
  const csv = `${names.join(",")}\n${`${names.map(() => "").join(",")}\n`.repeat(ROWS)}`;
  const options = { seed: 5, rows: ROWS, unsafeNoiseKey: KEY };
  const release = await standin.synthesize(
    standin.parseCsv(csv, schema),
    standin.plan(schema, { epsilon: 0.001, workload: "1-way" }),
    options,
  );
  return { release: release.toJSON(), written: standin.toCsv(release.table) };
}

/** A release as a run without a known key would have written it: what it would promise stands in it. */
async function released([name, descriptor, options, round]) {
  const schema = standin.parseSchema(descriptor);
  const planned = standin.plan(schema, options);
  const begun = [];
  const how = { seed: 5, unsafeNoiseKey: KEY, onRound: (unfinished) => begun.push(unfinished.toJSON()) };
  const whole = await standin.measure(standin.parseCsv(releaseCsv(descriptor), schema), planned, how);
  const { guarantee, noGuarantee } = planned;
  return { name, release: { ...(begun[round] ?? whole.toJSON()), guarantee, noGuarantee } };
}

const releases = await Promise.all(RELEASES.map(released));

function tampered([name, steps, words]) {
  const { release } = releases.find((each) => each.name === name);
  const said = refusal(steps, () => standin.parseRelease(JSON.stringify(changed(release, steps))));
  if (!said.message.includes(words)) throw new Error(`Of ${JSON.stringify(steps)} it says: ${said.message}`);
  return { name, steps, ...said };
}

const recorded = {
  tables: [
    ...FIELDS.map(([field, cells]) => read(x(field), `x\n${["", ...cells].map(quoted).join("\n")}\n`)),
    ...TABLES.map(([descriptor, csv]) => read(descriptor, csv)),
  ],
  stated: STATED.map((schema) => ({ schema, attributes: standin.parseSchema(schema).attributes })),
  refused: REFUSED.map((schema) => ({ schema, ...refusal(schema, () => standin.parseSchema(schema)) })),
  headers: HEADERS.map((csv) => {
    const schema = { fields: [{ name: "a", type: "boolean" }] };
    return { schema, csv, ...refusal(csv, () => standin.parseCsv(csv, standin.parseSchema(schema))) };
  }),
  budgets: BUDGETS.map((text) => ({ text, written: JSON.stringify(standin.Budget.fromJSON(text)) })),
  noBudgets: NO_BUDGETS.map((text) => ({ text, ...refusal(text, () => standin.Budget.fromJSON(text)) })),
  constrained: await Promise.all(CONSTRAINED.map(synthetic)),
  releases,
  tampered: TAMPERED.map(tampered),
};
writeFileSync(process.argv[2] ?? new URL("recorded.json", import.meta.url), `${lines(recorded)}\n`);

/** JSON with a line for each case. */
function lines(value) {
  const members = Object.entries(value).map(
    ([name, cases]) => `${JSON.stringify(name)}: [\n${cases.map((each) => JSON.stringify(each)).join(",\n")}\n]`,
  );
  return `{\n${members.join(",\n")}\n}`;
}
