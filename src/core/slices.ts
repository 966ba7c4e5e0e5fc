/** Consecutive entries of a list whose sizes add up to at most `most`; larger ones on their own. */
export function* slices<T>(list: readonly T[], most: number, sizeOf: (entry: T) => number): Generator<T[]> {
  let slice: T[] = [];
  let sum = 0;
  for (const entry of list) {
    const size = sizeOf(entry);
    if (slice.length && sum + size > most) {
      yield slice;
      slice = [];
      sum = 0;
    }
    slice.push(entry);
    sum += size;
  }
  if (slice.length) yield slice;
}
