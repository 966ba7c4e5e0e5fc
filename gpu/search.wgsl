// What the kernels of a search share. Uses prelude.wgsl.

// The code of a column, of the word that holds it and its neighbour.
fn codeIn(word: u32, column: u32) -> u32 {
  return (word >> ((column & 1u) << 4u)) & 0xffffu;
}

// On how many levels of a tree two codes share a node; "missing", TREE_LEAVES, shares all with itself alone.
fn sharedLevels(a: u32, b: u32) -> i32 {
  return max(0, i32(countLeadingZeros(a ^ b)) - (32 - i32(TREE_LEVELS)));
}
