import { relaxedMechanism } from "./relaxed.js";

/**
 * RAPsoftmax (Liu, Vietri and Wu, "Iterative Methods for Private Synthetic Data", NeurIPS 2021): as RAP, with logits
 * and softmax in place of shares that are moved back onto the simplex.
 */
export const rapSoftmax = relaxedMechanism("rap-softmax", "softmax", {
  ...{ method: "adam", rows: 1000, steps: 5000, rate: 0.1 },
});
