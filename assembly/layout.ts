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

// NOTATION: how the numbers, dates or times of a column are written, and the grid of their values. Fields are u32
// unless stated otherwise. Places in it are offsets from its start, so it can be copied anywhere. A text in it is such
// an offset and a length in bytes. It ends with scratch for the cell that is being read or written.
export const NOTATION_BYTES = 0; // the size of the whole struct
export const NOTATION_KIND = 4;
export const NOTATION_POINTS = 8; // f64: the number of grid points, at most 2^53; 0 without a grid
export const NOTATION_SCALE = 16; // numbers of the grid are integers, in units of 10^−scale
export const NOTATION_LIMBS = 20; // 0: these integers are i64 fields; otherwise the size of each, and fields say where
export const NOTATION_MINIMUM = 24; // i64, or the offset of u32[limbs] in two's complement, least significant first
export const NOTATION_STEP = 32; // likewise
export const NOTATION_PLAIN_FROM = 40; // likewise: the smallest magnitude, apart from 0, without an exponent
export const NOTATION_PLAIN_BELOW = 48; // likewise: the smallest magnitude above it that has one again
export const NOTATION_WIDEST = 56; // the most bytes that a written grid point takes
export const NOTATION_SCRATCH = 60; // the offset of the scratch
// The marks of numbers. Those that are read are UTF-16 code units, those that are written are texts in UTF-8.
export const NOTATION_DECIMAL = 64;
export const NOTATION_GROUP = 68; // NO_UNIT for none
export const NOTATION_BARE = 72; // 0: text around a number is ignored
export const NOTATION_WIDTH = 76; // the fewest digits before the decimal point
export const NOTATION_DECIMAL_TEXT = 80;
export const NOTATION_GROUP_TEXT = 88;
export const NOTATION_PREFIX = 96;
export const NOTATION_SUFFIX = 104;
export const NOTATION_EXPONENT = 112; // which numbers have exponents
export const NOTATION_PLACES = 116; // the fewest digits after the point of a mantissa
export const NOTATION_LETTER = 120; // before an exponent
export const NOTATION_PLUS = 124; // 1: exponents from 0 up have a plus sign
export const NOTATION_EXPONENT_WIDTH = 128; // the fewest digits of an exponent
// The pattern of dates and times.
export const NOTATION_PIECES = 132; // the offset of the pieces
export const NOTATION_PIECE_COUNT = 136;
export const NOTATION_BLANKS = 140; // the blanks that the pattern begins with
export const NOTATION_OFFSET = 144; // i32: seconds east of UTC, for texts that state no offset
export const NOTATION_OFFSET_TEXT = 148;
export const NOTATION_HEAD = 160; // the end of the fields
export const NO_UNIT = 0xffffffff;

// What a notation's texts are read as.
export const SPELLS_NUMBER = 0;
export const SPELLS_DAYS = 1; // since 1970-01-01
export const SPELLS_SECONDS = 2; // since 1970-01-01T00:00:00Z, or since midnight

// Which numbers are written with exponents: none, all, or those outside the plain range.
export const EXPONENT_NEVER = 0;
export const EXPONENT_ALWAYS = 1;
export const EXPONENT_OUTSIDE = 2;

// PIECE: a part of a pattern. What it states has its kind's number. Digits are read from the least to the most, as many
// as possible first, and written with zeros up to `width`. `most` of a literal counts its characters, of a list of
// words the words. `data` is the offset of the characters (for each the number of code points that match it, then
// these) or of the words (for each its length and nine bytes of ASCII).
export const PIECE_BYTES = 32;
export const PIECE_KIND = 0;
export const PIECE_LEAST = 4;
export const PIECE_MOST = 8;
export const PIECE_WIDTH = 12;
export const PIECE_SURE = 16; // 1: what follows never begins with a digit, so reading fewer digits does not help
export const PIECE_DATA = 20;
export const PIECE_TEXT = 24; // what a literal is written as
export const PIECE_YEAR = 0;
export const PIECE_SHORT_YEAR = 1; // two digits, for the years 1969 … 2068
export const PIECE_MONTH = 2;
export const PIECE_DAY = 3;
export const PIECE_YEAR_DAY = 4;
export const PIECE_HOUR = 5;
export const PIECE_TWELVE = 6; // the hour of a 12-hour clock
export const PIECE_MINUTE = 7;
export const PIECE_SECOND = 8;
export const PIECE_MONTH_NAME = 9;
export const PIECE_HALF = 10; // before or after noon
export const PIECE_FRACTION = 11; // the digits after the second's decimal point
export const PIECE_POINT = 12; // a point and these digits, or nothing
export const PIECE_OFFSET = 13; // from UTC; `least` 0: or nothing
export const PIECE_LITERAL = 14;

// VALUE: the number that a text states, digits·10^−scale, read into the scratch of a notation.
export const VALUE_NEGATIVE = 0;
export const VALUE_SCALE = 4; // i32, −400 … 400
export const VALUE_COUNT = 8;
export const VALUE_DIGITS = 12; // u8[count], ASCII, most significant first
export const MOST_DIGITS = 400;
export const CANONICAL_BYTES = 801; // the most bytes of a number's canonical text

// The scratch of a notation: a field for what each kind of piece states, numbers of `limbs`, and a VALUE with room for
// MOST_DIGITS digits and DIGITS_A_LIMB for each limb.
export const SCRATCH_FIELDS = 64; // bytes
export const SCRATCH_NUMBERS = 3;
export const DIGITS_A_LIMB = 10;
// The most bytes that are kept of one cell of a file, and the most that are passed to a reader at once.
export const LONGEST_CELL = 1048576;

// What a column's cells are read as: codes of categories, points of a grid, numbers of persons in the order of their
// first appearance, or texts that the host wants to see.
export const CELLS_CATEGORY = 0;
export const CELLS_GRID = 1;
export const CELLS_PERSON = 2;
export const CELLS_TEXT = 3;

// What a declared text of a column spells: a missing cell, a category as it is written, or a category in another way
// (numbers, dates and times: by the canonical text of their number).
export const DECLARES_MISSING = 0;
export const DECLARES_LABEL = 1;
export const DECLARES_OTHER = 2;

// Texts that a reader notes for its host: the number of a text that is not remembered, and the length of one that is
// absent.
export const NO_TEXT = 0xffffffff;
export const ABSENT_TEXT = 0xffffffff;
