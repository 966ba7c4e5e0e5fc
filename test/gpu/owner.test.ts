// The owner of WebGPU, with a runtime that fails on demand.
import { afterEach, expect, it, vi } from "vitest";
import type { WebGpu } from "../../src/gpu/webgpu.js";
import { webGpu } from "../../src/gpu/webgpu.js";

afterEach(() => void vi.useRealTimers());

/** A device that does nothing, but for members given; and how often it was destroyed. */
function silentDevice(members: object = {}) {
  const device = {
    limits: { maxStorageBufferBindingSize: 1e6, maxBufferSize: 1e6 },
    lost: new Promise(() => {}),
    destroyed: 0,
    queue: { writeBuffer() {}, submit() {} },
    createBuffer: ({ size }: { size: number }) => ({ size, destroy() {}, mapAsync: async () => {} }),
    createCommandEncoder: () => ({ copyBufferToBuffer() {}, clearBuffer() {}, finish: () => ({}) }),
    destroy() {
      device.destroyed++;
    },
    ...members,
  };
  return device;
}

/** WebGPU whose nth adapter has the nth device. */
function runtime(devices: readonly (() => unknown)[]) {
  let asked = 0;
  const gpu = {
    async requestAdapter() {
      const device = devices[asked++];
      if (!device) return null;
      return { limits: {}, info: {}, requestDevice: async () => device() };
    },
  };
  return { open: webGpu(async () => gpu as unknown as GPU), asked: () => asked };
}

const opened = async (open: ReturnType<typeof webGpu>) => (await open()) as WebGpu;
const lose = async ({ device }: WebGpu) => {
  await device.kernels("", ["main"]).catch(() => {});
};

it("counts a loss once, however many runs find it, and destroys the device", async () => {
  const devices = [silentDevice(), silentDevice()];
  const { open, asked } = runtime(devices.map((device) => () => device));
  const first = await opened(open);
  await lose(first);
  const found = await Promise.all(Array.from({ length: 8 }, () => opened(open)));
  expect(new Set(found).size).toBe(1);
  expect(found[0]).not.toBe(first);
  expect(asked()).toBe(2);
  expect(devices.map(({ destroyed }) => destroyed)).toEqual([1, 0]);
});

it("asks again after it could not open a device", async () => {
  const device = silentDevice();
  const refused = () => Promise.reject(new Error("busy"));
  const { open } = runtime([refused, () => device]);
  await expect(open()).rejects.toMatchObject({ code: "gpu/none" });
  expect(await opened(open)).toBeDefined();
});

it("gives up a runtime that does not answer for a minute", async () => {
  vi.useFakeTimers();
  const never = webGpu(() => new Promise(() => {}));
  const waiting = expect(never()).rejects.toThrow(/has not answered for a minute/);
  await vi.advanceTimersByTimeAsync(61_000);
  await waiting;
});

it("gives up a device that does not answer for a minute", async () => {
  vi.useFakeTimers();
  const stuck = ({ size }: { size: number }) => ({ size, destroy() {}, mapAsync: () => new Promise(() => {}) });
  const { open } = runtime([() => silentDevice({ createBuffer: stuck })]);
  const { device } = await opened(open);
  const waiting = expect(device.read(device.reserve(1), new Uint32Array(1))).rejects.toMatchObject({
    code: "gpu/lost",
  });
  await vi.advanceTimersByTimeAsync(61_000);
  await waiting;
  expect(device.failure).toMatch(/has not answered/);
});

it.each(["createBuffer", "createCommandEncoder"])("takes an exception of %s for a loss", async (name) => {
  let isBroken = false;
  const device = silentDevice();
  const whole = device as unknown as Record<string, (...values: unknown[]) => unknown>;
  const works = whole[name];
  whole[name] = (...values) => {
    if (isBroken) throw new RangeError("no such thing");
    return works(...values);
  };
  const gpu = await opened(runtime([() => device]).open);
  const memory = gpu.device.reserve(1);
  isBroken = true;
  const use = () => (name === "createBuffer" ? gpu.device.reserve(1) : gpu.device.clear(memory));
  expect(use).toThrow(/The GPU has failed: no such thing/);
  expect(gpu.device.failure).toBe("no such thing");
});
