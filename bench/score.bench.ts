// The answers of MOB's rows to 200,000 random half-spaces over all of its columns, as a choice among them needs
// them: on one thread, on two as the vault counts, and in plain JavaScript, which does a hundredth of the work. Then
// to 200,000 random prefixes.
import { join } from "node:path";
import { type Attribute, valuesOf } from "../src/domain/attribute.js";
import { BLOCK_ROWS } from "../src/engine/layout.js";
import { RemoteSlice, startCounting } from "../src/privacy/slice.js";
import { comparedColumns } from "../src/queries/query.js";
import { RowAnswers } from "../src/queries/row-answers.js";
import { workloadQueries } from "../src/queries/workload.js";
import { modelCodes } from "../src/schema/encode.js";
import { refined } from "../src/schema/refine.js";
import { uniforms } from "../test/reference/statistics.js";
import { best, type Report, type Setting } from "./bench.js";
import { paperTask } from "./tables.js";

const COUNT = 200_000;
/** The part of the half-spaces that plain JavaScript is timed on. */
const PART = 100;

export default async function score(report: Report, { data }: Setting): Promise<void> {
  if (!data) return console.log("score skipped: STANDIN_DATA names no folder of tables.");
  const { schema: coarse, table } = paperTask(join(data, "acs"), "MOB");
  const columns = coarse.attributes.map(({ name }) => name);
  const [query] = workloadQueries([{ query: "random-half-spaces", columns, count: COUNT, seed: 1 }], coarse);
  const schema = refined(coarse, comparedColumns([query]));
  const { attributes } = schema;
  const codes = modelCodes(table, schema);
  const evaluations = COUNT * table.length;

  const rows = RowAnswers.ofCodes(attributes, codes);
  const one = await best(2, () => rows.of(query));
  report({ metric: "half_spaces_per_s", value: evaluations / one, target: 1e9, better: "higher" });

  const [worker] = startCounting(2, attributes);
  await worker.started;
  const slice = new RemoteSlice(worker);
  const half = codes.map((column) => column.subarray(0, BLOCK_ROWS));
  const own = RowAnswers.ofCodes(attributes, half);
  await slice.append(codes.map((column) => column.slice(BLOCK_ROWS, 2 * BLOCK_ROWS)));
  const two = await best(2, async () => {
    const others = slice.count([query]);
    own.of(query);
    await others;
  });
  report({ metric: "half_spaces_per_s, two threads", value: evaluations / two, target: 1.6e9, better: "higher" });

  const plain = await best(1, () => plainCounts(attributes, codes, COUNT / PART));
  report({
    metric: "half_spaces, plain JavaScript / engine",
    value: (PART * plain) / one,
    target: 50,
    better: "higher",
  });
  worker.release();

  const [prefixes] = workloadQueries([{ query: "random-prefixes", columns, count: COUNT, seed: 1 }], coarse);
  const counted = await best(2, () => rows.of(prefixes));
  report({ metric: "prefixes_per_s", value: evaluations / counted, better: "higher" });
  report({ metric: "prefixes / half-spaces per s", value: one / counted, target: 10, better: "higher" });
}

/**
 * How many rows are below the threshold of each of some half-spaces, whose numbers do not matter here: row by row, from
 * typed arrays in the order in which they are read.
 */
function plainCounts(attributes: readonly Attribute[], codes: readonly Uint16Array[], count: number): Int32Array {
  const uniform = uniforms(1);
  const axes = [...attributes.keys()];
  const numeric = axes.filter((axis) => attributes[axis].ordered);
  const categorical = axes.filter((axis) => !attributes[axis].ordered);
  const starts = categorical.map((_, at) =>
    categorical.slice(0, at).reduce((sum, axis) => sum + attributes[axis].size, 0),
  );
  const rows = codes[0].length;
  const [width, numbers] = [categorical.length, numeric.length];
  const coordinates = Uint16Array.from({ length: rows * width }, (_, at) => {
    return starts[at % width] + codes[categorical[at % width]][Math.floor(at / width)];
  });
  const values = Float64Array.from({ length: rows * numbers }, (_, at) => {
    const axis = numeric[at % numbers];
    return codes[axis][Math.floor(at / numbers)] / valuesOf(attributes[axis]);
  });
  const slopes = new Float64Array(numbers);
  const direction = new Float64Array(categorical.reduce((sum, axis) => sum + attributes[axis].size, 0));
  const counts = new Int32Array(count);
  for (let member = 0; member < count; member++) {
    for (const theta of [slopes, direction]) for (let at = 0; at < theta.length; at++) theta[at] = 2 * uniform() - 1;
    const threshold = 2 * uniform() - 1;
    let below = 0;
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (let at = row * width, end = at + width; at < end; at++) sum += direction[coordinates[at]];
      for (let at = 0; at < numbers; at++) sum += slopes[at] * values[row * numbers + at];
      if (sum <= threshold) below++;
    }
    counts[member] = below;
  }
  return counts;
}
