import { MAX_ORDER } from "../engine/layout.js";

// Errors in how a set of columns is stated, worded to follow "an item".

export const NOT_A_FEW = "whose columns are not a few modelled columns in the schema's order";
export const NOT_GROUPS = "whose groups are not groups of its columns' codes";
export const NOT_ITS_COLUMNS = "whose answers do not fit its columns";

/** Whether there is at least one column, and no more than a table can have axes. */
export const areFew = (columns: readonly number[]): boolean => columns.length >= 1 && columns.length <= MAX_ORDER;
