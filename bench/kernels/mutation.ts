import { evolve } from "../../test/reference/evolve.js";
import { generations } from "./kernel.js";

// Mutations alone, scored and ranked.
export default generations(100, 0, evolve);
