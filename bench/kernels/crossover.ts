import { evolve } from "../../test/reference/evolve.js";
import { generations } from "./kernel.js";

// Crossovers alone, scored and ranked.
export default generations(0, 100, evolve);
