// Message passing on a junction tree: changes of some cliques' tables reach all others, so that neighbours agree about
// their separators again (Lauritzen and Spiegelhalter 1988, in the form of HUGIN).
import {
  CLIQUE_AFTER,
  CLIQUE_BEFORE,
  CLIQUE_BYTES,
  CLIQUE_CELLS,
  CLIQUE_DOWN,
  CLIQUE_MESSAGE,
  CLIQUE_UP,
  CLIQUE_UPWARD,
} from "../graphical-layout";
import { contract } from "./contraction";

/**
 * Takes the changes up to the roots, where the number of rows is restored, and back down.
 * @param cliques CLIQUE[count], each after its children
 */
export function propagate(cliques: usize, count: u32): void {
  const end = cliques + <usize>count * CLIQUE_BYTES;
  for (let clique = cliques; clique < end; clique += CLIQUE_BYTES) {
    contract(load<usize>(clique, CLIQUE_UP));
    divide(clique, load<usize>(clique, CLIQUE_UPWARD), load<usize>(clique, CLIQUE_BEFORE));
  }
  for (let clique = end; clique > cliques; ) {
    clique -= CLIQUE_BYTES;
    divide(clique, load<usize>(clique, CLIQUE_AFTER), load<usize>(clique, CLIQUE_UPWARD));
    contract(load<usize>(clique, CLIQUE_DOWN));
  }
}

/** The message that takes a separator from one table to another. */
function divide(clique: usize, to: usize, from: usize): void {
  let out = load<usize>(clique, CLIQUE_MESSAGE);
  const end = out + ((<usize>load<u32>(clique, CLIQUE_CELLS)) << 3);
  if (ASC_FEATURE_SIMD)
    for (const pairs = end - 8; out < pairs; out += 16, to += 16, from += 16)
      v128.store(out, f64x2.div(v128.load(to), v128.load(from)));
  for (; out < end; out += 8, to += 8, from += 8) store<f64>(out, load<f64>(to) / load<f64>(from));
}

/** 1 ÷ each value. @param values f64[count] @param out f64[count] */
export function reciprocals(values: usize, count: u32, out: usize): void {
  for (const end = values + (<usize>count << 3); values < end; values += 8, out += 8)
    store<f64>(out, 1 / load<f64>(values));
}
