// The core that is shipped, in a host of Node. Tests skip it where it could not be built before them.
import { existsSync, readFileSync } from "node:fs";
import { engineTypes } from "../../core/build.mjs";
import { NodeCore } from "./node-core.js";

export const SHIPPED = "dist/standin-core.wasm";
export const isShipped = existsSync(SHIPPED);

export function opened(): NodeCore {
  const [core, engine] = [SHIPPED, "dist/engine.wasm"].map((file) => new WebAssembly.Module(readFileSync(file)));
  return new NodeCore(core, engine, engineTypes());
}
