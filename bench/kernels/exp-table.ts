import { PURPOSE_NOISE } from "../../src/engine/layout.js";
import { expOfMinus } from "../../test/reference/exp-table.js";
import { Stream } from "../../test/reference/stream.js";
import { openVault } from "../vault.js";
import { KEY, type Kernel } from "./kernel.js";

// With σ² = p·2^−k = 1 a proposal of this magnitude has the exponent (3 − 1)²/2 = 2: the table alone decides it.
// The words that trials draw are timed with them.
const MAGNITUDE = 3n;
const [P, K] = [2 ** 23, 23];
const TRIALS = 1 << 17;
const FEW = 1 << 12;
const LIMIT = expOfMinus(2n, 1n, 32n);

export default {
  element: "trial of probability e^−2",
  elements: TRIALS,
  open(engine) {
    const { exports } = openVault(engine, KEY);
    let item = 0;
    return () => exports.countAccepted(MAGNITUDE, TRIALS, P, K, item++);
  },
  oracle: {
    elements: FEW,
    run() {
      const stream = new Stream(KEY, PURPOSE_NOISE, 0);
      return Array.from({ length: FEW }, () => stream.word() < LIMIT);
    },
  },
} satisfies Kernel;
