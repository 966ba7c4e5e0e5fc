// The boundary between the engine and its hosts: struct offsets, enum numbers and limits. Every host reads this file
// (TypeScript imports it unchanged, so it holds only literals). A change of meaning raises ABI_VERSION.

export const ABI_VERSION = 5;

// A binary tree on a numeric column: levels 1…5, 2^5 leaves, then one code for missing if the column can be missing.
export const TREE_LEVELS = 5;
export const TREE_LEAVES = 32;

// The vault stores its rows in blocks of this many rows. Each block has one u16 array per column.
export const BLOCK_ROWS = 16384;
// The most queries, and the most cells by codes, that its host counts together, unless a single query has more cells.
export const VAULT_QUERIES = 64;
export const VAULT_CELLS = 131072;

// QUERY: one item's query. All fields are u32. `levels` is 1 for a marginal and TREE_LEVELS for a tree; `cells` counts
// all answers, at most 2^32 − 1; `bytes` is the size of the struct itself. The axes follow in ascending column order,
// AXIS_BYTES each: the column's index, its number of cells (for a tree: leaves, and missing last), whether it is a
// tree, whether its last cell is "missing", and, of a tree whose rows have finer codes than leaves, how many of these
// there are, without missing (32 … 65,534; otherwise 0): code c is in leaf ⌊32·c/fine⌋. The cells of other columns are
// their codes. After the axes come the additional parameters of queries of this kind, u32 each. Answers are i32,
// row-major, level after level (coarsest first). On a tree axis, level l has 2^l intervals, then missing.
export const QUERY_ORDER = 0;
export const QUERY_LEVELS = 4;
export const QUERY_CELLS = 8;
export const QUERY_KIND = 12;
export const QUERY_BYTES = 16;
export const QUERY_AXES = 20;
export const AXIS_BYTES = 20;
export const AXIS_COLUMN = 0;
export const AXIS_SIZE = 4;
export const AXIS_TREE = 8;
export const AXIS_MISSING = 12;
export const AXIS_FINE = 16;
export const MAX_ORDER = 8;
// The most cells of the axes along which a table is centred: the answers of 10^7 rows, whatever they are, fit into i32.
export const MOST_CENTRED = 214;

// The kinds of queries. Marginals, trees and totals are tables of codes. The parameters of ranges: the number of boxes,
// the cells of each, a bit for each axis that all boxes divide into its codes, and the sides of each box; then, for
// each side of each box, an axis and a bound, from + 2^16·width. bindings/ABI.md says what is counted.
export const KIND_TABLE = 0;
export const KIND_RANGES = 1;
export const RANGES_BOXES = 0;
export const RANGES_CELLS = 4;
export const RANGES_DIVIDED = 8;
export const RANGES_SIDES = 12;
export const RANGES_BOUNDS = 16;

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

// Scores of a selection, for counts c and targets t: max|c − t|, Σ|c − t|, |c − t| of one cell, ⌊√Σ(c − t)²⌋,
// max(c − t), max(t − c). All are multiplied by 2^scaleBits, ⌊√Σ(c − t)²⌋ before its root is rounded down.
export const SCORE_MAX = 0;
export const SCORE_L1 = 1;
export const SCORE_ABSOLUTE = 2;
export const SCORE_L2 = 3;
export const SCORE_ABOVE = 4;
export const SCORE_BELOW = 5;

// The laws of a selection: the exponential mechanism on what is not picked yet, the same on all candidates each time
// (one may be picked again), or permute-and-flip on what is not picked yet.
export const LAW_PEELED = 0;
export const LAW_REPLACED = 1;
export const LAW_FLIPPED = 2;

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
export const STREAM_PLACE = 8;
export const STREAM_QUERIES = 9;
export const STREAM_DONOR = 10;
export const STREAM_HALF_SPACES = 11;
export const STREAM_RELAXED = 12;
export const STREAM_RESPONSE = 13;
export const STREAM_DENSITY = 14;

// The status of a slice of a search: there is more to do, the loss has settled, or the limit of steps has been reached.
export const SEARCH_RUNNING = 0;
export const SEARCH_SETTLED = 1;
export const SEARCH_LIMIT = 2;

// TEXTS: texts by number: u32[count + 1], where each begins and the last one ends, in bytes from the struct's own
// beginning; then their UTF-8. TEXT_SLACK bytes after the last text can be read.
export const TEXT_SLACK = 16;

// WRITER: how the rows of a table are written. All fields but the last are u32.
export const WRITER_BYTES = 32;
export const WRITER_COLUMNS = 0;
export const WRITER_DELIMITER = 4; // an ASCII character
export const WRITER_SPELLINGS = 8; // pointer to SPELLING[columns]
export const WRITER_FIRST = 12; // the number in the table, from 0, of the first row at hand
export const WRITER_WRITTEN = 16; // how many rows the last call wrote
export const WRITER_RECORD = 24; // f64: what `recordBytes` returned

