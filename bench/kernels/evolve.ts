import { evolve } from "../../test/reference/evolve.js";
import { generations } from "./kernel.js";

// Half of the candidates are mutations, half crossovers.
export default generations(50, 50, evolve);
