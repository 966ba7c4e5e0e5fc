// Relaxed rows that are fitted on a GPU: as good as those of the engine, but rounded in another order.
import { expect, it } from "vitest";
import { host, provideHost } from "../../src/core/host.js";
import { measure, parseCsv, parseSchema, plan, resample } from "../../src/node.js";
import { noDawn, openDawn } from "../gpu-engines.js";

const NAMES = ["a", "b", "c"];
const schema = parseSchema({
  fields: NAMES.map((name) => ({ name, type: "integer", constraints: { minimum: 0, maximum: 3, required: true } })),
});
const LINES = Array.from({ length: 1200 }, (_, row) => [row % 4, row % 4, (row * 7) % 3].join());
const table = parseCsv([NAMES.join(), ...LINES, ""].join("\n"), schema);

const SEARCHES = {
  rap: { rows: 64, steps: 40, rate: 0.1 },
  "rap-softmax": { rows: 64, steps: 40, rate: 0.1 },
  "rap++": { rows: 64, steepness: 64, stages: 1, steps: 25, rate: 0.05 },
};

it.for(Object.entries(SEARCHES))("makes a whole release: %s", async ([mechanism, search], { skip }) => {
  if (noDawn) skip(noDawn);
  provideHost({ ...host(), gpu: openDawn });
  const settings = { mechanism, rounds: 2, perRound: mechanism === "rap++" ? 1 : 4, search };
  const planned = plan(schema, {
    epsilon: 50,
    workload: [
      ["a", "b"],
      ["b", "c"],
    ],
    ...settings,
  });
  const release = await measure(table, planned, { seed: 4, engine: "webgpu" });
  const { table: made, outcome } = await resample(release, { engine: "webgpu" });
  expect(outcome.engines).toContainEqual(expect.objectContaining({ kernel: "product-queries", engine: "webgpu" }));
  const rows = [...made.rows()];
  expect(rows.filter(({ a, b }) => a === b).length / rows.length).toBeGreaterThan(0.6);
});