// SPELLING: how the stored codes of a column are written. Texts are in the form that they have in a file, quotes
// included.
export const SPELLING_BYTES = 32;
export const SPELLING_KIND = 0; // u32
export const SPELLING_CODES = 4; // pointer to the codes of the rows at hand
export const SPELLING_WIDTH = 8; // u32: 2, 4 or 8 bytes per code, u16, u32 or f64; 0 if codes are the rows' numbers
export const SPELLING_TEXTS = 12; // pointer to TEXTS
export const SPELLING_COUNT = 16; // u32: how many texts
export const SPELLING_FORMAT = 20; // pointer to the NOTATION, or to the ID
export const SPELLING_POINTS = 24; // f64: how many points a grid has
export const SPELLED_TEXTS = 0; // each code has a text; codes above the last one have the last text
export const SPELLED_POINTS = 1; // codes are points of a grid; any other code is missing and has the first text
export const SPELLED_IDS = 2; // code c is written as the number c + 1

// ID: a text with places for a number's digits. The digits fill the places from the right, with leading zeros. If there
// are more digits than places, the extra ones come before the first place.
export const ID_BASE = 0; // u32: 10 or 16
export const ID_PLACES = 4; // u32: how many places, at least 1
export const ID_LENGTH = 8; // u32: bytes of the text
export const ID_TEXT = 12; // UTF-8; each # is a place

// LINKED: columns that constraints link, and the constraints. Offsets are in bytes from the struct's own beginning.
// Numbers are whole f64, in units in which all that is compared or added up is exact; so are stored codes and
// positions. After what the host writes come LINKED_SCRATCH and the tables of CONSTRAINT, zeroed, for the engine.
export const LINKED_BYTES = 56;
export const LINKED_COLUMNS = 0; // u32
export const LINKED_ORDERS = 4; // u32: how many orders
export const LINKED_SUMS = 8; // u32
export const LINKED_LISTS = 12; // u32
export const LINKED_CONSTRAINTS = 16; // offset of u32[orders + sums + lists]: the offset of each CONSTRAINT
export const LINKED_CHOICES = 20; // offset of u32[columns]: the columns, in the order in which their values are chosen
export const LINKED_TOTALS = 24; // offset of u32[sums]: the sums; those whose total is part of another sum come first
export const LINKED_WITNESS = 28; // offset of f64[columns]: stored codes that satisfy all constraints
export const LINKED_SCRATCH = 32; // offset of f64[columns] and f64[columns + lists + 1][2][columns]
export const LINKED_SEED = 36; // u32: the seed of the search
export const LINKED_ROW = 40; // u32: the row whose random words are used; with NO_ROW, each word is 2^31
export const LINKED_LEFT = 44; // i32: how many more combinations and values may be tried
export const LINKED_SCALES = 48; // offset of SCALE[columns]
export const NO_ROW = 0xffffffff;

// SCALE: one of the columns: its values in ascending order, at positions from 0, and its rows.
export const SCALE_BYTES = 80;
export const SCALE_KIND = 0; // u32
export const SCALE_CODES = 4; // u32: how many codes queries see, not counting missing, which comes after them
export const SCALE_STARTS = 8; // offset of f64[codes]: the first point of each code; 0 for categories
export const SCALE_NUMBERS = 12; // SCALE_LISTED: offset of f64[codes]: the numbers
export const SCALE_ORDER = 16; // SCALE_LISTED: offset of u32[codes]: the category at each position
export const SCALE_PLACES = 20; // SCALE_LISTED: offset of u32[codes]: the position of each category
export const SCALE_BASE = 24; // SCALE_EVEN: f64: the number at position 0
export const SCALE_STEP = 32; // SCALE_EVEN: f64: the distance between neighbours
export const SCALE_VALUES = 40; // f64: how many values, without missing
export const SCALE_MISSING = 48; // f64: the stored code of a missing cell; NaN if there is none
export const SCALE_STORED = 56; // pointer to the rows' stored codes
export const SCALE_WIDTH = 60; // u32: bytes per stored code: 2 (u16), 4 (u32) or 8 (f64)
export const SCALE_MODELLED = 64; // pointer to u16[rows]: the codes that queries see
export const SCALE_STREAM = 68; // u32: the stream of the column's random words
export const SCALE_EVEN = 0; // points of a grid with numbers
export const SCALE_LISTED = 1; // categories with numbers
export const SCALE_PLAIN = 2; // values that are not compared; missing is the last of them

