// Which engine does what: WASM, or a GPU where there is one and the work is worth it.
import { StandinError } from "./errors.js";
import { type Gpu, gpuNone } from "./gpu.js";
import { host } from "./host.js";
import { thousands } from "./thousands.js";

export const ENGINES = ["auto", "wasm", "webgpu"] as const;
/**
 * What does the heavy work: `"auto"` takes a GPU for enough work if there is one, `"wasm"` never, `"webgpu"` always.
 */
export type EngineName = (typeof ENGINES)[number];

/**
 * From how many elements of one piece of work on a GPU is expected to be faster than the engine, all transfers
 * included. An element is what `npm run bench -- kernels` counts. No GPU has been measured yet: the figures assume half
 * a second until a GPU has started, and twenty times the engine's speed. That bench prints them as `…_gpu_from` where
 * there is a GPU. Of `fitness`, a piece of work is a generation, of which a search makes thousands: the figure assumes
 * that the way to a GPU and back takes two milliseconds. Of `product-queries`, it is a step of a fit: the same holds.
 */
export const GPU_FROM = {
  marginal: 4e9,
  ranges: 4e10,
  "half-spaces": 2e9,
  neighbourhood: 2e9,
  fitness: 2e6,
  "product-queries": 4e6,
} as const;

/** A kernel that a GPU may run in place of the engine. */
export type GpuKernel = keyof typeof GPU_FROM;

/** What ran where, and why. */
export interface EngineUse {
  readonly kernel: GpuKernel;
  readonly engine: "wasm" | "webgpu";
  /** A sentence; or the GPU's name. */
  readonly why: string;
}

/** The choice of engines for one run. */
export class Engines {
  readonly #asked: EngineName;
  readonly #from: Readonly<Record<GpuKernel, number>>;
  readonly #uses = new Map<GpuKernel, EngineUse>();
  readonly #onUse: (use: EngineUse) => void;

  /**
   * @param from replaces entries of GPU_FROM
   * @param onUse is told when work goes elsewhere than before, unless it is simply too little for a GPU
   */
  constructor(
    asked: EngineName = "auto",
    from: Partial<Record<GpuKernel, number>> = {},
    onUse: (use: EngineUse) => void = () => {},
  ) {
    this.#asked = asked;
    this.#from = { ...GPU_FROM, ...from };
    this.#onUse = onUse;
  }

  /** What has run where so far: of each kernel, the last decision. */
  get uses(): readonly EngineUse[] {
    return [...this.#uses.values()];
  }

  /**
   * Called before a run begins: from then on, the engine does whatever a GPU cannot.
   * @throws {StandinError} `gpu/none` where a GPU was asked for by name and there is none
   */
  async check(): Promise<void> {
    if (this.#asked === "webgpu") await open();
  }

  /** The GPU for so many elements of a kernel's work, or `undefined` for the engine. */
  async gpuFor(kernel: GpuKernel, elements: number): Promise<Gpu | undefined> {
    const quietly = (why: string) => void this.#uses.set(kernel, { kernel, engine: "wasm", why });
    if (this.#asked === "wasm") return quietly("WASM was asked for.");
    const from = this.#from[kernel];
    if (this.#asked === "auto" && elements < from)
      return quietly(
        `Too little work for a GPU: ${thousands(Math.round(elements))} elements. One is used from ${thousands(from)} on.`,
      );
    let gpu: Gpu;
    try {
      gpu = await open();
    } catch (error) {
      this.finishOnWasm(kernel, error);
      return undefined;
    }
    const isLeft = this.#asked === "auto" && gpu.isSoftware;
    if (isLeft) return this.#use({ kernel, engine: "wasm", why: `${gpu.name} is a software renderer, not a GPU.` });
    this.#use({ kernel, engine: "webgpu", why: gpu.name });
    return gpu;
  }

  /**
   * The engine does the rest of a kernel's work, because the GPU cannot.
   * @throws the error, if it is not the GPU's
   */
  finishOnWasm(kernel: GpuKernel, error: unknown): void {
    if (!(error instanceof StandinError && error.code.startsWith("gpu/"))) throw error;
    const { message, hint = "" } = error;
    const [why] = message
      .slice(0, message.length - hint.length)
      .trim()
      .split("\n");
    this.#use({ kernel, engine: "wasm", why });
  }

  #use(use: EngineUse): undefined {
    const before = this.#uses.get(use.kernel);
    this.#uses.set(use.kernel, use);
    if (before?.engine !== use.engine || before.why !== use.why) this.#onUse(use);
  }
}

function open(): Promise<Gpu> {
  const { gpu } = host();
  return gpu ? gpu() : Promise.reject(gpuNone("Programs in this language, and edge runtimes, have no GPU."));
}
