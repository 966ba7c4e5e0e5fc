import { describe, expect, it } from "vitest";
import { Device, floatWord } from "../../src/gpu/device.js";
import { WebGpu, webGpu } from "../../src/gpu/webgpu.js";
import { dawn, gpuEngines, noDawn } from "../gpu-engines.js";
import scaled from "./scaled.wgsl";

describe.each(gpuEngines)("$name", ({ missing, open }) => {
  it("runs a kernel", async ({ skip }) => {
    if (missing) skip(missing);
    const gpu = await open();
    expect(await gpu.name()).toMatch(/swiftshader/i);
    const numbers = Float32Array.from({ length: 1000 }, (_, at) => at);
    expect(await gpu.scaled(numbers, 3)).toEqual(numbers.map((number) => 3 * number));
  });
});

/** A device of its own, and a kernel that multiplies numbers by a factor. */
async function opened() {
  const adapter = await (await dawn()).requestAdapter();
  const device = await Device.open(adapter!);
  const { main } = await device.kernels(scaled, ["main"]);
  const multiply = (memory: GPUBuffer, count: number, factor: number) =>
    device.run(main, [count, floatWord(factor)], [memory], Math.ceil(count / 64));
  return { device, multiply };
}

describe("a device", () => {
  it("keeps the order of calls, writes and reads, however many are made", async ({ skip }) => {
    if (noDawn) skip(noDawn);
    const { device, multiply } = await opened();
    const numbers = device.place(Float32Array.of(1, 2, 3));
    for (let call = 0; call < 700; call++) multiply(numbers, 3, call % 2 ? 0.5 : 2);
    device.write(numbers, Float32Array.of(5, 6)); // 5, 6, 3
    multiply(numbers, 3, -1.5);
    expect(await device.read(numbers, new Float32Array(3))).toEqual(Float32Array.of(-7.5, -9, -4.5));
    device.clear(numbers);
    expect(await device.read(numbers, new Float32Array(3))).toEqual(new Float32Array(3));
    device.close();
  });

  it("runs more than 65,535 workgroups", async ({ skip }) => {
    if (noDawn) skip(noDawn);
    const { device, multiply } = await opened();
    const count = 64 * 65_535 + 100;
    const numbers = device.place(new Float32Array(count).fill(1));
    multiply(numbers, count, 2);
    const result = await device.read(numbers, new Float32Array(count));
    expect(result.every((number) => number === 2)).toBe(true);
    device.close();
  });

  it("refuses a piece of memory that is larger than it can give", async ({ skip }) => {
    if (noDawn) skip(noDawn);
    const { device } = await opened();
    expect(() => device.reserve(device.mostBytes / 4 + 1)).toThrow(/bytes of the GPU in one piece/);
    device.close();
  });

  it("says that it was lost, in the middle of anything", async ({ skip }) => {
    if (noDawn) skip(noDawn);
    const { device, multiply } = await opened();
    const numbers = device.place(Float32Array.of(1));
    multiply(numbers, 1, 2);
    const waiting = device.read(numbers, new Float32Array(1));
    device.close();
    await expect(waiting).rejects.toMatchObject({ code: "gpu/lost" });
    multiply(numbers, 1, 2);
    await expect(device.read(numbers, new Float32Array(1))).rejects.toMatchObject({ code: "gpu/lost" });
    await expect(device.kernels(`${scaled} `, ["main"])).rejects.toMatchObject({ code: "gpu/lost" });
  });

  it("says what was wrong with a call", async ({ skip }) => {
    if (noDawn) skip(noDawn);
    const { device, multiply } = await opened();
    const numbers = device.place(Float32Array.of(1));
    numbers.destroy();
    multiply(numbers, 1, 2);
    await expect(device.read(numbers, new Float32Array(1))).rejects.toThrow(/destroyed/);
    device.close();
  });
});

describe("the owner of WebGPU", () => {
  it("keeps one device, and opens another once that is lost, three times", async ({ skip }) => {
    if (noDawn) skip(noDawn);
    const open = webGpu(dawn);
    const gpus = new Set<WebGpu>();
    for (let turn = 0; turn < 3; turn++) {
      const gpu = (await open()) as WebGpu;
      expect(await open()).toBe(gpu);
      gpus.add(gpu);
      gpu.device.close();
      await expect(gpu.device.read(gpu.device.reserve(1), new Uint32Array(1))).rejects.toThrow();
    }
    expect(gpus.size).toBe(3);
    await expect(open()).rejects.toMatchObject({ code: "gpu/none" });
  });

  it("says why there is no GPU", async () => {
    const none = { requestAdapter: async () => null } as unknown as GPU;
    await expect(webGpu(async () => none)()).rejects.toMatchObject({ code: "gpu/none" });
    await expect(webGpu(async () => undefined)()).rejects.toMatchObject({ code: "gpu/none" });
    const broken = () => Promise.reject(new Error("no such library"));
    await expect(webGpu(broken)()).rejects.toThrow(/no such library/);
  });

  it("knows programs that imitate a GPU", () => {
    const info = (members: object) => ({ description: "", vendor: "", architecture: "", ...members }) as GPUAdapterInfo;
    const gpu = (members: object) => new WebGpu({} as Device, info(members));
    expect(gpu({ vendor: "nvidia", architecture: "hopper" })).toMatchObject({
      name: "nvidia hopper",
      isSoftware: false,
    });
    expect(gpu({ architecture: "swiftshader" }).isSoftware).toBe(true);
    expect(gpu({ description: "llvmpipe (LLVM 15.0.6, 256 bits)" }).isSoftware).toBe(true);
    expect(gpu({ isFallbackAdapter: true }).isSoftware).toBe(true);
  });
});
