import { idStruct } from "../../src/files/record-writer.js";
import { id } from "../../test/reference/ids.js";
import type { Kernel } from "./kernel.js";

const IDS = 1 << 17;
const FEW = 1 << 12;
const PATTERN = "P-#####";

export default {
  element: "id",
  elements: IDS,
  open(engine) {
    const pointer = engine.place(idStruct(PATTERN, 10));
    const out = engine.alloc(64);
    return () => {
      for (let number = 1; number <= IDS; number++) engine.exports.writeId(pointer, BigInt(number), out);
    };
  },
  oracle: { elements: FEW, run: () => Array.from({ length: FEW }, (_, at) => id(PATTERN, 10, at + 1)) },
} satisfies Kernel;
