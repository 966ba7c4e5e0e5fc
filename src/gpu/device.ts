// A WebGPU device: buffers, kernels and their results. The only file that makes commands.

import { StandinError } from "../core/errors.js";
import { gpuLost } from "../core/gpu.js";
import { thousands } from "../core/thousands.js";

// GPUBufferUsage and GPUMapMode, which runtimes without a page lack (WebGPU, 5.1.3 and 5.3).
const MAP_READ = 1;
const COPY_SRC = 4;
const COPY_DST = 8;
const UNIFORM = 64;
const STORAGE = 128;

/** Parameters of calls wait here until they are sent together: a slot each, as far apart as any device demands. */
const SLOTS = 256;
const SLOT_BYTES = 256;
/** The most workgroups in one dimension that every device has. */
const MOST_GROUPS = 65_535;

/** What kernels read and write. */
export type Words = Uint32Array | Int32Array | Float32Array;

/** A kernel, ready to run: one entry point of a file of gpu/. */
export type Kernel = GPUComputePipeline;

/** Memory of the device. */
export type Memory = GPUBuffer;

/** The limits that are asked for where the adapter has more than the defaults: 128 and 256 MiB. */
const LIMITS = ["maxStorageBufferBindingSize", "maxBufferSize"] as const;

const word = new DataView(new ArrayBuffer(4));

/** A number of 32 bits with a fraction, as a parameter of a kernel. */
export function floatWord(value: number): number {
  word.setFloat32(0, value);
  return word.getUint32(0);
}

/** What went wrong, whatever was thrown. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What does not answer within this time never will. Drivers end commands that take some seconds. */
const ANSWER_MS = 60_000;

