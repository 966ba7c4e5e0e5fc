import { StandinError } from "../core/errors.js";
import { Instance } from "../engine/instance.js";
import { PRODUCT_SCRATCH } from "../engine/layout.js";
import { Heap } from "./heap.js";
import type { Floats, Indices, Kernels } from "./kernels.js";
import { shapes } from "./shapes.js";

/** Where an array lies in the engine: nowhere, once it was freed. */
class Placed implements Floats, Indices {
  constructor(
    readonly owner: object,
    public pointer: number | undefined,
    readonly length: number,
  ) {}
}

/**
 * Kernels on the engine, in an instance of their own, on this thread. Calls have finished when they return, and give
 * the same bits everywhere.
 * @throws {StandinError} of all calls: `gradient/shape`, where lengths do not fit together; `gradient/array`, for an
 * array that was freed, or that other kernels made
 */
export function openWasmKernels(): Kernels {
  const instance = new Instance();
  const { exports } = instance;
  const scratch = instance.alloc(PRODUCT_SCRATCH);
  const heap = new Heap(instance);

  function pointerOf(array: Floats | Indices): number {
    if (!(array instanceof Placed) || array.owner !== instance || array.pointer === undefined)
      throw new StandinError("gradient/array", "This array was freed, or other kernels made it.");
    return array.pointer;
  }
  const pointersOf = (...arrays: (Floats | Indices)[]) => arrays.map(pointerOf);
  const take = (length: number) => new Placed(instance, heap.take(4 * length), length);
  const place = (numbers: Float32Array | Uint32Array) => {
    const array = take(numbers.length);
    instance.write(pointerOf(array), numbers);
    return array;
  };

  return {
    engine: "wasm",
    floats: (content) => (typeof content === "number" ? take(content) : place(content)),
    indices: place,
    write(to, numbers) {
      shapes.write(to, numbers);
      instance.write(pointerOf(to), numbers);
    },
    read: async (from) => instance.read(pointerOf(from), new Float32Array(from.length)),
    clear: (array) => exports.clear(pointerOf(array), 4 * array.length),
    free(array) {
      heap.give(pointerOf(array), 4 * array.length);
      (array as Placed).pointer = undefined;
    },
    close: () => instance.drop(),

    matrixProduct(...given) {
      shapes.matrixProduct(...given);
      const [a, b, out, { rows, inner, columns, transposedA = false, transposedB = false }] = given;
      const [left, right, to] = pointersOf(a, b, out);
      exports.matrixProduct(left, right, to, rows, inner, columns, transposedA, transposedB, scratch);
    },
    softmax(...given) {
      shapes.softmax(...given);
      const [x, blocks, rows, out] = given;
      exports.softmax(pointerOf(x), pointerOf(blocks), blocks.length - 1, rows, pointerOf(out));
    },
    softmaxGradient(...given) {
      shapes.softmaxGradient(...given);
      const [p, slope, blocks, rows, into] = given;
      const [from, slopes, starts, to] = pointersOf(p, slope, blocks, into);
      exports.softmaxGradient(from, slopes, starts, blocks.length - 1, rows, to);
    },
    sparsemax(...given) {
      shapes.sparsemax(...given);
      const [x, blocks, rows, out] = given;
      exports.sparsemax(pointerOf(x), pointerOf(blocks), blocks.length - 1, rows, pointerOf(out));
    },
    sparsemaxGradient(...given) {
      shapes.sparsemaxGradient(...given);
      const [p, slope, blocks, rows, into] = given;
      const [from, slopes, starts, to] = pointersOf(p, slope, blocks, into);
      exports.sparsemaxGradient(from, slopes, starts, blocks.length - 1, rows, to);
    },
    productQueries(...given) {
      shapes.productQueries(...given);
      const [x, rows, { lines, order, count }, answers] = given;
      exports.productQueries(pointerOf(x), rows, pointerOf(lines), order, count, pointerOf(answers));
    },
    productQueriesGradient(...given) {
      shapes.productQueriesGradient(...given);
      const [x, rows, queries, slope, into] = given;
      const { order } = queries;
      const [from, lines, starts, places] = pointersOf(x, queries.lines, queries.starts, queries.places);
      const [slopes, to] = pointersOf(slope, into);
      exports.productQueriesGradient(from, rows, lines, order, starts, x.length / rows, places, slopes, to);
    },
    sigmoidQueries(...given) {
      shapes.sigmoidQueries(...given);
      const [sums, rows, { count, scale, thresholds, labels }, x, answers] = given;
      const [from, levels, to] = pointersOf(sums, thresholds, answers);
      const [lines, numbers] = labels ? pointersOf(labels.lines, x!) : [0, 0];
      exports.sigmoidQueries(from, rows, count, levels, scale, lines, numbers, to);
    },
    sigmoidQueriesGradient(...given) {
      shapes.sigmoidQueriesGradient(...given);
      const [sums, rows, { count, scale, thresholds, labels }, x, slope, intoSums, intoX] = given;
      const [from, levels, slopes, to] = pointersOf(sums, thresholds, slope, intoSums);
      const [lines, numbers, toNumbers] = labels ? pointersOf(labels.lines, x!, intoX!) : [0, 0, 0];
      exports.sigmoidQueriesGradient(from, rows, count, levels, scale, lines, numbers, slopes, to, toNumbers);
    },
    adam(...given) {
      shapes.adam(...given);
      const [parameters, slope, first, second, { step, rate, beta1, beta2, epsilon }] = given;
      const [to, slopes, means, squares] = pointersOf(parameters, slope, first, second);
      exports.adam(to, slopes, means, squares, parameters.length, step, rate, beta1, beta2, epsilon);
    },
    batchNorm(...given) {
      shapes.batchNorm(...given);
      const [x, rows, gain, bias, epsilon, out, statistics] = given;
      const [from, gains, biases, to, facts] = pointersOf(x, gain, bias, out, statistics);
      exports.batchNorm(from, rows, gain.length, gains, biases, epsilon, to, facts);
    },
    batchNormGradient(...given) {
      shapes.batchNormGradient(...given);
      const [x, rows, gain, statistics, slope, into, intoGain, intoBias] = given;
      const [from, gains, facts, slopes] = pointersOf(x, gain, statistics, slope);
      const [to, toGains, toBiases] = pointersOf(into, intoGain, intoBias);
      exports.batchNormGradient(from, rows, gain.length, gains, facts, slopes, to, toGains, toBiases);
    },
  };
}
