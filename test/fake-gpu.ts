import type { Gpu } from "../src/core/gpu.js";

const unexpected = () => {
  throw new TypeError("Nobody should ask for this.");
};

/** A GPU that can do so much. */
export const fakeGpu = (members: Partial<Gpu>): Gpu => ({
  name: "a GPU",
  isSoftware: false,
  openCounter: unexpected,
  openSearch: unexpected,
  ...members,
});
