import { ADD_REMOVE, KEY_BYTES, OK } from "../src/engine/layout.js";
import { Instance } from "../src/engine/wasm.js";

/** An engine with an open release of the largest budget and a fresh key. */
export function openVault(): Instance {
  const engine = new Instance();
  const key = engine.place(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
  const opened = engine.exports.vaultOpen(engine.exports.rhoUnits(4095), ADD_REMOVE, 1);
  if (opened !== OK || engine.exports.vaultKey(key) !== OK) throw new Error("The vault does not open.");
  return engine;
}
