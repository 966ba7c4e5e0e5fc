// The package as it would be with a fault: the audits have to find each of them.
import { type Change, packageWith } from "../bundle.js";

/** What a program that uses the package has of it. */
export type Package = typeof import("../../src/node.js");

export type FaultName = keyof typeof FAULTS;

/** Faults of the door, of its sensitivities, and of reading. */
export const FAULTS = {
  "noise of half the scale": [
    {
      file: "assembly/privacy/vault.ts",
      text: "load<i32>(SIGMA2, SIGMA2_K))",
      other: "load<i32>(SIGMA2, SIGMA2_K) + 2)",
    },
  ],
  "every sensitivity halved": [
    {
      file: "assembly/privacy/accounting.ts",
      text: "if (delta2 == 0 || delta2 > units >> 5) return NOISE_TOO_LARGE;",
      other: "if (delta2 == 0 || delta2 > units >> 5) return NOISE_TOO_LARGE;\n  units <<= 2;",
    },
    {
      file: "assembly/privacy/accounting.ts",
      text: "scaledCeiling(delta2, shift, p), SIGMA2_CHARGE",
      other: "scaledCeiling(delta2, shift - 2, p), SIGMA2_CHARGE",
    },
    {
      file: "src/privacy/accounting.ts",
      text: "BigInt(51 + VARIANCE_BITS)",
      other: "BigInt(49 + VARIANCE_BITS)",
    },
    {
      file: "assembly/privacy/accounting.ts",
      text: "<u32>(half + bits), RATE_B",
      other: "<u32>(half + bits - 1), RATE_B",
    },
  ],
  "a replaced row counted once": [
    {
      file: "assembly/privacy/sensitivity.ts",
      text: "(relation == REPLACE ? 2 : 1) * <u64>partitions",
      other: "<u64>partitions",
    },
  ],
  "a tree counted as one partition": [
    {
      file: "assembly/privacy/sensitivity.ts",
      text: "(relation == REPLACE ? 2 : 1) * <u64>partitions",
      other: "(relation == REPLACE ? 2 : 1)",
    },
  ],
  "a person counted as one row": [
    {
      file: "assembly/privacy/sensitivity.ts",
      text: "saturatingProduct(rowChange(partitions, free, relation), <u64>maxRows * <u64>maxRows)",
      other: "rowChange(partitions, free, relation)",
    },
  ],
  "all rows of a person kept": [
    {
      file: "assembly/privacy/reservoir.ts",
      text: "if (below(rowsLeft) >= slotsLeft) return false;",
      other: "below(rowsLeft);",
    },
  ],
  "a missing cell lost where room grows": [
    {
      file: "src/files/table-columns.ts",
      text: "const row = this.#add(1);\n    this.#codes[row] = this.#missing;",
      other: "this.#codes[this.#add(1)] = this.#missing;",
    },
  ],
} as const satisfies Record<string, readonly Change[]>;

/** The package with a fault. @throws where the text that it replaces is not there once */
export const faulty = (name: FaultName): Promise<Package> => packageWith<Package>(FAULTS[name]);
