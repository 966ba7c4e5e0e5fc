// The structs of classifiers: the part of the layout that only they need. Literals only, as in layout.ts.

// EXAMPLES: rows of codes for classifiers, with a FEATURE for each column. All fields are u32, or pointers.
export const EXAMPLES_ROWS = 0;
export const EXAMPLES_TARGET = 4;
export const EXAMPLES_PARTS = 8;
export const EXAMPLES_PART = 12;
export const EXAMPLES_COUNT = 16;
export const EXAMPLES_COLUMNS = 20;
export const EXAMPLES_AT_ONCE = 128;
export const FEATURE_BYTES = 20;
export const FEATURE_CODES = 0;
export const FEATURE_VALUES = 4;
export const FEATURE_FIRST = 8;
export const FEATURE_OTHER = 12;
export const FEATURE_TIMES = 16;
