// Crossover: a row and a column of the best table, each uniform; the code is that of the same column in a uniform row
// of a uniform elite. An elite is kept as what differs from the best table: a few cells.
import { below, word } from "../philox";
import { Candidate, Search, activeColumn, codeOf } from "./search";

/** A table among the best: its loss above the best table's, and the cells in which it differs from that. */
@unmanaged
export class Elite {
  excess: i64;
  cells: u32;
}

@unmanaged
export class Cell {
  row: u32;
  column: u32;
  value: u32;
}

/** The bytes of an elite with room for `cells` cells. */
@inline
export function eliteBytes(cells: u32): usize {
  return (offsetof<Elite>() + cells * offsetof<Cell>() + 15) & ~15;
}

@inline
export function cellOf(elite: Elite, index: u32): Cell {
  return changetype<Cell>(changetype<usize>(elite) + offsetof<Elite>() + index * offsetof<Cell>());
}

/** The code that a cell of the elite has. */
function codeIn(search: Search, elite: Elite, row: u32, column: u32): u32 {
  for (let index: u32 = 0; index < elite.cells; index++) {
    const cell = cellOf(elite, index);
    if (cell.row == row && cell.column == column) return cell.value;
  }
  return codeOf(search, row, column);
}

/**
 * Notes the code that the elite has in a cell of which the best table's code changes, unless they differed there
 * already.
 */
export function holdCell(elite: Elite, row: u32, column: u32, value: u32): void {
  for (let index: u32 = 0; index < elite.cells; index++) {
    const cell = cellOf(elite, index);
    if (cell.row == row && cell.column == column) return;
  }
  const cell = cellOf(elite, elite.cells);
  cell.row = row;
  cell.column = column;
  cell.value = value;
  elite.cells++;
}

/**
 * Proposes a change of the best table, from the stream's words at `random` and after.
 * @param elites `count` of them, `stride` bytes apart
 */
export function cross(
  search: Search,
  candidate: Candidate,
  random: u32,
  elites: usize,
  count: u32,
  stride: usize,
): void {
  candidate.row = below(search.rows, word(random));
  candidate.column = activeColumn(search, below(search.activeCount, word(random + 1)));
  const elite = changetype<Elite>(elites + below(count, word(random + 3)) * stride);
  candidate.value = codeIn(search, elite, below(search.rows, word(random + 2)), candidate.column);
}
