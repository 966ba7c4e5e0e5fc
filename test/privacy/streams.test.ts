// No two items share noise: not within one release, nor between two releases of one process, of several parallel
// threads, or of two processes. All pairs of noise vectors are compared. The total chance of a false alarm is ALPHA.
import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { parseCsv, parseSchema, plan } from "../../src/node.js";
import { ALPHA, correlationScore, firstWhere, normal } from "../reference/statistics.js";
import { measureInThreads } from "./door.js";

const ITEMS = 40;
const CELLS = 500;
const descriptor = {
  fields: Array.from({ length: ITEMS }, (_, at) => ({
    name: `c${at}`,
    type: "integer",
    constraints: { minimum: 0, maximum: CELLS - 1, required: true },
    standin: { bins: CELLS },
  })),
};
const header = descriptor.fields.map(({ name }) => name).join();
const schema = parseSchema(descriptor);

/** The noise of a release of an empty table: its answers, unchanged. */
const noise = async (threads: number) => {
  const { ledger } = plan(schema, { epsilon: 1, workload: "1-way" });
  const answers = await measureInThreads(threads, parseCsv(header, schema), schema, ledger);
  return answers.map((noisy) => [...noisy]);
};

/** The same in a separate process. */
function noiseElsewhere(): number[][] {
  const script = `
    import { measure, parseCsv, parseSchema, plan } from ${JSON.stringify(pathToFileURL("dist/node.js").href)};
    const schema = parseSchema(${JSON.stringify(descriptor)});
    const release = await measure(parseCsv(${JSON.stringify(header)}, schema), plan(schema, { epsilon: 1, workload: "1-way" }));
    console.log(JSON.stringify(release.measurements.map(({ answers }) => [...answers])));`;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }));
}

it("no two noise vectors are equal or correlated", async () => {
  const alone = [...(await noise(1)), ...(await noise(1)), ...noiseElsewhere(), ...noiseElsewhere()];
  const together = (await Promise.all([noise(4), noise(4)])).flat();
  const vectors = [...alone, ...together];
  expect(vectors).toHaveLength(6 * ITEMS);
  const pairs = (vectors.length * (vectors.length - 1)) / 2;
  const limit = firstWhere(0, 20, (score) => 1 - normal(score) <= ALPHA / (2 * pairs));
  let largest = 0;
  for (const [at, vector] of vectors.entries())
    for (const other of vectors.slice(0, at)) largest = Math.max(largest, Math.abs(correlationScore(vector, other)));
  expect(largest).toBeLessThan(limit);
  // The test has power: a stream used twice has full correlation, far beyond the limit.
  expect(correlationScore(vectors[0], vectors[0])).toBeGreaterThan(2 * limit);
});
