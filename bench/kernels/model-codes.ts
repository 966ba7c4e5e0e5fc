import { modelCodes } from "../../test/reference/model-codes.js";
import { type Kernel, uniformIntegers } from "./kernel.js";

const POINTS = 2_000_001;
const STARTS = Float64Array.from({ length: 32 }, (_, code) => Math.ceil((code * POINTS) / 32));
const STORED = Uint32Array.from(uniformIntegers(1 << 20, 1_000_000, 1), (point) => point + 1_000_000);
const FEW = STORED.subarray(0, 4096);

export default {
  element: "code",
  elements: STORED.length,
  open(engine) {
    const runs = engine.exports.runsOpen(engine.place(STARTS), STARTS.length, POINTS, 0xffffffff);
    const stored = engine.place(STORED);
    const out = engine.alloc(2 * STORED.length);
    return () => engine.exports.modelCodes(runs, stored, 4, STORED.length, 32, out);
  },
  oracle: { elements: FEW.length, run: () => modelCodes({ starts: STARTS, missing: 0xffffffff }, FEW, 32) },
} satisfies Kernel;
