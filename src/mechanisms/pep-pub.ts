import { densityMechanism } from "./density.js";

/** PEP-Pub (Liu, Vietri and Wu, NeurIPS 2021): PEP over public rows, which are equally likely at first. */
export const pepPub = densityMechanism("pep-pub", {
  publicTable: "required",
  defaults: { method: "weights", corrections: 25 },
  updates: ({ corrections }) => ({ method: "entropy", corrections }),
});
