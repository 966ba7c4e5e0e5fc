// The engine's export list, and nothing else.
import { ABI_VERSION } from "./layout";

export function abiVersion(): i32 {
  return ABI_VERSION;
}
export { alloc, mark, rewind, wipe } from "./arena";
export { chachaBlocks } from "./privacy/chacha20";
export { expTable } from "./privacy/exp-table";
export { countAccepted, drawGaussians, proposalBits } from "./privacy/discrete-gaussian";
export { calibrate, cksDelta, cksEpsilon, cksRho, rhoUnits, selectionRate } from "./privacy/accounting";
export { l2Squared, scoreSensitivity } from "./privacy/sensitivity";
export { ledgerSpent } from "./privacy/ledger";
export { selectScratch } from "./privacy/exponential";
export { keepRows } from "./privacy/reservoir";
export { measure, select, vaultClose, vaultKey, vaultOpen } from "./privacy/vault";
