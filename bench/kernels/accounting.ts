import { rhoOf } from "../../test/reference/accounting.js";
import type { Kernel } from "./kernel.js";

const DELTA = 1e-9;
const EPSILONS = Array.from({ length: 16 }, (_, at) => 0.1 * 1.4 ** at);
const FEW = EPSILONS.filter((_, at) => at % 4 === 0);

export default {
  element: "conversion of (ε, δ) to ρ",
  elements: EPSILONS.length,
  open:
    ({ exports }) =>
    () => {
      for (const epsilon of EPSILONS) exports.cksRho(epsilon, DELTA);
    },
  oracle: { elements: FEW.length, run: () => FEW.map((epsilon) => rhoOf(epsilon, DELTA)) },
} satisfies Kernel;
