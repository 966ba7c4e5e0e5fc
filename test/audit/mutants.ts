// The package with a fault planted in it. The audits have to find each fault.
import { type Change, imported } from "../bundled.js";

/** The API that a program using the package sees. */
export type Package = typeof import("../../src/node.js");

export type FaultName = keyof typeof FAULTS;

/** Faults of the door, of its sensitivities, and of reading. */
export const FAULTS = {
  "noise of half the scale": [
    {
      file: "assembly/privacy/vault.ts",
      text: "load<i32>(SIGMA2, SIGMA2_K))",
      instead: "load<i32>(SIGMA2, SIGMA2_K) + 2)",
    },
  ],
  "every sensitivity halved": [
    {
      file: "assembly/privacy/accounting.ts",
      text: "if (delta2 == 0 || delta2 > units >> 5) return NOISE_TOO_LARGE;",
      instead: "if (delta2 == 0 || delta2 > units >> 5) return NOISE_TOO_LARGE;\n  units <<= 2;",
    },
    {
      file: "assembly/privacy/accounting.ts",
      text: "scaledCeiling(delta2, shift, p), SIGMA2_CHARGE",
      instead: "scaledCeiling(delta2, shift - 2, p), SIGMA2_CHARGE",
    },
    {
      file: "src/privacy/accounting.ts",
      text: "BigInt(51 + VARIANCE_BITS)",
      instead: "BigInt(49 + VARIANCE_BITS)",
    },
    {
      file: "assembly/privacy/accounting.ts",
      text: "<u32>(half + bits), RATE_B",
      instead: "<u32>(half + bits - 1), RATE_B",
    },
  ],
  "permute-and-flip at the price of the exponential mechanism": [
    {
      file: "assembly/privacy/vault.ts",
      text: "law == LAW_FLIPPED ? share >> 2 : share",
      instead: "share",
    },
  ],
  "a replaced row counted once": [
    {
      file: "assembly/privacy/sensitivity.ts",
      text: "(relation == REPLACE ? 2 : 1) * <u64>partitions",
      instead: "<u64>partitions",
    },
  ],
  "a replaced row of an interaction counted once": [
    {
      file: "assembly/privacy/sensitivity.ts",
      text: "if (relation == REPLACE)\n    for",
      instead: "if (relation == ADD_REMOVE)\n    for",
    },
  ],
  "an interaction at the price of a cell less": [
    {
      file: "assembly/privacy/sensitivity.ts",
      text: "product *= size * (size - 1)",
      instead: "product *= (size - 1) * (size - 1)",
    },
  ],
  "a tree counted as one partition": [
    {
      file: "assembly/privacy/sensitivity.ts",
      text: "(relation == REPLACE ? 2 : 1) * <u64>partitions",
      instead: "(relation == REPLACE ? 2 : 1)",
    },
  ],
  "a person counted as one row": [
    {
      file: "assembly/privacy/sensitivity.ts",
      text: "saturatingProduct(rowChange(partitions, free, relation), <u64>maxRows * <u64>maxRows)",
      instead: "rowChange(partitions, free, relation)",
    },
  ],
  "all rows of a person kept": [
    {
      file: "assembly/privacy/reservoir.ts",
      text: "if (below(rowsLeft) >= slotsLeft) return false;",
      instead: "below(rowsLeft);",
    },
  ],
  "a missing cell lost where room grows": [
    {
      file: "assembly/files/rows.ts",
      text: "if (out) codeAbsent(column, empty, out);",
      instead: "if (out && reader.rows & (BLOCK_ROWS - 1)) codeAbsent(column, empty, out);",
    },
  ],
} as const satisfies Record<string, readonly Change[]>;

/** The package with a fault. @throws if the text to be replaced does not occur exactly once */
export const faulty = (name: FaultName): Promise<Package> =>
  imported<Package>('export * from "./src/node.ts";', FAULTS[name]);
