import { atOnce } from "../selection/at-once.js";
import { cellsOfAll, graphicalMechanism, WITHIN_NOISE } from "./graphical.js";

/**
 * Private-PGM (McKenna, Sheldon and Miklau, "Graphical-model based estimation and inference for differential privacy",
 * ICML 2019) with given cliques: the sets of the workload, each measured once.
 */
export const pgm = graphicalMechanism("pgm", atOnce, cellsOfAll, WITHIN_NOISE);
