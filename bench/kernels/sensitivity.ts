import { ADD_REMOVE, SCORE_L2 } from "../../src/engine/layout.js";
import { scoreSensitivityOf } from "../../test/reference/sensitivity.js";
import type { Kernel } from "./kernel.js";

const STRUCTURES = 1 << 15;
const FEW = 1 << 11;
const SCALE_BITS = 20;

/** The call from JavaScript included. */
function derive(structures: number, sensitivity: (...structure: Parameters<typeof scoreSensitivityOf>) => bigint) {
  for (let free = 0; free < structures; free++) sensitivity(SCORE_L2, 5, free, ADD_REMOVE, 3, SCALE_BITS);
}

export default {
  element: "structure",
  elements: STRUCTURES,
  open:
    ({ exports }) =>
    () =>
      derive(STRUCTURES, exports.scoreSensitivity),
  oracle: { elements: FEW, run: () => derive(FEW, scoreSensitivityOf) },
} satisfies Kernel;
