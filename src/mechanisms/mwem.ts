import { densityMechanism } from "./density.js";

/**
 * MWEM (Hardt, Ligett and McSherry, "A Simple and Practical Algorithm for Differentially Private Data Release", NIPS
 * 2012), with Gaussian noise, as in Liu, Vietri and Wu 2021.
 */
export const mwem = densityMechanism("mwem", {
  defaults: { method: "weights", repeats: 100, slack: 1 },
  updates: ({ repeats, slack }) => ({ method: "multiplicative", past: false, repeats, slack }),
});
