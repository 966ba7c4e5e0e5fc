import { spanningTree } from "../selection/spanning-tree.js";
import { cellsOfPairs, graphicalMechanism } from "./graphical.js";

/**
 * MST (McKenna, Miklau and Sheldon, "Winning the NIST Contest: A scalable and general approach to differentially
 * private synthetic data", Journal of Privacy and Confidentiality 2021): one-ways, then the pairs of a tree that
 * connects all columns, and a graphical model that is fitted to both.
 */
export const mst = graphicalMechanism("mst", spanningTree, cellsOfPairs);
