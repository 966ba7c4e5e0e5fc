// What a search shows of itself, for devices that do a part of its work. Literals only, as in layout.ts.

// The first sweeps of a descent in batches have none: most rows change in them.
export const WHOLE_SWEEPS = 2;
// So many batches make a later sweep, of at least so many rows each.
export const BATCHES = 64;
export const LEAST_BATCH = 1024;

// BATCH: rows of a search that are looked at together. All fields are u32.
export const BATCH_BYTES = 24;
export const BATCH_ROWS = 0; // pointer to u32[count]: the rows' numbers
export const BATCH_COUNT = 4;
export const BATCH_MOVES = 8; // pointer to u32[count][⌈columns with a query ÷ 32⌉], as `findMoves` writes
export const BATCH_CHANGED = 12; // how many rows the last batch changed
export const BATCH_CHANGED_ROWS = 16; // pointer to u32[changed]: their numbers
export const BATCH_CHANGED_CODES = 20; // pointer to u16[changed][width]: their codes

// GENERATION: what an evolution is about to choose from, and what it chose. All fields are u32.
export const GENERATION_BYTES = 16;
export const GENERATION_CANDIDATES = 0; // pointer to u32[count][3], as `scoreCandidates` reads
export const GENERATION_CHANGES = 4; // pointer to i64[count], as it writes
export const GENERATION_CHANGED = 8; // how many rows the last generation changed: 0 or 1
export const GENERATION_ROW = 12; // which row that was

// MAP: where the residual tables of a search lie, of which there are several copies: in each, another axis is the last
// and contiguous. All entries are u32; offsets into the MAP are in entries.
export const MAP_ROWS = 0; // how many rows
export const MAP_WIDTH = 1; // how many columns
export const MAP_UNIT = 2; // one row, in the units of the residuals
export const MAP_ACTIVE = 3; // how many columns have a query
export const MAP_COPIES = 4; // how many copies of tables there are
export const MAP_FIRST_COPY = 5; // the offset of u32[copies]: the offsets of their MAP_COPY
export const MAP_CODES = 6; // pointer to the rows' codes, u16[rows][width]
export const MAP_TABLES = 7; // pointer to all tables, i32[]
export const MAP_TABLES_LENGTH = 8; // how many i32 they take, gaps included
export const MAP_HEAD = 9; // MAP_COLUMN entries follow, one for each column with a query, ascending
export const MAP_COLUMN = 6; // entries of a MAP_COLUMN
export const MAP_COLUMN_INDEX = 0; // the column
export const MAP_COLUMN_SIZE = 1; // how many codes it has
export const MAP_COLUMN_TREE = 2; // 1 for a tree
export const MAP_COLUMN_LEVELS = 3; // how many cells a row leaves if its code changes; in a tree, on all levels
export const MAP_COLUMN_LINKS = 4; // how many tables have the column
export const MAP_COLUMN_FIRST = 5; // the offset of u32[links]: the offsets of the MAP_COPY with the column last
export const MAP_COPY_TABLE = 0; // MAP_COPY: where the copy begins among the tables, in i32
export const MAP_COPY_LEVELS = 1; // 1, or the levels of a tree
export const MAP_COPY_ORDER = 2; // how many axes
export const MAP_COPY_AXES = 3; // then for each axis, as in the QUERY:
export const MAP_AXIS = 3; // entries of an axis
export const MAP_AXIS_COLUMN = 0; // the column
export const MAP_AXIS_STRIDE = 1; // how far a step of its code moves in the copy, in i32; 1 for the last axis
export const MAP_AXIS_TREE = 2; // 1 for a tree
