import { TREE_LEVELS } from "../engine/layout.js";
import type { Attribute } from "../schema/schema.js";

/**
 * A tree is one partition a level, coarse first (the binary tree marginals of Liu et al. 2023): at level l a tree column has its 2^l intervals, then missing
 * where it may be; other columns keep their codes. Every level counts every row once, so that the item is TREE_LEVELS partitions.
 */
export function treeShapes(axes: readonly Attribute[]): number[][] {
  return Array.from({ length: TREE_LEVELS }, (_, level) =>
    axes.map((axis) => (axis.tree ? 2 ** (level + 1) + (axis.missing ? 1 : 0) : axis.size)),
  );
}