/** A promise of WebGPU's. @throws {StandinError} `gpu/lost` where it is not kept in time */
export async function answered<T>(promise: T | Promise<T>, who: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(gpuLost(`${who} has not answered for a minute.`)), ANSWER_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A device and what it runs. Calls are collected, and sent when SLOTS are full or something is read. Nothing here waits
 * but `kernels` and `read`.
 */
export class Device {
  /** Bytes that one buffer can have. */
  readonly mostBytes: number;
  readonly #device: GPUDevice;
  readonly #kernels = new Map<string, Promise<Kernel>>();
  readonly #parameters: GPUBuffer;
  readonly #staged = new Uint32Array((SLOTS * SLOT_BYTES) / 4);
  /** What was given back since calls were last sent: these may use it. */
  readonly #released: Memory[] = [];
  #encoder: GPUCommandEncoder | undefined;
  #slots = 0;
  #failure: string | undefined;

  /** @throws anything, where the adapter gives no device */
  static async open(adapter: GPUAdapter): Promise<Device> {
    const requiredLimits = Object.fromEntries(LIMITS.map((name) => [name, adapter.limits[name]]));
    return new Device(await answered(adapter.requestDevice({ requiredLimits }), "WebGPU"));
  }

  private constructor(device: GPUDevice) {
    this.#device = device;
    this.mostBytes = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize);
    this.#parameters = device.createBuffer({ size: SLOTS * SLOT_BYTES, usage: UNIFORM | COPY_DST });
    const fail = (reason: string) => {
      this.#failure ??= reason;
    };
    device.lost.then(({ reason, message }) => fail(message || reason));
    device.onuncapturederror = (event) => {
      event.preventDefault(); // the console
      fail(event.error.message);
    };
  }

  /** Why the device cannot be used any more, if it cannot. Calls have no effect then. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /**
   * The kernels of a file, by their names.
   * @throws {StandinError} `gpu/lost`
   * @param code WGSL: its parameters are `@group(0) @binding(0) var<uniform>`, and its arrays follow in order
   */
  async kernels<Name extends string>(code: string, names: readonly Name[]): Promise<Record<Name, Kernel>> {
    if (this.#failure !== undefined) throw gpuLost(this.#failure);
    const made = names.map(async (name) => {
      const key = `${name} ${code}`;
      const kernel = this.#kernels.get(key) ?? this.#compiled(code, name);
      this.#kernels.set(key, kernel);
      return [name, await kernel] as const;
    });
    return Object.fromEntries(await Promise.all(made)) as Record<Name, Kernel>;
  }

  async #compiled(code: string, entryPoint: string): Promise<Kernel> {
    const device = this.#device;
    try {
      const module = device.createShaderModule({ code });
      const compute = { module, entryPoint };
      return await answered(device.createComputePipelineAsync({ layout: "auto", compute }), "It");
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Zeroed memory for so many words, at least one. @throws {StandinError} `gpu/memory` above what one buffer holds */
  reserve(words: number): Memory {
    const size = Math.max(4, 4 * words);
    if (size > this.mostBytes)
      throw new StandinError(
        "gpu/memory",
        `This takes ${thousands(size)} bytes of the GPU in one piece, which gives ${thousands(this.mostBytes)} at most.`,
        'Use "wasm" as the engine.',
      );
    return this.#attempt(() => this.#device.createBuffer({ size, usage: STORAGE | COPY_SRC | COPY_DST }));
  }

  /** Memory that holds copies of words. */
  place(words: Words): Memory {
    const memory = this.reserve(words.length);
    this.write(memory, words);
    return memory;
  }

  /** Gives memory back, after all calls so far. */
  release(memory: Memory): void {
    if (this.#encoder) this.#released.push(memory);
    else memory.destroy();
  }

  /** Writes words from the start of memory on, after all calls so far. */
  write(memory: Memory, words: Words): void {
    this.#attempt(() => {
      this.#send();
      if (words.length) this.#device.queue.writeBuffer(memory, 0, words as Words & { buffer: ArrayBuffer });
    });
  }

  /** Sets all of the memory to 0. */
  clear(memory: Memory): void {
    this.#attempt(() => this.#commands().clearBuffer(memory));
  }

  /**
   * Runs a kernel on some memory.
   * @param parameters words of its uniform struct, at most 64: whole numbers of 32 bits, or what `floatWord` returns
   * @param groups how many workgroups there are; more than 65,535 form rows of that many, and the kernel must
   * leave alone those beyond the last (`groupIndex` in gpu/prelude.wgsl)
   */
  run(kernel: Kernel, parameters: readonly number[], memories: readonly Memory[], groups: number): void {
    if (groups && this.#failure === undefined) this.#attempt(() => this.#add(kernel, parameters, memories, groups));
  }

  #add(kernel: Kernel, parameters: readonly number[], memories: readonly Memory[], groups: number): void {
    if (this.#slots === SLOTS) this.#send();
    const offset = SLOT_BYTES * this.#slots++;
    this.#staged.set(parameters, offset / 4);
    const resources = [
      { buffer: this.#parameters, offset, size: SLOT_BYTES },
      ...memories.map((buffer) => ({ buffer })),
    ];
    const pass = this.#commands().beginComputePass();
    pass.setPipeline(kernel);
    pass.setBindGroup(
      0,
      this.#device.createBindGroup({
        layout: kernel.getBindGroupLayout(0),
        entries: resources.map((resource, binding) => ({ binding, resource })),
      }),
    );
    const columns = Math.min(groups, MOST_GROUPS);
    pass.dispatchWorkgroups(columns, Math.ceil(groups / columns));
    pass.end();
  }

  /**
   * Copies words out of memory, after all calls so far.
   * @throws {StandinError} `gpu/lost`
   */
  async read<T extends Words>(memory: Memory, into: T): Promise<T> {
    if (this.#failure !== undefined) throw gpuLost(this.#failure);
    const size = Math.max(4, into.byteLength);
    const staging = this.#attempt(() => this.#device.createBuffer({ size, usage: MAP_READ | COPY_DST }));
    try {
      this.#commands().copyBufferToBuffer(memory, 0, staging, 0, size);
      this.#send();
      await answered(staging.mapAsync(MAP_READ), "It");
      if (this.#failure !== undefined) throw gpuLost(this.#failure);
      into.set(
        new (into.constructor as new (buffer: ArrayBuffer, at: number, length: number) => T)(
          staging.getMappedRange(),
          0,
          into.length,
        ),
      );
      return into;
    } catch (error) {
      throw this.#failed(error);
    } finally {
      staging.destroy();
    }
  }

  /** Gives the device back. */
  close(): void {
    this.#device.destroy();
  }

  #commands(): GPUCommandEncoder {
    this.#encoder ??= this.#device.createCommandEncoder();
    return this.#encoder;
  }

  /** Sends the calls so far, with their parameters. */
  #send(): void {
    const encoder = this.#encoder;
    if (!encoder) return;
    const { queue } = this.#device;
    if (this.#slots) queue.writeBuffer(this.#parameters, 0, this.#staged, 0, (this.#slots * SLOT_BYTES) / 4);
    queue.submit([encoder.finish()]);
    for (const memory of this.#released.splice(0)) memory.destroy();
    this.#encoder = undefined;
    this.#slots = 0;
  }

  /** Whatever WebGPU throws means that the device has failed. */
  #attempt<T>(job: () => T): T {
    try {
      return job();
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #failed(error: unknown): StandinError {
    this.#failure ??= reasonOf(error);
    return error instanceof StandinError ? error : gpuLost(this.#failure);
  }
}
