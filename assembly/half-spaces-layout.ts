// Random half-spaces: the part of the layout that only they need. Literals only, as in layout.ts.

/** The kind of these queries, next to those in layout.ts. */
export const KIND_HALF_SPACES = 3;

// The parameters are u32: how many members of the set are asked for, the cells of each, the seed, on which side of its
// threshold a member counts rows, and whether a value at the threshold does not count (1) or does (0); 1 if the numbers
// of the members follow, or 0 if they are 0, 1, 2 …; the role of each axis; and the numbers, ascending.
export const HALF_SPACES_MEMBERS = 0;
export const HALF_SPACES_CELLS = 4;
export const HALF_SPACES_SEED = 8;
export const HALF_SPACES_SIDE = 12;
export const HALF_SPACES_STRICT = 16;
export const HALF_SPACES_NUMBERED = 20;
export const HALF_SPACES_ROLES = 24;
export const SIDE_BELOW = 0;
export const SIDE_ABOVE = 1;

// Roles of axes: a coordinate per code; a coordinate for the value, and one for missing; a column of which a member may
// ask for one code; a column whose codes divide every member.
export const ROLE_CODES = 0;
export const ROLE_VALUES = 1;
export const ROLE_LABEL = 2;
export const ROLE_DIVIDED = 3;
export const HALF_SPACES_MOST_AXES = 64;

// The Philox streams of a set, by id. A member has the word with its number in the streams of labels, and the half of a
// word with its number (the lower half first) in that of thresholds and in those of coordinates.
export const HALF_SPACES_THRESHOLDS = 0;
export const HALF_SPACES_LABELS = 1;
export const HALF_SPACES_LABEL_CODES = 2;
export const HALF_SPACES_COORDINATES = 3; // of the first coordinate; the others follow
