import type { Floats, Indices, Kernels } from "../core/kernels.js";
import { Instance } from "../engine/instance.js";
import { PRODUCT_SCRATCH } from "../engine/layout.js";
import { Heap } from "./heap.js";
import { checked } from "./shapes.js";

/** An array, and where it lies in the engine. */
interface Placed {
  readonly pointer: number;
  readonly length: number;
}

const pointerOf = (array: Floats | Indices): number => (array as Placed).pointer;
const endOf = (array: Floats): number => pointerOf(array) + 4 * array.length;
const pointersOf = (...arrays: (Floats | Indices)[]) => arrays.map(pointerOf);

/**
 * Kernels on the engine, in an instance of their own, on this thread. Calls have finished when they return, and give
 * the same bits everywhere.
 */
export function openWasmKernels(): Kernels {
  const instance = new Instance();
  const { exports } = instance;
  const scratch = instance.alloc(PRODUCT_SCRATCH);
  const heap = new Heap(instance);

  const take = (length: number): Placed => ({ pointer: heap.take(4 * length), length });
  const place = (numbers: Float32Array | Uint32Array) => {
    const array = take(numbers.length);
    instance.write(pointerOf(array), numbers);
    return array;
  };

  return checked({
    engine: "wasm",
    floats: (content) => (typeof content === "number" ? take(content) : place(content)),
    indices: place,
    write(to, numbers) {
      instance.write(pointerOf(to), numbers);
    },
    read: async (from) => instance.read(pointerOf(from), new Float32Array(from.length)),
    clear: (array) => exports.clear(pointerOf(array), 4 * array.length),
    free: (array) => heap.give(pointerOf(array), 4 * array.length),
    close: () => instance.drop(),

    matrixProduct(a, b, out, { rows, inner, columns, transposedA = false, transposedB = false, adds = false }) {
      const [left, right, to] = pointersOf(a, b, out);
      exports.matrixProduct(left, right, to, rows, inner, columns, transposedA, transposedB, adds, scratch);
    },
    softmax(x, blocks, rows, out) {
      exports.softmax(pointerOf(x), pointerOf(blocks), blocks.length - 1, rows, pointerOf(out));
    },
    softmaxGradient(p, slope, blocks, rows, into) {
      const [from, slopes, starts, to] = pointersOf(p, slope, blocks, into);
      exports.softmaxGradient(from, slopes, starts, blocks.length - 1, rows, to);
    },
    sparsemax(x, blocks, rows, out) {
      exports.sparsemax(pointerOf(x), pointerOf(blocks), blocks.length - 1, rows, pointerOf(out));
    },
    sparsemaxGradient(p, slope, blocks, rows, into) {
      const [from, slopes, starts, to] = pointersOf(p, slope, blocks, into);
      exports.sparsemaxGradient(from, slopes, starts, blocks.length - 1, rows, to);
    },
    productQueries(x, rows, { lines, order, count }, answers) {
      exports.productQueries(pointerOf(x), rows, pointerOf(lines), order, count, pointerOf(answers));
    },
    productQueriesGradient(x, rows, queries, slope, into) {
      const { order } = queries;
      const [from, lines, starts, places] = pointersOf(x, queries.lines, queries.starts, queries.places);
      const [slopes, to] = pointersOf(slope, into);
      exports.productQueriesGradient(from, rows, lines, order, starts, x.length / rows, places, slopes, to);
    },
    sigmoid(sums, rows, thresholds, scale, out) {
      const { length } = thresholds;
      exports.sigmoid(pointerOf(sums), rows, length, pointerOf(thresholds), scale, endOf(out) - 4 * length * rows);
    },
    sigmoidGradient(p, _rows, scale, slope, into) {
      const [from, slopes] = [p, slope].map((array) => endOf(array) - 4 * into.length);
      exports.sigmoidGradient(from, slopes, into.length, scale, pointerOf(into));
    },
    adam(parameters, slope, first, second, { step, rate, beta1, beta2, epsilon }) {
      const [to, slopes, means, squares] = pointersOf(parameters, slope, first, second);
      exports.adam(to, slopes, means, squares, first.length, step, rate, beta1, beta2, epsilon);
    },
    batchNorm(x, rows, gain, bias, epsilon, out, statistics) {
      const [from, gains, biases, to, facts] = pointersOf(x, gain, bias, out, statistics);
      exports.batchNorm(from, rows, gain.length, gains, biases, epsilon, to, facts);
    },
    batchNormGradient(x, rows, gain, statistics, slope, into, intoGain, intoBias) {
      const [from, gains, facts, slopes] = pointersOf(x, gain, statistics, slope);
      const [to, toGains, toBiases] = pointersOf(into, intoGain, intoBias);
      exports.batchNormGradient(from, rows, gain.length, gains, facts, slopes, to, toGains, toBiases);
    },
  });
}
