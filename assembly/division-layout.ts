// The structs of a divided budget: the part of the layout that only it needs. Literals only, as in layout.ts.

// DIVISION: what the predicted error of a divided budget depends on. The first fields are u32: four counts, then
// pointers to that many entries, a limit and scratch of 8 bytes per column; those from DIVISION_UNIT on are f64.
// CLAIM: a query that shares the budget (a pointer to its QUERY), whether it may be left out, its weight (f64), and its
// cost (f64): for the same noise on each cell, as a multiple of what a marginal costs. An interaction has less than 1.
// RANK: a class of the queries that may be left out, between two fractions of them, and the error of independent
// columns (all f64). COUNTS: the number of a column's codes, and a pointer to what `sumAscending` wrote of their
// counts.
export const DIVISION_BYTES = 136;
export const DIVISION_COLUMNS = 0;
export const DIVISION_ONE_WAYS = 4;
export const DIVISION_TABLES = 8;
export const DIVISION_RANKS = 12;
export const DIVISION_COUNTS_AT = 16;
export const DIVISION_ONE_WAYS_AT = 20;
export const DIVISION_TABLES_AT = 24;
export const DIVISION_RANKS_AT = 28;
export const DIVISION_LEAST_GROUPS = 32;
export const DIVISION_SCRATCH = 36;
export const DIVISION_UNIT = 40;
export const DIVISION_KNOWN = 48;
export const DIVISION_ROWS = 56;
export const DIVISION_TIMES = 64;
export const DIVISION_CANDIDATES = 72;
export const DIVISION_ONE_WAYS_WEIGHT = 80;
export const DIVISION_FIXED_WEIGHT = 88;
export const DIVISION_CANDIDATE_WEIGHT = 96;
export const DIVISION_MOST_WRONG = 104;
export const DIVISION_KEPT = 112;
export const DIVISION_LEAST_COUNT = 120;
export const DIVISION_MOST_NOISE = 128;
export const CLAIM_BYTES = 24;
export const CLAIM_QUERY = 0;
export const CLAIM_OPEN = 4;
export const CLAIM_WEIGHT = 8;
export const CLAIM_COST = 16;
export const RANK_BYTES = 24;
export const RANK_FROM = 0;
export const RANK_TO = 8;
export const RANK_WRONG = 16;
export const COUNTS_BYTES = 8;
export const COUNTS_SIZE = 0;
export const COUNTS_SUMS = 4;
