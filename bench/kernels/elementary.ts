import { cubeRoot } from "../../test/reference/elementary.js";
import type { Kernel } from "./kernel.js";

const LAST = 20_000;

export default {
  element: "cube root",
  elements: LAST,
  open({ exports }) {
    return () => {
      for (let x = 1; x <= LAST; x++) exports.cubeRoot(x);
    };
  },
  oracle: { elements: LAST, run: () => Array.from({ length: LAST }, (_, at) => cubeRoot(at + 1)) },
} satisfies Kernel;
