// What a search keeps in memory: rows, the workloads' residual tables, and for each column the links to the tables that
// a change of it reads. Nothing here is a host's business but the pointers that the functions exported from this folder
// return.
//
// A table of order k has k copies of its residual table, each with another axis last and contiguous (padded to four
// i32), so that the residuals of all alternatives of one cell of a row lie in one line of one copy.
//
// Tables know a column by its cells. Where rows have finer codes than cells, they are kept both ways.

import { TREE_LEAVES } from "../layout";

/** A search. One block of memory holds it and everything that it points to. */
@unmanaged
export class Search {
  rows: u32;
  /** The number of columns. */
  width: u32;
  /** One row in the units of the residuals: 2^f. */
  unit: i32;
  seed: u32;
  /** The sum of all squared residuals, all levels, in squared units. */
  loss: i64;
  /** How many one-cell changes have been scored. */
  candidates: i64;
  /** Sweeps or generations done. */
  steps: u32;
  /** How many codes have been drawn from runs of several. */
  placed: u32;
  /**
   * The rows, one after the other: u16[width], their cells; where a column has finer codes, u16[width], their codes.
   */
  codes: usize;
  /** Bytes from one row to the next, and from the cells of a row to its codes: 0 where they are the same. */
  stride: u32;
  finer: u32;
  /** u32[width]: pointers to u16[rows], where the rows begin and end as columns. */
  columns: usize;
  /** Field[width]. */
  fields: usize;
  /** u32[activeCount]: the columns that some workload has. */
  active: usize;
  activeCount: u32;
  /** Workload[count]. */
  workloads: usize;
  count: u32;
  /** Scratch, u32[]: the lines that a change of one cell reads. */
  lines: usize;
  /** Scratch, i32[]: a score for each cell of one column. */
  scores: usize;
  /** Scratch, i32[]: the steps between the scores of one column's runs. */
  runSteps: usize;
  /** How much the loss changes with the code that was found best last. */
  change: i64;
}

/** A column as the search sees it. */
@unmanaged
export class Field {
  /** The number of its cells. */
  size: u32;
  tree: bool;
  /** The number of its codes; of finer ones than cells, without missing, or 0; and what `cellAt` needs of them. */
  codes: u32;
  fine: u32;
  factor: u64;
  /** The number of levels of all its tables: the cells that a change of a category leaves, and enters. */
  levels: u32;
  /** The number of its links to tables, and of the first among them with at most one partner. */
  degree: u32;
  paired: u32;
  /** Link[degree + others]. */
  links: usize;
  /** The number of its links to workloads that are no tables; they come last, and have but a workload and an axis. */
  others: u32;
  /**
   * u32[runCount + 1]: the first codes of the runs of codes that all its workloads take for one, ascending, and the
   * number of codes; of a column with nothing but links to tables of its codes, no runs. And u16[codes + 1]: the run of
   * each code, and the number of runs.
   */
  runStarts: usize;
  runCount: u32;
  runOf: usize;
}

/** One workload of a column. */
@unmanaged
export class Link {
  workload: usize;
  /** Which of the workload's axes the column is. */
  axis: u32;
  /**
   * Where the code of the first other axis lies in a row, and how far a step of it moves in the copy; both in bytes.
   */
  partner: u32;
  stride: u32;
  /** The copy whose last axis it is. It comes last because it is read first, as in `sumLines`. */
  table: usize;
}

@unmanaged
export class Workload {
  /** The QUERY. */
  query: usize;
  /**
   * `order` copies, copyBytes(order) each: the table's pointer, then its stride in bytes for each axis. Of what is no
   * table, its residuals in the order of its answers.
   */
  copies: usize;
  /** Of what is no table, what its kind keeps. */
  state: usize;
}

@inline
export function fieldOf(search: Search, column: u32): Field {
  return changetype<Field>(search.fields + column * offsetof<Field>());
}

@inline
export function workloadOf(search: Search, index: u32): Workload {
  return changetype<Workload>(search.workloads + index * offsetof<Workload>());
}

/** The cells of a row, u16[width]. */
@inline
export function rowOf(search: Search, row: u32): usize {
  return search.codes + <usize>row * search.stride;
}

/** The first finer code of a cell: of a leaf, or missing. */
@inline
export function firstIn(field: Field, cell: u32): u32 {
  return (cell * field.fine + TREE_LEAVES - 1) / TREE_LEAVES;
}

/** The first code of a run. */
@inline
export function startOfRun(field: Field, run: u32): u32 {
  return load<u32>(field.runStarts + (<usize>run << 2));
}

@inline
export function copyBytes(order: u32): usize {
  return (order + 1) << 2;
}

@inline
export function copyOf(workload: Workload, order: u32, axis: u32): usize {
  return workload.copies + <usize>axis * copyBytes(order);
}

@inline
export function tableOf(copy: usize): usize {
  return load<usize>(copy);
}

@inline
export function strideOf(copy: usize, axis: u32): u32 {
  return load<u32>(copy + (<usize>axis << 2), 4);
}

/** One change of one cell: the code `value` for the cell. */
@unmanaged
export class Candidate {
  row: u32;
  column: u32;
  value: u32;
}

/** The code that a cell has. */
@inline
export function codeOf(search: Search, row: u32, column: u32): u32 {
  return load<u16>(rowOf(search, row) + search.finer + (<usize>column << 1));
}

/** A column that some workload has. */
@inline
export function activeColumn(search: Search, index: u32): u32 {
  return load<u32>(search.active + (<usize>index << 2));
}
