// The ledger of one release: a privacy filter on integers, in units of 2^−52 of ρ.
import { OK, VAULT_REFUSED } from "../layout";
import { isRelation } from "./sensitivity";

let isOpen: bool = false;
let budget: u64 = 0;
let spent: u64 = 0;
let neighbours: i32 = 0;
let unitRows: u32 = 0;

/** The neighbouring relation that is used to account for the release. */
export function relation(): i32 {
  return neighbours;
}

/** The most rows that one unit has. */
export function maxRows(): u32 {
  return unitRows;
}

/** Whether a release is open. */
export function ledgerIsOpen(): bool {
  return isOpen;
}

/** Begins the ledger of a release with a budget of `budgetUnits`. Returns OK, or VAULT_REFUSED (layout.ts). */
export function openLedger(budgetUnits: u64, itsRelation: i32, itsMaxRows: u32): i32 {
  if (isOpen || !isRelation(itsRelation, itsMaxRows)) return VAULT_REFUSED;
  isOpen = true;
  budget = budgetUnits;
  spent = 0;
  neighbours = itsRelation;
  unitRows = itsMaxRows;
  return OK;
}

/** Ends the release: nothing more can be charged. */
export function closeLedger(): void {
  isOpen = false;
}

/**
 * Charges `units`. If they exceed what is left, returns false and leaves the ledger unchanged.
 *
 * Proof definition: zCDP adds up, even where items are chosen depending on earlier answers, if the sum is stopped
 * before it exceeds the budget.
 * Source: Feldman and Zrnic, "Individual Privacy Accounting via a Rényi Filter", 2021.
 */
export function charge(units: u64): bool {
  if (!isOpen || units > budget - spent) return false;
  spent += units;
  return true;
}

/** The total charged to the release so far, in units of 2^−52 of ρ (an unsigned integer). */
export function ledgerSpent(): u64 {
  return spent;
}
