// Makes QuickJS's maps and sets fast for keys that are objects or numbers. Their places in a hash table are the low bits
// of what map_hash_key returns. It multiplies an address, or the halves of a double, by an odd constant: bits that are
// zero in all addresses, and in all small whole numbers, stay zero, so that most places of a table are never used.

const KEPT = "return h ^ ctx->hash_seed ^ hash32(tag);";
const FOLDED = "h = hash32(h ^ ctx->hash_seed ^ hash32(tag)); return h ^ h >> 16;";

/** @param source the text of quickjs.c */
export function mixHashes(source) {
  if (source.split(KEPT).length !== 2) throw new Error("quickjs.c differs: map_hash_key");
  return source.replace(KEPT, FOLDED);
}
