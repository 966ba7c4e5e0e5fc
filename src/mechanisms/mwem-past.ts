import { densityMechanism } from "./density.js";

/** MWEM that repeats earlier updates in each round (Liu, Vietri and Wu, NeurIPS 2021). */
export const mwemPast = densityMechanism("mwem-past", {
  defaults: { method: "weights", repeats: 100, slack: 1 },
  updates: ({ repeats, slack }) => ({ method: "multiplicative", past: true, repeats, slack }),
});
