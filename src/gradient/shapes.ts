// What the arguments of a call to a kernel must be, whatever it runs on.

import type { Floats, Indices, Kernels, Products } from "../core/kernels.js";
import { thousands } from "../core/thousands.js";
import { Arrays, Call, expectAtLeast, expectLength, expectWhole, misshapen } from "./arrays.js";

type Checked = Exclude<keyof Kernels, "engine" | "floats" | "indices" | "read" | "free" | "close">;

/** For each call, a check of its arguments. @throws {StandinError} `gradient/shape`, `gradient/array` */
const SHAPES: { readonly [K in Checked]: (call: Call, ...given: Parameters<Kernels[K]>) => void } = {
  write(call, to, numbers) {
    call.floats("to", to);
    expectLength("numbers", numbers, to.length);
  },
  clear(call, array) {
    call.floats("array", array);
  },
  matrixProduct(call, a, b, out, { rows, inner, columns }) {
    for (const [name, found] of Object.entries({ rows, inner, columns })) expectWhole(name, found, 0);
    call.floats("a", a, rows * inner);
    call.first("b", b, inner * columns);
    call.first("out", out, rows * columns);
  },
  softmax: expectSimplex,
  softmaxGradient: expectSimplexGradient,
  sparsemax: expectSimplex,
  sparsemaxGradient: expectSimplexGradient,
  productQueries(call, x, rows, queries, answers) {
    expectProducts(call, x, rows, queries);
    call.floats("answers", answers, queries.count);
  },
  productQueriesGradient(call, x, rows, queries, slope, into) {
    const { lines, starts, places } = queries;
    const width = expectProducts(call, x, rows, queries);
    expectOccurrences(call, width, lines.length, starts, places);
    call.floats("slope", slope, queries.count);
    call.floats("into", into, x.length);
  },
  sigmoid(call, sums, rows, thresholds, scale, out) {
    call.floats("thresholds", thresholds);
    call.lines("sums", sums, rows, thresholds.length);
    expectPositive("scale", scale);
    call.lines("out", out, rows);
    expectAtLeast("out", out, sums.length);
  },
  sigmoidGradient(call, p, rows, scale, slope, into) {
    call.lines("p", p, rows);
    expectPositive("scale", scale);
    call.floats("slope", slope, p.length);
    call.lines("into", into, rows);
    expectAtLeast("p", p, into.length);
  },
  adam(call, parameters, slope, first, second, { step, rate, beta1, beta2, epsilon }) {
    call.floats("first", first);
    call.floats("second", second, first.length);
    call.first("parameters", parameters, first.length);
    call.floats("slope", slope, parameters.length);
    expectWhole("step", step, 1);
    if (!Number.isFinite(Math.fround(rate))) throw misshapen("a finite rate", String(rate));
    for (const [name, beta] of Object.entries({ beta1, beta2 }))
      if (!(beta >= 0 && beta < 1)) throw misshapen(`at least 0 and less than 1 for ${name}`, String(beta));
    expectPositive("epsilon", epsilon);
  },
  batchNorm(call, x, rows, gain, bias, epsilon, out, statistics) {
    call.floats("gain", gain);
    call.lines("x", x, rows, gain.length);
    call.floats("bias", bias, gain.length);
    expectPositive("epsilon", epsilon);
    call.floats("out", out, x.length);
    call.floats("statistics", statistics, 2 * gain.length);
  },
  batchNormGradient(call, x, rows, gain, statistics, slope, into, intoGain, intoBias) {
    call.floats("gain", gain);
    call.lines("x", x, rows, gain.length);
    call.floats("statistics", statistics, 2 * gain.length);
    for (const [name, array] of Object.entries({ slope, into })) call.floats(name, array, x.length);
    for (const [name, array] of Object.entries({ intoGain, intoBias })) call.floats(name, array, gain.length);
  },
};

/** The same kernels, with the arguments of all calls checked: they need to know only arrays that they can use. */
export function checked(kernels: Kernels): Kernels {
  const arrays = new Arrays();
  const calls = kernels as unknown as Record<string, (...given: unknown[]) => void>;
  const checks = Object.entries(SHAPES as unknown as typeof calls).map(([name, check]) => {
    const call = (...given: unknown[]) => {
      check(new Call(arrays), ...given);
      calls[name](...given);
    };
    return [name, call];
  });
  return {
    ...kernels,
    ...Object.fromEntries(checks),
    floats(content) {
      arrays.expectOpen();
      if (typeof content === "number" && !(Number.isInteger(content) && content >= 0))
        throw misshapen("a whole number of floats", String(content));
      return arrays.add(kernels.floats(content));
    },
    indices(content) {
      arrays.expectOpen();
      return arrays.add(kernels.indices(content), content);
    },
    async read(from) {
      new Call(arrays).floats("from", from);
      return kernels.read(from);
    },
    free(array) {
      arrays.factsOf("array", array);
      kernels.free(array);
      arrays.remove(array);
    },
    close() {
      if (!arrays.isClosed) kernels.close();
      arrays.close();
    },
  };
}

function expectSimplex(call: Call, x: Floats, blocks: Indices, rows: number, out: Floats): void {
  expectBlocks(call, x, blocks, rows);
  if (out !== x) call.floats("out", out, x.length);
}

function expectSimplexGradient(
  call: Call,
  p: Floats,
  slope: Floats,
  blocks: Indices,
  rows: number,
  into: Floats,
): void {
  expectBlocks(call, p, blocks, rows);
  call.floats("slope", slope, p.length);
  call.floats("into", into, p.length);
}

function expectBlocks(call: Call, x: Floats, blocks: Indices, rows: number): void {
  const last = call.ascending("blocks", blocks, call.lines("x", x, rows) + 1);
  if (last < 0) throw misshapen("at least 1 number in blocks", "none");
  // Blocks may be empty, so the length of `x` does not bound the work.
  expectWhole("blocks times rows", (blocks.length - 1) * rows, 0);
}

/** Returns the number of lines of `x`. */
function expectProducts(call: Call, x: Floats, rows: number, { lines, order, count }: Products): number {
  expectWhole("order", order, 1);
  expectWhole("count", count, 0);
  const width = call.lines("x", x, rows);
  call.indices("lines", lines, width, count * order);
  return width;
}

/** Where in a list of `count` lines each of `width` lines is. */
function expectOccurrences(call: Call, width: number, count: number, starts: Indices, places: Indices): void {
  const end = call.ascending("starts", starts, count + 1, width + 1);
  if (end !== count) throw misshapen(`${thousands(count)} as the last index in starts`, thousands(end));
  call.indices("places", places, count, count);
}

/** A positive number that is neither 0 nor infinite in 32 bits. */
function expectPositive(name: string, found: number): void {
  const rounded = Math.fround(found);
  if (!(rounded > 0 && rounded < Infinity))
    throw misshapen(`a positive, finite number of 32 bits for ${name}`, String(found));
}
