// What a vault takes of the arena, known without one: plans state it. Neither the door nor the queries know each other,
// so this stands beside them.
import { BLOCK_ROWS, KEY_BYTES, VAULT_CELLS, VAULT_QUERIES } from "./layout";
import { selectScratch } from "./privacy/exponential";
import { SLOT_BYTES } from "./privacy/reservoir";
import { answerScratch, isTable } from "./queries/index";
import { bytesOf, cellsOf, orderOf, sizeOf } from "./queries/query";

/** Most bytes that an allocation is padded by. */
const PADDING = 16;
/** Bytes of what a list of calls holds of one query, and of what it holds of one block of rows. */
const CALLS_BYTES = 192;
const BLOCK_BYTES = 8;
/** For each row of a table of persons, while the rows that stay are chosen: its person, the person's slot, a mark. */
const CHOOSING_BYTES = 4 + SLOT_BYTES + 1;

/**
 * The most that a vault and its host take of the arena, in bytes, where one instance counts: the key and the rows; then
 * either what loading takes, with the choice of each person's rows, or the kept counts of all candidates, and the
 * counts of a query, or of several that are counted together, or one selection.
 * @param queries u32[count]: pointers to the QUERY structs of what is measured, by codes, then of the candidates
 * @param groups how many of them are candidates, or groups of candidates
 * @param candidates how many candidates these are
 * @param picks how many of them are chosen together at most
 * @param width columns of the table
 * @param rows a whole number
 * @param persons whether the unit is a person
 * @param loading the bytes that loading one column takes
 */
export function vaultBytes(
  queries: usize,
  count: u32,
  groups: u32,
  candidates: u32,
  picks: u32,
  width: u32,
  rows: f64,
  persons: bool,
  loading: f64,
): f64 {
  let largest: f64 = 0;
  let widest: f64 = 0;
  let all: f64 = 0;
  let kept: f64 = 0;
  let targets: f64 = 0;
  let scratch: f64 = 0;
  for (let index: u32 = 0; index < count; index++) {
    const query = load<usize>(queries + (<usize>index << 2));
    const answers = 4 * <f64>cellsOf(query) + PADDING;
    // Of tables, counts by codes and by groups of codes; the struct for each, the group of each code, and the sizes of
    // axes along which counts are centred.
    const times: f64 = isTable(query) ? 2 : 1;
    const structs = times * (bytesOf(query) + PADDING) + mapBytes(query) + CALLS_BYTES;
    largest = max(largest, times * answers + structs);
    widest = max(widest, 2 * PADDING + structs);
    all += times * answers + structs;
    scratch = max(scratch, answerScratch(query));
    if (index < count - groups) continue;
    kept += answers;
    targets = max(targets, answers);
  }
  const blocks = Math.ceil(rows / BLOCK_ROWS);
  const together = min(all, 2 * 4 * VAULT_CELLS + VAULT_QUERIES * widest);
  const counting = max(largest, together) + blocks * BLOCK_BYTES + scratch + 2 * PADDING;
  const compared = max(targets, min(kept, 4 * VAULT_CELLS + VAULT_QUERIES * PADDING)) + VAULT_QUERIES * CALLS_BYTES;
  // Of groups, which members are compared.
  const places: f64 = candidates > groups ? 4 * <f64>candidates + VAULT_QUERIES * PADDING : 0;
  const choosing = <f64>picks * 4 + selectScratch(candidates, picks);
  const selecting = <f64>candidates * 8 + max(compared + places, choosing) + 4 * PADDING;
  const loaded = 2 * rows * width + blocks * (<f64>width * (4 + PADDING) + PADDING);
  const keeping = persons ? CHOOSING_BYTES * rows + 3 * PADDING : 0;
  return KEY_BYTES + PADDING + loaded + max(keeping + loading, kept + max(counting, selecting));
}

function mapBytes(query: usize): f64 {
  let bytes = 8 * <f64>orderOf(query) + 2 * PADDING;
  for (let axis: u32 = 0; axis < orderOf(query); axis++) bytes += 4 * <f64>sizeOf(query, axis) + PADDING;
  return bytes;
}
