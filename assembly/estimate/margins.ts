// Iterative proportional fitting (Deming and Stephan, 1940): the maximum-entropy table with given margins.
import { finestCells, orderOf, sizeOf } from "../queries/query";

/**
 * Replaces a table by what its margins imply. The margins are estimates; where they contradict each other, the result
 * is that of the last of `rounds` rounds over them. The margins of two columns imply their product after one round.
 * @param query a QUERY with two or more axes: those of the table
 * @param table f64[cells], replaced
 * @param margins usize[order]: for each axis, the table summed over it, f64[cells ÷ its size]; values below 0 count as
 * 0
 * @param scratch f64[cells]
 */
export function fitMargins(query: usize, table: usize, margins: usize, rounds: u32, scratch: usize): void {
  for (let at: usize = 0, end = <usize>finestCells(query) << 3; at < end; at += 8) store<f64>(table + at, 1);
  scaleToMargins(query, table, margins, rounds, scratch);
}

/** Scales a table to given margins, in `rounds` rounds over them; what `fitMargins` takes, but for the table. */
export function scaleToMargins(query: usize, table: usize, margins: usize, rounds: u32, scratch: usize): void {
  const cells = finestCells(query);
  for (let round: u32 = 0; round < rounds; round++) {
    let inner = cells;
    let outer: u32 = 1;
    for (let axis: u32 = 0; axis < orderOf(query); axis++) {
      const width = sizeOf(query, axis);
      inner /= width;
      const margin = load<usize>(margins + axis * sizeof<usize>());
      sumAlong(table, outer, width, inner, scratch);
      divide(margin, scratch, outer * inner);
      scaleAlong(table, outer, width, inner, scratch);
      outer *= width;
    }
  }
}

/** The sums along the middle axis of f64[outer][width][inner]. @param sums f64[outer][inner], replaced */
function sumAlong(table: usize, outer: u32, width: u32, inner: u32, sums: usize): void {
  const line = <usize>inner << 3;
  memory.fill(sums, 0, outer * line);
  for (let block: u32 = 0; block < outer; block++, sums += line)
    for (let code: u32 = 0; code < width; code++, table += line)
      for (let at: usize = 0; at < line; at += 8) store<f64>(sums + at, load<f64>(sums + at) + load<f64>(table + at));
}

function scaleAlong(table: usize, outer: u32, width: u32, inner: u32, factors: usize): void {
  const line = <usize>inner << 3;
  for (let block: u32 = 0; block < outer; block++, factors += line)
    for (let code: u32 = 0; code < width; code++, table += line)
      for (let at: usize = 0; at < line; at += 8)
        store<f64>(table + at, load<f64>(table + at) * load<f64>(factors + at));
}

/** Replaces sums by wanted ÷ sum, or by 0 where there is nothing to scale. */
function divide(wanted: usize, sums: usize, count: u32): void {
  for (let at: usize = 0; at < <usize>count << 3; at += 8) {
    const sum = load<f64>(sums + at);
    store<f64>(sums + at, sum > 0 ? max<f64>(load<f64>(wanted + at), 0) / sum : 0);
  }
}
