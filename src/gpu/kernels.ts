import adamCode from "../../gpu/adam.wgsl";
import batchNormCode from "../../gpu/batch-norm.wgsl";
import matrixProductCode from "../../gpu/matrix-product.wgsl";
import productQueriesCode from "../../gpu/product-queries.wgsl";
import sigmoidCode from "../../gpu/sigmoid.wgsl";
import softmaxCode from "../../gpu/softmax.wgsl";
import sparsemaxCode from "../../gpu/sparsemax.wgsl";
import type { Floats, Indices, Kernels } from "../core/kernels.js";
import { checked } from "../gradient/shapes.js";
import { type Device, floatWord, type Kernel, type Memory, type Words } from "./device.js";

/** What a workgroup of matrix-product.wgsl has of the product, and how many workgroups keep a GPU busy. */
const TILE = 64;
const BUSY_GROUPS = 512;
/** The least part of a sum that is worth a workgroup of its own. */
const LEAST_DEPTH = 128;

/**
 * Kernels on a GPU, compiled before they are returned, so that calls need not wait. Nothing that fails later shows
 * before something is read.
 * @throws {StandinError} `gpu/lost`
 */
export async function openGpuKernels(device: Device): Promise<Kernels> {
  const [products, softmaxes, sparsemaxes, productQueries, sigmoids, adam, norms] = await Promise.all([
    device.kernels(matrixProductCode, ["matrixProduct", "addParts"]),
    device.kernels(softmaxCode, ["softmax", "softmaxInPlace", "softmaxGradient"]),
    device.kernels(sparsemaxCode, ["sparsemax", "sparsemaxInPlace", "sparsemaxGradient"]),
    device.kernels(productQueriesCode, ["productQueries", "productQueriesGradient"]),
    device.kernels(sigmoidCode, ["sigmoid", "sigmoidGradient"]),
    device.kernels(adamCode, ["adam"]),
    device.kernels(batchNormCode, ["batchNorm", "batchNormGradient"]),
  ]);
  /** Where arrays are on the device. */
  const memories = new Map<Floats | Indices, Memory>();
  /** Where parts of sums wait to be added. */
  let parts: { readonly memory: Memory; readonly words: number } | undefined;

  const memoryOf = (array: Floats | Indices): Memory => memories.get(array)!;
  function kept(memory: Memory, length: number): Floats | Indices {
    const array = { length };
    memories.set(array, memory);
    return array;
  }
  const place = (words: Words) => kept(device.place(words), words.length);
  /** Runs a kernel on arrays. */
  function run(kernel: Kernel, parameters: readonly number[], arrays: readonly (Floats | Indices)[], groups: number) {
    device.run(kernel, parameters, arrays.map(memoryOf), groups);
  }

  function partsOf(words: number): Memory {
    if (parts && parts.words >= words) return parts.memory;
    if (parts) device.release(parts.memory);
    parts = { memory: device.reserve(words), words };
    return parts.memory;
  }
  /** A kernel whose threads have one row of one block each. */
  function ofBlocks(kernel: Kernel, blocks: Indices, rows: number, arrays: readonly Floats[]) {
    const count = blocks.length - 1;
    run(kernel, [rows, count], [blocks, ...arrays], count * Math.ceil(rows / 64));
  }

  return checked({
    engine: "webgpu",
    floats: (content) => (typeof content === "number" ? kept(device.reserve(content), content) : place(content)),
    indices: place,
    write(to, numbers) {
      device.write(memoryOf(to), numbers);
    },
    read: async (from) => device.read(memoryOf(from), new Float32Array(from.length)),
    clear: (array) => device.clear(memoryOf(array)),
    free(array) {
      device.release(memoryOf(array));
      memories.delete(array);
    },
    close() {
      for (const memory of memories.values()) device.release(memory);
      if (parts) device.release(parts.memory);
    },

    matrixProduct(a, b, out, product) {
      const { rows, inner, columns, transposedA, transposedB, adds = false } = product;
      const tiles = Math.ceil(rows / TILE) * Math.ceil(columns / TILE);
      const most = Math.min(Math.floor(inner / LEAST_DEPTH), Math.ceil(BUSY_GROUPS / tiles));
      const depth = 16 * Math.ceil(inner / Math.max(1, most) / 16);
      const count = Math.ceil(inner / depth) || 1;
      const ofA = transposedA ? [1, rows] : [inner, 1];
      const ofB = transposedB ? [inner, 1] : [1, columns];
      const parameters = [rows, inner, columns, ...ofA, ...ofB, depth, count, Number(adds)];
      const [left, right, to] = [a, b, out].map(memoryOf);
      const sums = count > 1 ? partsOf(count * rows * columns) : to;
      device.run(products.matrixProduct, parameters, [left, right, sums], count * tiles);
      if (count > 1) device.run(products.addParts, parameters, [sums, to], Math.ceil((rows * columns) / 256));
    },

    softmax(x, blocks, rows, out) {
      if (x === out) ofBlocks(softmaxes.softmaxInPlace, blocks, rows, [out]);
      else ofBlocks(softmaxes.softmax, blocks, rows, [out, x]);
    },
    softmaxGradient(p, slope, blocks, rows, into) {
      ofBlocks(softmaxes.softmaxGradient, blocks, rows, [into, p, slope]);
    },
    sparsemax(x, blocks, rows, out) {
      if (x === out) ofBlocks(sparsemaxes.sparsemaxInPlace, blocks, rows, [out]);
      else ofBlocks(sparsemaxes.sparsemax, blocks, rows, [out, x]);
    },
    sparsemaxGradient(p, slope, blocks, rows, into) {
      ofBlocks(sparsemaxes.sparsemaxGradient, blocks, rows, [into, p, slope]);
    },

    productQueries(x, rows, { lines, order, count }, answers) {
      run(productQueries.productQueries, [rows, order, count], [x, lines, answers], count);
    },
    productQueriesGradient(x, rows, { lines, order, starts, places }, slope, into) {
      const count = starts.length - 1;
      const arrays = [x, lines, into, slope, starts, places];
      run(productQueries.productQueriesGradient, [rows, order, count], arrays, count * Math.ceil(rows / 32));
    },

    sigmoid(sums, rows, thresholds, scale, out) {
      const parameters = [sums.length, out.length - sums.length, rows, floatWord(scale)];
      run(sigmoids.sigmoid, parameters, [sums, thresholds, out], Math.ceil(sums.length / 256));
    },
    sigmoidGradient(p, rows, scale, slope, into) {
      const parameters = [into.length, p.length - into.length, rows, floatWord(scale)];
      run(sigmoids.sigmoidGradient, parameters, [p, slope, into], Math.ceil(into.length / 256));
    },

    adam(parameters, slope, first, second, { step, rate, beta1, beta2, epsilon }) {
      const factors = [
        rate / (1 - beta1 ** step),
        beta1,
        1 - beta1,
        beta2,
        1 - beta2,
        1 / (1 - beta2 ** step),
        epsilon,
      ];
      const { length } = first;
      const arrays = [parameters, slope, first, second];
      run(adam.adam, [length, ...factors.map(floatWord)], arrays, Math.ceil(length / 256));
    },

    batchNorm(x, rows, gain, bias, epsilon, out, statistics) {
      const parameters = [rows, gain.length, floatWord(epsilon)];
      run(norms.batchNorm, parameters, [x, gain, bias, out, statistics], gain.length);
    },
    batchNormGradient(x, rows, gain, statistics, slope, into, intoGain, intoBias) {
      const arrays = [x, gain, statistics, slope, into, intoGain, intoBias];
      run(norms.batchNormGradient, [rows, gain.length], arrays, gain.length);
    },
  });
}
