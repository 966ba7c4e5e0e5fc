import { expectMarginals } from "../queries/cells.js";
import { expectedErrors, weightedMarginals } from "../selection/weighted-marginals.js";
import { cellsOfAll, graphicalMechanism, WITHIN_NOISE } from "./graphical.js";
import type { CheckedOptions, Mechanism } from "./mechanism.js";
import { HDMM_OPTIONS } from "./options.js";
import { privateGsd } from "./private-gsd.js";

const graphical = graphicalMechanism("hdmm", weightedMarginals, cellsOfAll, WITHIN_NOISE);

/**
 * HDMM for marginals (McKenna, Miklau, Hay and Machanavajjhala, "Optimizing error of high-dimensional statistical
 * queries under differential privacy", VLDB 2018) with Gaussian noise on the interactions of ResidualPlanner (Xiao, He,
 * Zhang and Kifer, NeurIPS 2023), whose least-squares answers have the least squared error for the workload. The rows
 * are a graphical model's, whose fit to these answers is least squares under the constraint that there be a table with
 * these marginals; or those of private-gsd's search, which is for workloads that connect too many columns for a
 * graphical model.
 */
export const hdmm: Mechanism = {
  ...graphical,
  table: HDMM_OPTIONS,
  options: (asked) => (isSearched(asked) ? privateGsd : graphical).options(asked),
  price(problem) {
    if (!isSearched(problem.options)) return graphical.price(problem);
    expectMarginals(problem.workload, problem.attributes);
    return weightedMarginals.price(problem);
  },
  model: (modelled) => (isSearched(modelled.options) ? privateGsd : graphical).model(modelled),
  memory: (...of) => (isSearched(of[4]) ? privateGsd : graphical).memory(...of),
  expected: expectedErrors,
};

const isSearched = ({ estimate }: Partial<CheckedOptions>): boolean => estimate === "shrunk";
