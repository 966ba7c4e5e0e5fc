import { densityMechanism } from "./density.js";
import { MWEM_OPTIONS } from "./options.js";

/** MWEM that repeats earlier updates in each round (Liu, Vietri and Wu, NeurIPS 2021). */
export const mwemPast = densityMechanism("mwem-past", {
  table: MWEM_OPTIONS,
  defaults: { method: "multiplicative", repeats: 100, slack: 1 },
  updates: ({ repeats, slack }) => ({ method: "multiplicative", past: true, repeats, slack }),
});
