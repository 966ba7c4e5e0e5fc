// Exact discrete Gaussian noise: draws per second at five values of σ, in one thread.
import { OK } from "../src/engine/layout.js";
import { best, type Report } from "./bench.js";
import { openVault } from "./vault.js";

const SIGMAS = [0.5, 1, 31, 1e3, 1e6];
const DRAWS = 1 << 18;
const WARM_UP = 4;

export default async function noise(report: Report) {
  const vault = openVault();
  const out = vault.alloc(4 * DRAWS);
  let item = 0;
  const draw = (sigma: number) => {
    const k = Math.min(30, 23 - Math.floor(2 * Math.log2(sigma)));
    if (vault.exports.drawGaussians(out, DRAWS, Math.round(sigma ** 2 * 2 ** k), k, item++) !== OK)
      throw new Error("No draws.");
  };
  for (let round = 0; round < WARM_UP; round++) for (const sigma of SIGMAS) draw(sigma);
  const rates: number[] = [];
  for (const sigma of SIGMAS) {
    const rate = DRAWS / (await best(5, () => draw(sigma)));
    rates.push(rate);
    report({ metric: `draws_per_s_sigma_${sigma}`, value: rate, target: 3e6, better: "higher" });
  }
  report({ metric: "fastest_over_slowest", value: Math.max(...rates) / Math.min(...rates), target: 2.5 });
}
