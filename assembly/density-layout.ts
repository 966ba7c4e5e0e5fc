// The structs of a density: the part of the layout that only explicit densities need. Literals only, as in layout.ts.

// DENSITY: weights of points, which need not add up to 1. The points are all combinations of codes of the axes, row
// after row with the last axis fastest (at most MOST_AXES axes of two codes or more, and MOST_POINTS points), or they
// are given rows. The fields up to DENSITY_UPDATES are u32, counts and pointers; those from DENSITY_MASS on are f64.
export const DENSITY_BYTES = 80;
export const DENSITY_POINTS = 0; // how many
export const DENSITY_WIDTH = 4; // how many axes
export const DENSITY_SIZES = 8; // u32[width]: the number of codes of each axis
export const DENSITY_CODES = 12; // u32[width]: pointers to u16[points], the given rows; 0 where the points are all
export const DENSITY_TABLES = 16; // u32[tables]: pointers to TABLEs
export const DENSITY_TABLE_COUNT = 20;
export const DENSITY_WEIGHTS = 24; // f64[points]
export const DENSITY_SUMS = 28; // f64[points], for the mean of all iterates; 0 where nobody wants it
export const DENSITY_BEST = 32; // f64[points], for the iterate with the least noisy error; 0 where nobody wants it
export const DENSITY_SCRATCH = 36; // f64[points], or 12 bytes for each given row
export const DENSITY_LISTS = 40; // u32[(width + 2)·tables], scratch
export const DENSITY_FACTORS = 44; // f64[2·cells of the largest table], scratch
export const DENSITY_MEASURED = 48; // MEASURED[]
export const DENSITY_UPDATES = 52; // how many there were since the weights were last added up
export const DENSITY_MASS = 56; // Σ weights
export const DENSITY_PASSED = 64; // Σ 1 / mass over the iterates so far
export const DENSITY_LEAST = 72; // the least noisy error so far
export const MOST_AXES = 26;
export const MOST_POINTS = 67108864;

// TABLE: the marginal of some axes. All fields are u32; for each of its axes, ascending, two more follow: the axis and
// how far a step of its code moves in the table, in cells.
export const TABLE_BYTES = 28;
export const TABLE_CELLS = 0; // how many
export const TABLE_ORDER = 4; // how many axes, 1 or more
export const TABLE_AT = 8; // f64[cells]: the sums of weights
export const TABLE_IS_FRESH = 12; // whether they are those of the present weights
export const TABLE_IS_MEASURED = 16; // whether a MEASURED needs it
export const TABLE_FREE = 20; // scratch: its axes that an update leaves free, as bits
export const TABLE_OFFSET = 24; // scratch: the cell of the others' codes
export const TABLE_AXIS_BYTES = 8;

// MEASURED: noisy answers, as fractions of the rows: of one cell of a table, or of all of them.
export const MEASURED_BYTES = 24;
export const MEASURED_TABLE = 0; // pointer to its TABLE
export const MEASURED_CELL = 4; // or ALL_CELLS
export const MEASURED_TARGETS = 8; // f64[1], or f64[cells]
export const MEASURED_NEXT = 12; // scratch
export const MEASURED_SLACK = 16; // f64, 0 or more: errors up to it are none
export const ALL_CELLS = 4294967295;

// The densities that rows can follow: the last one, the mean of all iterates, or the one with the least noisy error.
export const DENSITY_LAST = 0;
export const DENSITY_AVERAGE = 1;
export const DENSITY_BEST_ITERATE = 2;

// Where rows are given, so many rounding errors are kept, of pairs of codes; pairs of many codes share them.
export const ERROR_SLOTS = 262144;
