import { densityMechanism } from "./density.js";
import { PEP_OPTIONS } from "./options.js";

/** PEP-Pub (Liu, Vietri and Wu, NeurIPS 2021): PEP over public rows, which are equally likely at first. */
export const pepPub = densityMechanism("pep-pub", {
  table: PEP_OPTIONS,
  publicTable: "required",
  defaults: { method: "entropy", corrections: 25, slack: 1 },
  updates: ({ corrections, slack }) => ({ method: "entropy", corrections, slack }),
});
