/** Rows of a classifier. A row has one feature of each column: the column's first one plus the code. */
export interface Examples {
  readonly columns: readonly {
    readonly first: number;
    readonly codes: ArrayLike<number>;
    /** Of the features; all 1 if absent. */
    readonly values?: ArrayLike<number>;
    /** A second column, of this many codes: features are then pairs of codes, in order of the first ones. */
    readonly other?: { readonly codes: ArrayLike<number>; readonly size: number };
  }[];
  /** The target's code in each row; `undefined` in rows that are left out. */
  readonly target: readonly (number | undefined)[];
}

/** The features of a row and their values; feature 0 is 1 everywhere. */
function features({ columns }: Examples, row: number): { feature: number; value: number }[] {
  const others = columns.map(({ first, codes, values, other }) => ({
    feature: first + (other ? codes[row] * other.size + other.codes[row] : codes[row]),
    value: values ? values[row] : 1,
  }));
  return [{ feature: 0, value: 1 }, ...others];
}

const used = ({ target }: Examples) => [...target.keys()].filter((row) => target[row] !== undefined);

/** Scores of a row. Of two classes, the first has the score 0 and no weights. */
function scores(examples: Examples, row: number, weights: ArrayLike<number>, classes: number): number[] {
  const each = classes === 2 ? 1 : classes;
  const sums = Array.from({ length: each }, (_, place) =>
    features(examples, row).reduce((sum, { feature, value }) => sum + value * weights[feature * each + place], 0),
  );
  return classes === 2 ? [0, ...sums] : sums;
}

function probabilities(scores: readonly number[]): number[] {
  const powers = scores.map((score) => Math.exp(score - Math.max(...scores)));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

/** −Σ log p(class). @param slots the class of each code of the target */
export function loss(examples: Examples, slots: ArrayLike<number>, classes: number, weights: ArrayLike<number>) {
  return used(examples).reduce((sum, row) => {
    const own = slots[examples.target[row]!];
    return sum - Math.log(probabilities(scores(examples, row, weights, classes))[own]);
  }, 0);
}

export function gradient(
  examples: Examples,
  slots: ArrayLike<number>,
  classes: number,
  weights: ArrayLike<number>,
): number[] {
  const made: number[] = Array.from(weights, () => 0);
  const each = classes === 2 ? 1 : classes;
  for (const row of used(examples)) {
    const own = slots[examples.target[row]!];
    const errors = probabilities(scores(examples, row, weights, classes)).map((p, slot) => p - +(slot === own));
    for (const { feature, value } of features(examples, row))
      for (const [place, error] of errors.slice(-each).entries()) made[feature * each + place] += value * error;
  }
  return made;
}

/** The code that is predicted for each row that is not left out. @param codes the code of each class */
export function predictions(examples: Examples, codes: ArrayLike<number>, weights: ArrayLike<number>): number[] {
  return used(examples).map((row) => {
    const found = scores(examples, row, weights, codes.length);
    return codes[found.indexOf(Math.max(...found))];
  });
}

/** How often each code of the target occurs, and the sum of each feature's squared values. */
export function sums(examples: Examples, size: number, count: number): { counts: number[]; squares: number[] } {
  const [counts, squares] = [size, count].map((length) => new Array<number>(length).fill(0));
  for (const row of used(examples)) {
    counts[examples.target[row]!]++;
    for (const { feature, value } of features(examples, row)) squares[feature] += value * value;
  }
  return { counts, squares };
}
