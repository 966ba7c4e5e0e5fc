import { ADD_REMOVE, KEY_BYTES, OK } from "../src/engine/layout.js";
import { Engine } from "../test/engine.js";

/** An engine with an open release of the largest budget, units of one row and a key: a fresh one, or the given one. */
export function openVault(engine = new Engine(), key = crypto.getRandomValues(new Uint8Array(KEY_BYTES))): Engine {
  const at = engine.place(key);
  const opened = engine.exports.vaultOpen(engine.exports.rhoUnits(4095), ADD_REMOVE, 1);
  if (opened !== OK || engine.exports.vaultKey(at) !== OK) throw new Error("The vault does not open.");
  return engine;
}
