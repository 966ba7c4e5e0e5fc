// The boundary between the engine and its hosts: struct offsets, enum numbers and limits. Every host reads this file
// (TypeScript imports it unchanged, so it holds only literals). A change of meaning raises ABI_VERSION.

export const ABI_VERSION = 2;

// A binary tree on a numeric column: levels 1…5, 2^5 leaves, then one code for missing if the column can be missing.
export const TREE_LEVELS = 5;
export const TREE_LEAVES = 32;

// The vault stores its rows in blocks of this many rows. Each block has one u16 array per column.
export const BLOCK_ROWS = 16384;

// QUERY: one item's query. All fields are u32. `levels` is 1 for a marginal and TREE_LEVELS for a tree; `cells` counts
// all answers, at most 2^32 − 1; `bytes` is the size of the struct itself. The axes follow in ascending column order,
// AXIS_BYTES each: the column's index, its number of codes (for a tree: leaves, and missing last), whether it is a
// tree, and whether its last code is "missing". After them come the additional parameters of queries of this kind, u32
// each. Answers are i32, row-major, level after level (coarsest first). On a tree axis, level l has 2^l intervals, then
// missing.
export const QUERY_ORDER = 0;
export const QUERY_LEVELS = 4;
export const QUERY_CELLS = 8;
export const QUERY_KIND = 12;
export const QUERY_BYTES = 16;
export const QUERY_AXES = 20;
export const AXIS_BYTES = 16;
export const AXIS_COLUMN = 0;
export const AXIS_SIZE = 4;
export const AXIS_TREE = 8;
export const AXIS_MISSING = 12;
export const MAX_ORDER = 8;

// The kinds of queries that the engine distinguishes. Marginals, trees and totals are tables of codes.
export const KIND_TABLE = 0;

// DIVISION: what the predicted error of a divided budget depends on. The first fields are u32: four counts, then
// pointers to that many entries, a limit and scratch of 8 bytes per column; those from DIVISION_UNIT on are f64.
// CLAIM: a query that shares the budget (a pointer to its QUERY), whether it may be left out, and its weight (f64).
// RANK: a class of the queries that may be left out, between two fractions of them, and the error of independent columns
// (all f64). COUNTS: the number of a column's codes, and a pointer to what `sumAscending` wrote of their counts.
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
export const CLAIM_BYTES = 16;
export const CLAIM_QUERY = 0;
export const CLAIM_OPEN = 4;
export const CLAIM_WEIGHT = 8;
export const RANK_BYTES = 24;
export const RANK_FROM = 0;
export const RANK_TO = 8;
export const RANK_WRONG = 16;
export const COUNTS_BYTES = 8;
export const COUNTS_SIZE = 0;
export const COUNTS_SUMS = 4;

// The status returned by a call that can be refused.
export const OK = 0;
export const OUT_OF_MEMORY = 1;
export const NO_KEY = 2; // the vault has no key yet
export const KEY_REFUSED = 3; // no open vault, an all-zero key, or a second key for the same release
export const VAULT_REFUSED = 4; // opened twice, an unknown relation, no rows per unit, or "replace" with several
export const ITEM_REFUSED = 5; // the item's number is not above those already used with this key
export const BUDGET_EXCEEDED = 6; // the item's charge exceeds what is left in the ledger
export const NOISE_TOO_LARGE = 7; // the item's share of the budget would need more noise than the engine can represent
export const ARGUMENT_REFUSED = 8; // sizes that contradict each other

// Neighbouring relations: tables that differ by one added or removed unit, or by one replaced row.
export const ADD_REMOVE = 0;
export const REPLACE = 1;

// KEY: the release's key, 32 bytes. The generator has a separate stream for every purpose and item number.
export const KEY_BYTES = 32;
export const PURPOSE_NOISE = 1;
export const PURPOSE_SELECTION = 2;
export const PURPOSE_RESERVOIR = 3;

// Scores of a selection, for counts c and targets t: max|c − t|, Σ|c − t|, |c − t| of one cell, ⌊√Σ(c − t)²⌋. All are
// multiplied by 2^scaleBits, the last one before its root is rounded down.
export const SCORE_MAX = 0;
export const SCORE_L1 = 1;
export const SCORE_ABSOLUTE = 2;
export const SCORE_L2 = 3;

// SIGMA2: a variance p·2^−k of the discrete Gaussian (p u32, k i32), and the charge for an item measured with it, in
// ledger units of 2^−52 (u64).
export const SIGMA2_BYTES = 16;
export const SIGMA2_P = 0;
export const SIGMA2_K = 4;
export const SIGMA2_CHARGE = 8;

// RATE: a selection's exponent for one step of the integer score, a·2^−b (both u32).
export const RATE_BYTES = 8;
export const RATE_A = 0;
export const RATE_B = 4;

// e^−1 … e^−64 as fractions of 192 bits, rounded down: six u32 digits each, most significant first.
export const EXP_LEVELS = 64;
export const EXP_DIGITS = 6;

// The person number of a row whose person is missing. Such a row counts as a person with one row.
export const NO_PERSON = 0xffffffff;

// The most bytes that the engine can address: 2^16 − 1 pages.
export const MOST_BYTES = 0xffff0000;

// The Philox streams of one search seed, by purpose (and, within a purpose, by an id: a column, a sweep).
export const STREAM_QUOTA = 1;
export const STREAM_SHUFFLE = 2;
export const STREAM_UNIFORM = 3;
export const STREAM_SWEEP = 4;
export const STREAM_GENERATION = 5;
export const STREAM_DECODE = 6;
export const STREAM_PUBLIC = 7;

// The status of a slice of a search: there is more to do, the loss has settled, or the limit of steps has been reached.
export const SEARCH_RUNNING = 0;
export const SEARCH_SETTLED = 1;
export const SEARCH_LIMIT = 2;
