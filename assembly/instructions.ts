// Queries of expressions: the part of the layout that only they need. Literals only, as in layout.ts.

/** The kind of these queries, next to those in layout.ts. */
export const KIND_EXPRESSION = 2;

// The parameters are u32: how many expressions there are, and 1 if they are a partition, in which a row counts for the
// first that is true for it, or else in one more cell, the last. Each expression follows: the number of its words, this
// one included; a mask of the axes that it depends on; and instructions for a machine with two stacks, of truths and of
// values (f64), neither ever higher than EXPRESSION_DEPTH. After the last expression come tables. A table is named by
// the index of its first word among the parameters.
export const EXPRESSION_DEPTH = 33;
// With an axis and a table: a truth, or a value, by the axis's code. A table has one bit per code, lowest first, or an
// f64 per code, NaN for none. With the halves of an f64, lower first: that value.
export const EXPRESSION_BITS = 0;
export const EXPRESSION_VALUES = 1;
export const EXPRESSION_CONSTANT = 2;
// Two values become one: x / 0 is NaN.
export const EXPRESSION_ADD = 3;
export const EXPRESSION_SUBTRACT = 4;
export const EXPRESSION_MULTIPLY = 5;
export const EXPRESSION_DIVIDE = 6;
// Two values become a truth: false where one of them is NaN.
export const EXPRESSION_LESS = 7;
export const EXPRESSION_LESS_OR_EQUAL = 8;
export const EXPRESSION_EQUAL = 9;
export const EXPRESSION_UNEQUAL = 10;
// Two truths become one; a truth becomes its opposite.
export const EXPRESSION_AND = 11;
export const EXPRESSION_OR = 12;
export const EXPRESSION_NOT = 13;
