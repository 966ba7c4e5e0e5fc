import type { Engines, GpuKernel } from "../core/engines.js";
import { type CodedRows, type Gpu, gpuLost, type RowCounter } from "../core/gpu.js";
import type { Attribute } from "../domain/attribute.js";
import type { Instance } from "../engine/instance.js";
import { KIND_HALF_SPACES, KIND_RANGES, KIND_TABLE, QUERY_KIND } from "../engine/layout.js";
import type { Query } from "./query.js";
import { queryParameters, queryWords } from "./struct.js";

/** What a GPU counts queries with, by their kinds. */
const KERNELS: Readonly<Record<number, GpuKernel>> = {
  [KIND_TABLE]: "marginal",
  [KIND_RANGES]: "ranges",
  [KIND_HALF_SPACES]: "half-spaces",
};

/** Words of what half-spaces are drawn with. */
const MAGNITUDES = 2 ** 15;

/** Counts of synthetic rows, where a GPU is worth it. */
export class GpuCounts {
  readonly #engines: Engines;
  readonly #attributes: readonly Attribute[];
  readonly #rows: CodedRows;
  #opened: { readonly gpu: Gpu; readonly counter: RowCounter } | undefined;

  /**
   * @param codes one array per attribute, of rows that are not private
   * @param engine computes what half-spaces are drawn with
   */
  constructor(engines: Engines, attributes: readonly Attribute[], codes: readonly Uint16Array[], engine: Instance) {
    this.#engines = engines;
    this.#attributes = attributes;
    this.#rows = { codes, rows: codes[0].length, magnitudes: (query) => magnitudesOf(query, engine) };
  }

  /**
   * The counts of queries, i32[cells] each, without a tree's coarser levels; `undefined` where the engine is to count.
   * @param queries by codes
   */
  async of(queries: readonly Query[]): Promise<readonly (Int32Array | undefined)[]> {
    const counts = new Array<Int32Array | undefined>(queries.length).fill(undefined);
    const structs = queries.map((query) => queryWords(query, this.#attributes));
    const kernels = structs.map((words): GpuKernel | undefined => KERNELS[words[QUERY_KIND / 4]]);
    for (const kernel of new Set(kernels)) {
      if (!kernel) continue;
      const asked = [...queries.keys()].filter((at) => kernels[at] === kernel);
      const elements = asked.reduce((sum, at) => sum + this.#elements(queries[at], kernel), 0);
      try {
        const gpu = await this.#engines.gpuFor(kernel, elements);
        if (!gpu) continue;
        const counted = await this.#counterOn(gpu).count(asked.map((at) => structs[at]));
        if (!counted.every((cells) => this.#arePossible(cells))) throw gpuLost("it has counted what cannot be.");
        for (const [place, at] of asked.entries()) counts[at] = counted[place];
      } catch (error) {
        this.close();
        this.#engines.finishOnWasm(kernel, error);
      }
    }
    return counts;
  }

  /** Gives back the memory that the rows take on a GPU. */
  close(): void {
    this.#opened?.counter.close();
    this.#opened = undefined;
  }

  /** The rows on a GPU, copied there when they are first counted. */
  #counterOn(gpu: Gpu): RowCounter {
    if (this.#opened?.gpu !== gpu) {
      this.close();
      this.#opened = { gpu, counter: gpu.openCounter(this.#rows) };
    }
    return this.#opened.counter;
  }

  /** Whether counts are those of some rows. Others would void what the sensitivity of scores is computed from. */
  #arePossible(counts: Int32Array): boolean {
    return counts.every((count) => count >= 0 && count <= this.#rows.rows);
  }

  /** Rows times what each is counted for: a table, or the boxes or members of a query. */
  #elements(query: Query, kernel: GpuKernel): number {
    return this.#rows.rows * (kernel === "marginal" ? 1 : queryParameters(query, this.#attributes)[0]);
  }
}

function magnitudesOf(query: Uint32Array, engine: Instance): Uint32Array {
  return engine.scratch(() => {
    const out = engine.alloc(4 * MAGNITUDES);
    engine.exports.halfSpaceMagnitudes(engine.place(query), out);
    return engine.readU32(out, MAGNITUDES);
  });
}
