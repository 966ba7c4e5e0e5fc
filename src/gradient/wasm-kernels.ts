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
  const take = (length: number) => new Placed(instance, heap.take(4 * length), length);
  const place = (numbers: Float32Array | Uint32Array) => {
    const array = take(numbers.length);
    instance.write(pointerOf(array), numbers);
    return array;
  };

  const kernels: Partial<Kernels> = {
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

    matrixProduct(a, b, out, product) {
      shapes.matrixProduct(a, b, out, product);
      const { rows, inner, columns, transposedA = false, transposedB = false } = product;
      const [left, right, to] = [a, b, out].map(pointerOf);
      exports.matrixProduct(left, right, to, rows, inner, columns, transposedA, transposedB, scratch);
    },
  };
  return kernels as Kernels;
}
