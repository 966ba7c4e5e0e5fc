// The wall between the engine and its hosts: struct offsets, enum numbers and limits. Every host reads this file (TypeScript
// imports it as it stands, so it holds literals only); a change of meaning raises ABI_VERSION.

export const ABI_VERSION = 1;

// A binary tree on a numeric column: levels 1…5, 2^5 leaves, then one code for missing where the column may be missing.
export const TREE_LEVELS = 5;
export const TREE_LEAVES = 32;

// Rows of the vault lie in blocks of this many rows, each block one u16 array a column.
export const BLOCK_ROWS = 16384;

// QUERY: one item's query. All fields u32. `levels` is 1 for a marginal and TREE_LEVELS for a tree; `cells` counts the cells of
// all levels. The axes follow, AXIS_BYTES each, in ascending column order: the column's index, its number of codes (a tree:
// leaves, and missing last), whether it is a tree, whether its last code is "missing".
// Answers are i32, row-major, level after level (coarse first); on a tree axis level l has 2^l intervals, then missing.
export const QUERY_ORDER = 0;
export const QUERY_LEVELS = 4;
export const QUERY_CELLS = 8;
export const QUERY_AXES = 16;
export const AXIS_BYTES = 16;
export const AXIS_COLUMN = 0;
export const AXIS_SIZE = 4;
export const AXIS_TREE = 8;
export const AXIS_MISSING = 12;
export const MAX_ORDER = 8;

// What a call across the wall returns where it can be refused.
export const OK = 0;
export const OUT_OF_MEMORY = 1;

// The most bytes that the engine can address: 2^16 − 1 pages.
export const MOST_BYTES = 0xffff0000;

// The Philox streams of one search seed: a purpose (and with it an id: a column, a sweep).
export const STREAM_QUOTA = 1;
export const STREAM_SHUFFLE = 2;
export const STREAM_UNIFORM = 3;
export const STREAM_SWEEP = 4;
export const STREAM_GENERATION = 5;
export const STREAM_DECODE = 6;

// What a slice of a search returns: more to do, its loss has settled, its limit of steps is reached.
export const SEARCH_RUNNING = 0;
export const SEARCH_SETTLED = 1;
export const SEARCH_LIMIT = 2;
