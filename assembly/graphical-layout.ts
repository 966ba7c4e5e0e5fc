// The structs of graphical models: the part of the layout that only they need. Literals only, as in layout.ts.

// CONTRACTION: a sum of products of tables, f64 each. All fields are u32. After them come the number of cells along
// each axis of an index space, then the factors and the sums, an OPERAND each, both by ascending depth. TABLE points to
// the products of all cells of the space, row-major, or is 0 if they are not kept.
export const CONTRACTION_AXES = 0; // how many, at least 2
export const CONTRACTION_FACTORS = 4; // at least 1
export const CONTRACTION_SUMS = 8;
export const CONTRACTION_TABLE = 12;
export const CONTRACTION_OUT = 16; // scratch
export const CONTRACTION_RUNS = 20; // pointer to scratch: 2 axes − 3 runs of the last axis, one less with a TABLE
export const CONTRACTION_SIZES = 24;

// OPERAND: a table, and the distances in it, counted in cells, of neighbours along each axis of the index space. They
// are 0 along axes that the table does not have. Its depth is the last axis that it has, not counting the very last.
export const OPERAND_TABLE = 0;
export const OPERAND_CELLS = 4;
export const OPERAND_AT = 8; // scratch
export const OPERAND_DEPTH = 12;
export const OPERAND_STRIDES = 16;

// CLIQUE: one of the cliques of a junction tree; all of a tree, each after its children, are a list of them. All fields
// are u32. The separator of a root has a single cell, which holds the number of rows.
export const CLIQUE_BYTES = 28;
export const CLIQUE_UP = 0; // CONTRACTION: its table times the changes and the children's messages, summed to UPWARD
export const CLIQUE_DOWN = 4; // CONTRACTION: its table times the message from the parent, summed to what is wanted
export const CLIQUE_CELLS = 8; // of the separator from its parent
export const CLIQUE_BEFORE = 12; // f64[cells]: the separator's marginal before
export const CLIQUE_UPWARD = 16; // f64[cells], scratch
export const CLIQUE_AFTER = 20; // f64[cells]: the separator's marginal afterwards; the parent's DOWN has it as a sum
export const CLIQUE_MESSAGE = 24; // f64[cells], scratch: a factor of the parent's UP, then of the own DOWN

// DESCENT: a fit of a junction tree to noisy marginals, in two copies of it, each of which is computed from the other.
// Arrays have an f64 for every measured cell.
export const DESCENT_CLIQUES = 0; // u32: how many
export const DESCENT_TREES = 4; // pointers to CLIQUE[cliques]: from the first copy to the second, and back
export const DESCENT_MARGINALS = 12; // pointers to the marginals of the two copies
export const DESCENT_CURRENT = 20; // u32: the copy that holds the fit, 0 or 1
export const DESCENT_CELLS = 24; // u32: how many cells were measured
export const DESCENT_ANSWERS = 28; // pointer: what the marginals should be
export const DESCENT_WEIGHTS = 32; // pointer: the inverse variances of the answers
export const DESCENT_FACTORS = 36; // pointer: what the next step multiplies each cell by, factors of the trees' UP
export const DESCENT_MOMENTUM = 40; // pointer: the last step of the log-potentials
export const DESCENT_POTENTIALS = 44; // pointer: all that the steps have added to the log-potentials
export const DESCENT_STREAK = 48; // u32: the steps since the momentum was last dropped
export const DESCENT_STEPS = 52; // u32: how many were tried
export const DESCENT_MOST = 56; // u32: how many may be
export const DESCENT_RATE = 64; // f64
export const DESCENT_LOSS = 72; // f64: ½ Σ weight·(marginal − answer)²
export const DESCENT_CHECKED = 80; // f64: the loss when it was last compared
export const DESCENT_TOLERANCE = 88; // f64: a fit has settled once 10 steps lower the loss by no more than this part
export const DESCENT_ENOUGH = 96; // f64: a fit has settled once its loss is no larger
export const DESCENT_BYTES = 104;
