// The engine's export list, and nothing else.
import { ABI_VERSION } from "./layout";

export function abiVersion(): i32 {
  return ABI_VERSION;
}
export { alloc, mark, rewind, wipe } from "./arena";
