// The exponential mechanism over 200,000 integer scores, including sorting: evenly spread scores, and the same scores
// with one far above all others.
import { LAW_PEELED, OK, SCORE_MAX } from "../src/engine/layout.js";
import { best, type Report } from "./bench.js";
import { openVault } from "./vault.js";

const CANDIDATES = 200_000;
const RHO_A_PICK = 0.00125; // ε₀ = .1
const WARM_UP = 60; // until the optimising compiler has finished
const TARGETS = { 1: 0.003, 200: 0.05 };

const flat = (i: number) => BigInt((i * 7919) % 1000);
const isolated = (i: number) => (i === 123_456 ? 10_000_000n : flat(i));

export default async function select(report: Report) {
  const vault = openVault();
  const { exports } = vault;
  const scratch = vault.alloc(exports.selectScratch(CANDIDATES, 200));
  const out = vault.alloc(4 * 200);
  let item = 0;
  for (const [name, score] of Object.entries({ flat, isolated })) {
    const scores = vault.place(BigInt64Array.from({ length: CANDIDATES }, (_, i) => score(i)));
    for (const picks of [1, 200] as const) {
      const units = exports.rhoUnits(RHO_A_PICK * picks);
      const run = () => {
        if (
          exports.select(scores, CANDIDATES, picks, LAW_PEELED, SCORE_MAX, 1, 0, 0, units, item++, scratch, out) !== OK
        )
          throw new Error("Nothing selected.");
      };
      for (let round = 0; round < WARM_UP; round++) run();
      report({ metric: `${name}_top_${picks}_s`, value: await best(5, run), target: TARGETS[picks] });
    }
  }
}
