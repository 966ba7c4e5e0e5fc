// What the table of two columns says beyond its margins, and the codes of one column given those of the other.

/**
 * Σ |count − expected count for independent columns| over the cells of a pair.
 * @param table f64[rows][columns]
 * @param first f64[rows]: the counts of the first column's codes
 * @param second f64[columns]: those of the second
 * @param total the number of rows that all of them count
 */
export function interactionOf(table: usize, first: usize, rows: u32, second: usize, columns: u32, total: f64): f64 {
  const line = <usize>columns << 3;
  let sum: f64 = 0;
  for (const end = first + (<usize>rows << 3); first < end; first += 8, table += line) {
    const count = load<f64>(first);
    for (let at: usize = 0; at < line; at += 8)
      sum += abs<f64>(load<f64>(table + at) - (count * load<f64>(second + at)) / total);
  }
  return sum;
}

/**
 * The counts of one column's codes for each code of the other, none below 0: the table, or its transpose.
 * @param table f64[rows][columns]
 * @param out f64[rows][columns], or f64[columns][rows] if `transposed`
 */
export function conditionalCounts(table: usize, rows: u32, columns: u32, transposed: bool, out: usize): void {
  const across: usize = transposed ? <usize>rows << 3 : 8;
  const down: usize = transposed ? 8 : <usize>columns << 3;
  for (let row: usize = 0; row < rows; row++, out += down)
    for (let column: usize = 0; column < columns; column++, table += 8)
      store<f64>(out + column * across, max<f64>(0, load<f64>(table)));
}