// CONSTRAINT: orders first, then sums, then lists.
export const CONSTRAINT_BYTES = 28; // then u32[count]: the columns' places: lower and upper, or the total and its parts
export const CONSTRAINT_KIND = 0; // u32
export const CONSTRAINT_COUNT = 4; // u32: how many columns
export const CONSTRAINT_ROWS = 8; // u32: how many combinations
export const CONSTRAINT_COMBINATIONS = 12; // offset of f64[rows][count]: their stored codes
export const CONSTRAINT_EXEMPT = 16; // offset of f64[count]: missing codes that exempt a row; otherwise NaN
export const CONSTRAINT_TABLE = 20; // offset of u32[size]: where each combination is found
export const CONSTRAINT_SIZE = 24; // u32: a power of two, at least twice the combinations
export const CONSTRAINT_ORDER = 0;
export const CONSTRAINT_SUM = 1;
export const CONSTRAINT_LIST = 2;

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

// The encodings of files that the engine reads.
export const ENCODING_UTF_8 = 1;
export const ENCODING_UTF_16LE = 2;
export const ENCODING_UTF_16BE = 3;
export const ENCODING_WINDOWS_1252 = 4;

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

// The most bytes of a double's text: a sign, a zero, a mark of three bytes, 323 zeros and 17 digits. And the bytes of
// the powers of ten that are needed to write it, with those of a number that they are made from.
export const DOUBLE_BYTES = 352;
export const POWERS_BYTES = 9988;

// ARRAY: the cells of a column that arrive in arrays, not inside records. All fields are u32, or pointers. Values are
// i64, f64, the places i32 of texts in a dictionary, or the microseconds i64 of a moment: since 1970-01-01T00:00:00, or
// since midnight. Offsets are u32, one more than there are texts. Validity is a bit for each row, the lowest first.
export const ARRAY_BYTES = 36;
export const ARRAY_TYPE = 0;
export const ARRAY_VALUES = 4;
export const ARRAY_OFFSETS = 8;
export const ARRAY_TEXTS = 12; // UTF-8, followed by 8 readable bytes
export const ARRAY_TEXT_BYTES = 16; // the size of these texts; offsets beyond it are cut
export const ARRAY_ENTRIES = 20; // how many texts a dictionary has
export const ARRAY_VALIDITY = 24; // 0: all rows have the cell
export const ARRAY_GAPS = 28; // i64[gaps]: moments that are missing cells
export const ARRAY_GAP_COUNT = 32;
export const ARRAY_TEXT = 0;
export const ARRAY_I64 = 1;
export const ARRAY_F64 = 2;
export const ARRAY_DICTIONARY = 3;
export const ARRAY_MOMENT = 4;

// The numbers of the functions that `callAll` can call.
export const CALL_COPY = 0;
export const CALL_CLEAR = 1;
export const CALL_CALIBRATE = 2;
export const CALL_MEASURE = 3;
export const CALL_SCORE = 4;
export const CALL_CUBE_ROOT = 5;
export const CALL_EXPONENTIAL = 6;
export const CALL_ANSWER_BLOCKS = 7;
export const CALL_ANSWER_LEVELS = 8;
export const CALL_ESTIMATE_LEVELS = 9;
export const CALL_MOVE_TO_GROUPS = 10;
export const CALL_SUM_GROUPS = 11;
export const CALL_SCALE_GROUPS = 12;
export const CALL_SUM_COUNTS = 13;
export const CALL_ADD_SQUARES = 14;
export const CALL_SCALE_COUNTS = 15;
export const CALL_ADD_MARGIN = 16;
export const CALL_FIT_MARGINS = 17;
export const CALL_SHRINK_TABLE = 18;
export const CALL_PROJECT_ON_SIMPLEX = 19;
export const CALL_SUM_ASCENDING = 20;
export const CALL_MOST_GROUPS = 21;
export const CALL_GROUP_CODES = 22;
export const CALL_INTERACTION_OF = 23;
export const CALL_CONDITIONAL_COUNTS = 24;
export const CALL_CHANCE_TARGETS = 25;
export const CALL_PREDICT_ERRORS = 26;
export const CALL_QUOTA_CODES = 27;
export const CALL_START_COLUMN = 28;
export const CALL_ADD_SHARES = 29;
export const CALL_TARGET_UNITS = 30;
export const CALL_SEARCH_TARGET = 31;
export const CALL_DRAW_POINTS = 32;
export const CALL_QUOTE_TEXTS = 33;
export const CALL_POINT_TEXTS = 34;
export const CALL_SCORE_MEMBERS = 35;
export const CALL_CONTRACT = 36;
export const CALL_RECIPROCALS = 37;
export const CALL_ADD_ROW_KEYS = 38;
export const CALL_DEPENDENCE_OF = 39;
export const CALL_CHAIN_INTERACTION = 40;
export const CALL_FIT_CHAINS = 41;
export const CALL_WEIGH_CHAINS = 42;
export const CALL_ADD_CHAINS = 43;
export const CALL_PUBLIC_ROWS_TABLE = 44;
export const CALL_CORRECT_PUBLIC_TABLE = 45;
export const CALL_CENTRE_COUNTS = 46;
export const CALL_MEASURE_CENTRED = 47;
export const CALL_ADD_INTERACTION = 48;

// The bytes of a matrix product's scratch.
export const PRODUCT_SCRATCH = 528512;
