// What the arrays of a call to a kernel must have in common, whatever it runs on.
import { StandinError } from "../core/errors.js";
import { thousands } from "../core/thousands.js";
import type { Floats, Indices, Kernels, ProductQueries, SigmoidQueries } from "./kernels.js";

type Checked = Exclude<keyof Kernels, "engine" | "floats" | "indices" | "read" | "clear" | "free" | "close">;

/** For each call, a check of its arguments. @throws {StandinError} `gradient/shape` */
const SHAPES: { readonly [K in Checked]: (...given: Parameters<Kernels[K]>) => void } = {
  write(to, numbers) {
    expectLength("numbers", numbers, to.length);
  },
  matrixProduct(a, b, out, { rows, inner, columns }) {
    expectLength("a", a, rows * inner);
    expectLength("b", b, inner * columns);
    expectLength("out", out, rows * columns);
  },
  softmax: expectBlocks,
  softmaxGradient: expectBlocksTwice,
  sparsemax: expectBlocks,
  sparsemaxGradient: expectBlocksTwice,
  productQueries(x, rows, queries, answers) {
    expectProducts(x, rows, queries);
    expectLength("answers", answers, queries.count);
  },
  productQueriesGradient(x, rows, queries, slope, into) {
    expectProducts(x, rows, queries);
    expectLength("slope", slope, queries.count);
    expectLength("into", into, x.length);
  },
  sigmoidQueries(sums, rows, queries, x, answers) {
    expectSigmoids(sums, rows, queries, x);
    expectLength("answers", answers, queries.count);
  },
  sigmoidQueriesGradient(sums, rows, queries, x, slope, intoSums, intoX) {
    expectSigmoids(sums, rows, queries, x);
    expectLength("slope", slope, queries.count);
    expectLength("intoSums", intoSums, sums.length);
    if (queries.labels) expectLength("intoX", intoX, x!.length);
  },
  adam(parameters, slope, first, second) {
    expectLength("slope", slope, parameters.length);
    expectLength("first", first, parameters.length);
    expectLength("second", second, parameters.length);
  },
  batchNorm(x, rows, gain, bias, _epsilon, out, statistics) {
    expectLines("x", x, rows, gain.length);
    expectLength("bias", bias, gain.length);
    expectLength("out", out, x.length);
    expectLength("statistics", statistics, 2 * gain.length);
  },
  batchNormGradient(x, rows, gain, statistics, slope, into, intoGain, intoBias) {
    expectLines("x", x, rows, gain.length);
    expectLength("statistics", statistics, 2 * gain.length);
    expectLength("slope", slope, x.length);
    expectLength("into", into, x.length);
    expectLength("intoGain", intoGain, gain.length);
    expectLength("intoBias", intoBias, gain.length);
  },
};

/** The same kernels, with their arguments checked. */
export function checked(kernels: Kernels): Kernels {
  const calls = kernels as unknown as Record<string, (...given: unknown[]) => void>;
  const checks = Object.entries(SHAPES as unknown as typeof calls).map(([name, check]) => {
    const call = (...given: unknown[]) => {
      check(...given);
      calls[name](...given);
    };
    return [name, call];
  });
  return { ...kernels, ...Object.fromEntries(checks) };
}

function expectBlocks(x: Floats, blocks: Indices, rows: number, out: Floats): void {
  expectLines("x", x, rows);
  expectThat(blocks.length > 0, "at least 1 number in blocks", "none");
  expectLength("out", out, x.length);
}

function expectBlocksTwice(p: Floats, slope: Floats, blocks: Indices, rows: number, into: Floats): void {
  expectBlocks(p, blocks, rows, into);
  expectLength("slope", slope, p.length);
}

function expectProducts(x: Floats, rows: number, { lines, order, count, starts, places }: ProductQueries): void {
  expectLines("x", x, rows);
  expectThat(order >= 1, "an order of 1 or more", String(order));
  expectLength("lines", lines, count * order);
  expectLength("starts", starts, x.length / rows + 1);
  expectLength("places", places, count * order);
}

function expectSigmoids(sums: Floats, rows: number, queries: SigmoidQueries, x: Floats | undefined): void {
  const { count, thresholds, labels } = queries;
  expectLines("sums", sums, rows, count);
  expectLength("thresholds", thresholds, count);
  if (!labels) return;
  expectThat(x !== undefined, "the labels' lines in x", "none");
  expectLines("x", x!, rows);
  expectLength("labels.lines", labels.lines, count);
  expectLength("labels.starts", labels.starts, x!.length / rows + 1);
  expectLength("labels.queries", labels.queries, count);
}

/** @param lines how many, if that is known */
function expectLines(name: string, { length }: Floats, rows: number, lines = length / rows): void {
  expectThat(rows >= 1 && Number.isInteger(rows), "1 row or more", String(rows));
  const isWhole = Number.isInteger(lines) && length === rows * lines;
  expectThat(isWhole, `${thousands(rows)} numbers in each line of ${name}`, `${thousands(length)} in all`);
}

function expectLength(name: string, array: { readonly length: number } | undefined, wanted: number): void {
  const found = array?.length ?? 0;
  expectThat(found === wanted, `${thousands(wanted)} numbers in ${name}`, thousands(found));
}

function expectThat(holds: boolean, expected: string, found: string): void {
  if (!holds) throw new StandinError("gradient/shape", `Expected ${expected}, but found ${found}.`);
}
