import { LAW_PEELED, SCORE_MAX } from "../../src/engine/layout.js";
import { gumbelTop } from "../../test/reference/exponential.js";
import { uniforms } from "../../test/reference/statistics.js";
import { openVault } from "../vault.js";
import { accepted, KEY, type Kernel } from "./kernel.js";

const SCORES = Array.from({ length: 1 << 16 }, (_, at) => (at * 7919) % 1000);
const FEW = SCORES.slice(0, 1 << 13);
const PICKS = 8;
const EPSILON = 0.1; // ε₀ of a pick, which costs ε₀²/8

export default {
  element: "candidate",
  elements: SCORES.length,
  open(engine) {
    const { select, selectScratch, rhoUnits } = openVault(engine, KEY).exports;
    const [m, units] = [SCORES.length, rhoUnits((PICKS * EPSILON ** 2) / 8)];
    const scores = engine.place(BigInt64Array.from(SCORES, BigInt));
    const [scratch, out] = [engine.alloc(selectScratch(m, PICKS)), engine.alloc(4 * PICKS)];
    let item = 0;
    return () => accepted(select(scores, m, PICKS, LAW_PEELED, SCORE_MAX, 1, 0, 0, units, item++, scratch, out));
  },
  oracle: { elements: FEW.length, run: () => gumbelTop(FEW, PICKS, EPSILON, 1, uniforms(1)) },
} satisfies Kernel;
