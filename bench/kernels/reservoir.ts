import { PURPOSE_RESERVOIR } from "../../src/engine/layout.js";
import { keptRows } from "../../test/reference/reservoir.js";
import { Stream } from "../../test/reference/stream.js";
import { openVault } from "../vault.js";
import { accepted, KEY, type Kernel, uniformIntegers } from "./kernel.js";

const ROWS = 1 << 17;
const PEOPLE = ROWS / 4;
const PERSONS = Uint32Array.from(uniformIntegers(ROWS, PEOPLE - 1, 1), Math.abs);
const FEW = PERSONS.subarray(0, 1 << 12);

export default {
  element: "row",
  elements: ROWS,
  open(engine) {
    const { exports } = engine;
    const [persons, scratch, out] = [engine.place(PERSONS), engine.alloc(8 * PEOPLE), engine.alloc(ROWS)];
    return () => {
      // A reservoir is drawn once for a key.
      exports.vaultClose();
      openVault(engine, KEY);
      accepted(exports.keepRows(persons, ROWS, PEOPLE, scratch, out));
    };
  },
  oracle: { elements: FEW.length, run: () => keptRows(FEW, 1, new Stream(KEY, PURPOSE_RESERVOIR, 0)) },
} satisfies Kernel;
