// The runs of a column's codes that no workload of a search distinguishes: each is scored as one candidate. Only
// columns with finer codes than cells have runs of several codes.
import { isTable, kindOf } from "../queries/index";
import { cellAt, codesOf, columnOf, fineOf, orderOf } from "../queries/query";
import { block, take } from "./block";
import { Field, Link, Run, Search, Workload, fieldOf, firstIn, runAt } from "./search";

/** Finds the runs of codes of the columns that have more than tables of their codes. */
export function openRuns(search: Search): void {
  let most: u32 = 0;
  for (let column: u32 = 0; column < search.width; column++) {
    const field = fieldOf(search, column);
    if (!field.others && !field.fine) continue;
    const codes = field.codes;
    const runOf = take((<usize>codes + 1) << 1);
    field.runOf = runOf;
    markRuns(field);
    let count: u32 = 0;
    for (let code: u32 = 0; code < codes; code++) count += load<u16>(runOf + (<usize>code << 1));
    field.runs = take((<usize>count + 1) * offsetof<Run>());
    let index: u32 = 0;
    for (let code: u32 = 0; code < codes; code++) {
      const place = runOf + (<usize>code << 1);
      if (load<u16>(place)) {
        const run = runAt(field, index++);
        run.first = code;
        run.cell = field.fine ? cellAt(code, field.factor) : code;
      }
      store<u16>(place, index - 1);
    }
    runAt(field, count).first = codes;
    store<u16>(runOf + (<usize>codes << 1), count);
    field.runCount = count;
    most = max(most, count);
  }
  if (most) search.runSteps = take((<usize>most + 1) << 2);
}

/**
 * Writes a 1 for each code that begins a run: of fine codes, the first of each cell and those that a workload marks.
 */
function markRuns(field: Field): void {
  if (!field.fine) {
    for (let code: u32 = 0; code < field.codes; code++) store<u16>(field.runOf + (<usize>code << 1), 1);
    return;
  }
  for (let cell: u32 = 0; cell < field.size; cell++) store<u16>(field.runOf + (<usize>firstIn(field, cell) << 1), 1);
  const links = field.links + field.degree * offsetof<Link>();
  for (let at = links, end = links + field.others * offsetof<Link>(); at < end; at += offsetof<Link>()) {
    const link = changetype<Link>(at);
    const query = changetype<Workload>(link.workload).query;
    kindOf(query).markCodes(query, link.axis, field.runOf);
  }
}

/** Whether rows have finer codes than cells in some column. */
export function isFiner(queries: usize, count: u32): bool {
  for (let index: u32 = 0; index < count; index++) {
    const query = load<usize>(queries + (<usize>index << 2));
    for (let axis: u32 = 0; axis < orderOf(query); axis++) if (fineOf(query, axis)) return true;
  }
  return false;
}

/** The most bytes that the runs of all columns take, and the steps between the scores of one column's. */
export function runBytes(queries: usize, count: u32, width: u32): f64 {
  let bytes: f64 = 0;
  let most: u32 = 0;
  for (let column: u32 = 0; column < width; column++) {
    const codes = codesWithRuns(queries, count, column);
    if (codes) bytes += block(<f64>(codes + 1) * offsetof<Run>()) + block(2 * (<f64>codes + 1));
    most = max(most, codes);
  }
  return bytes + (most ? block(4 * (<f64>most + 1)) : 0);
}

/** How many codes a column has, if a search distinguishes runs of them; otherwise 0. */
function codesWithRuns(queries: usize, count: u32, column: u32): u32 {
  let codes: u32 = 0;
  for (let index: u32 = 0; index < count; index++) {
    const query = load<usize>(queries + (<usize>index << 2));
    for (let axis: u32 = 0; axis < orderOf(query); axis++)
      if (columnOf(query, axis) == column && (!isTable(query) || fineOf(query, axis))) codes = codesOf(query, axis);
  }
  return codes;
}
