import type { Attribute } from "../domain/attribute.js";
import { KIND_TABLE, TREE_LEVELS } from "../engine/layout.js";
import { areFew, NOT_A_FEW, NOT_GROUPS, NOT_ITS_COLUMNS } from "./column-set.js";
import type { QueryClass } from "./query-class.js";

/**
 * A tree is one partition per level, coarsest first (the binary tree marginals of Liu et al. 2023). At level l, a tree
 * column has its 2^l intervals, followed by missing if it can be missing; other columns keep their codes. Every level
 * counts every row once, so the item is TREE_LEVELS partitions.
 */
export const tree: QueryClass = {
  kind: "tree",
  number: KIND_TABLE,
  isColumnSet: true,
  structure: ({ columns }, attributes) => ({
    partitions: levelShapes(columns.map((column) => attributes[column])).map((shape) => ({ shape, isWhole: true })),
    free: 0,
  }),
  canHave: (partitions, free, attributes) =>
    partitions === TREE_LEVELS && free === 0 && attributes.some((attribute) => attribute.tree),
  json: () => ({}),
  parse({ groups }, columns, { attributes }) {
    if (columns.length && !areFew(columns)) return NOT_A_FEW;
    if (groups !== undefined) return NOT_GROUPS;
    return columns.some((column) => attributes[column].tree) ? { kind: "tree", columns } : NOT_ITS_COLUMNS;
  },
  encode: () => [],
};

function levelShapes(axes: readonly Attribute[]): number[][] {
  return Array.from({ length: TREE_LEVELS }, (_, level) =>
    axes.map((axis) => (axis.tree ? 2 ** (level + 1) + (axis.missing ? 1 : 0) : axis.size)),
  );
}
