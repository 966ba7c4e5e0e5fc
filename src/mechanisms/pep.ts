import { densityMechanism } from "./density.js";

/** PEP, private entropy projection (Liu, Vietri and Wu, NeurIPS 2021). */
export const pep = densityMechanism("pep", {
  defaults: { method: "weights", corrections: 25, slack: 1 },
  updates: ({ corrections, slack }) => ({ method: "entropy", corrections, slack }),
});
