import { densityMechanism } from "./density.js";
import { PEP_OPTIONS } from "./options.js";

/** PEP, private entropy projection (Liu, Vietri and Wu, NeurIPS 2021). */
export const pep = densityMechanism("pep", {
  table: PEP_OPTIONS,
  defaults: { method: "entropy", corrections: 25, slack: 1 },
  updates: ({ corrections, slack }) => ({ method: "entropy", corrections, slack }),
});
