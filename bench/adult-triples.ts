const COLUMNS = ["sex", "income>50K", "race", "marital-status", "occupation", "education-num", "age_10"];

/** All sets of three columns. */
export const triplesOf = (columns: readonly string[]): string[][] =>
  columns.flatMap((a, at) =>
    columns.slice(at + 1).flatMap((b, next) => columns.slice(at + next + 2).map((c) => [a, b, c])),
  );

/** The 35 triples of seven columns of Adult, 14,955 cells, as in Liu et al. 2021: ADULT(red). */
export const ADULT_TRIPLES = triplesOf(COLUMNS);
