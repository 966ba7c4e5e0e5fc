import { densityMechanism } from "./density.js";
import { MWEM_OPTIONS } from "./options.js";

/** PMW-Pub (Liu, Vietri, Steinke, Ullman and Wu, ICML 2021): MWEM with past answers over public rows. */
export const pmwPub = densityMechanism("pmw-pub", {
  table: MWEM_OPTIONS,
  publicTable: "required",
  defaults: { method: "multiplicative", repeats: 100, slack: 1 },
  updates: ({ repeats, slack }) => ({ method: "multiplicative", past: true, repeats, slack }),
});
