import { PURPOSE_NOISE } from "../../src/engine/layout.js";
import { sample } from "../../test/reference/discrete-gaussian.js";
import { Stream } from "../../test/reference/stream.js";
import { openVault } from "../vault.js";
import { accepted, KEY, type Kernel } from "./kernel.js";

const DRAWS = 1 << 14;
const FEW = 1 << 8;
// σ² = p·2^−k = 1000
const [P, K] = [1000 * 2 ** 14, 14];

export default {
  element: "draw",
  elements: DRAWS,
  open(engine) {
    const { exports } = openVault(engine, KEY);
    const out = engine.alloc(4 * DRAWS);
    let item = 0;
    return () => accepted(exports.drawGaussians(out, DRAWS, P, K, item++));
  },
  oracle: {
    elements: FEW,
    run() {
      const stream = new Stream(KEY, PURPOSE_NOISE, 0);
      return Array.from({ length: FEW }, () => sample(stream, BigInt(P), BigInt(K)));
    },
  },
} satisfies Kernel;
