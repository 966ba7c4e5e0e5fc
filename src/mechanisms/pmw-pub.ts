import { densityMechanism } from "./density.js";

/** PMW-Pub (Liu, Vietri, Steinke, Ullman and Wu, ICML 2021): MWEM with past answers over public rows. */
export const pmwPub = densityMechanism("pmw-pub", {
  publicTable: "required",
  defaults: { method: "weights", repeats: 100 },
  updates: ({ repeats }) => ({ method: "multiplicative", past: true, repeats }),
});
