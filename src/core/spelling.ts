/** The word of `known` that is nearest to `word`, if one is near: half of its letters, or two, may differ. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  let best: string | undefined;
  let least = Math.max(2, word.length / 2);
  for (const name of known) {
    if (Math.abs(name.length - word.length) > least) continue;
    const distance = editDistance(lower, name.toLowerCase());
    if (distance > least || (distance === least && best !== undefined)) continue;
    best = name;
    least = distance;
  }
  return best;
}

/** Levenshtein distance: the fewest insertions, deletions and replacements that turn one word into the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++)
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1));
    row = next;
  }
  return row[to.length];
}
