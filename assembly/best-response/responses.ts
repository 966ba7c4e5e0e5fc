// Records that satisfy as many weighted queries as can be found: the best responses of DualQuery, and of FEM, which
// adds a random pull on every code. Coordinate ascent with restarts, four records at a time, one per lane: a column
// takes the code with the largest gain, given those of the other columns. A lane's result depends on no other lane.
import { STREAM_RESPONSE } from "../layout";
import { logarithm } from "../elementary";
import { below, drawWords, word } from "../philox";

/** In the first sweep, a query with u other codes unmet still counts for this to the power of u. */
const SLACK: f32 = 0.2;
/** Sweeps end once no record changes. Rounding could let one go round in circles, but not for longer than this. */
const MOST_SWEEPS: i32 = 40;

/** A column of a block: its number of codes; where its entries begin in the index; the first of its lines. */
const COLUMN_BYTES: usize = 12;
const SIZE: usize = 0;
const ENTRIES: usize = 4;
const LINE: usize = 8;
/** An entry of the index: a query that has the column, and the place of the column in it. */
const ENTRY_BYTES: usize = 8;

let columns: u32 = 0;
let layout: usize = 0; // columns + 1 of them: the last one says where everything ends
let entries: usize = 0;
let pulls: usize = 0; // f32[lines][4]
let gains: usize = 0; // f32[codes of a column][4]
let codes: usize = 0; // u32[columns][4]
let found: usize = 0; // u32[columns][4]: the best so far
let values: usize = 0; // f32[4]: what it is worth
let list: usize = 0;
let listEnd: usize = 0;

/**
 * The bytes of scratch that `bestResponses` needs.
 * @param cells how many codes all columns have
 * @param literals how many codes all queries have
 */
export function responseScratch(width: u32, cells: u32, literals: u32): usize {
  return (width + 1) * COLUMN_BYTES + literals * ENTRY_BYTES + ((2 * <usize>cells + 2 * width + 1) << 4) + 16;
}

/**
 * Finds, for each record, codes with a large sum of the weights of the queries that they satisfy and of their pulls.
 * @param sizes u32[width]: how many codes each column has
 * @param queries the queries, one after the other, `bytes` in total: the weight (i32, not 0), the number of codes, then
 * the column and the code of each, in ascending order of columns (u32)
 * @param records how many records are sought, independently of each other
 * @param restarts how many times each is sought, 1 or more; the best one is kept
 * @param scale pulls are −scale times exponential variates, one for each record and code; with 0 there are none
 * @param round the id of the stream of random words
 * @param scratch responseScratch(…) bytes, aligned to 16
 * @param out u16[width][records]
 * @param worth f32[records]: the sums
 */
export function bestResponses(
  sizes: usize,
  width: u32,
  queries: usize,
  bytes: usize,
  records: u32,
  restarts: u32,
  scale: f64,
  seed: u32,
  round: u32,
  scratch: usize,
  out: usize,
  worth: usize,
): void {
  columns = width;
  list = queries;
  listEnd = queries + bytes;
  const count = lay(sizes, scratch);
  const cells = lineOf(width);
  const words = <u64>(scale > 0 ? cells : 0) + <u64>restarts * (width + 1);
  for (let first: u32 = 0; first < records; first += 4) {
    for (let lane: u32 = 0; lane < 4; lane++) {
      store<f32>(values + (lane << 2), -f32.MAX_VALUE);
      drawPulls(lane, scale, cells, seed, round, words * (first + lane));
    }
    for (let restart: u32 = 0; restart < restarts; restart++) {
      for (let lane: u32 = 0; lane < 4; lane++)
        start(lane, restart ? count : 0, seed, round, words * (first + lane + 1) - <u64>(restart + 1) * (width + 1));
      ascend();
      keepBetter();
    }
    for (let lane: u32 = 0; lane < min(4, records - first); lane++) {
      store<f32>(worth + ((first + lane) << 2), load<f32>(values + (lane << 2)));
      for (let column: u32 = 0; column < width; column++)
        store<u16>(out + ((column * records + first + lane) << 1), <u16>load<u32>(found + at(column, lane)));
    }
  }
}

/** Lays out the scratch, and lists the queries of each column. Returns how many queries there are. */
function lay(sizes: usize, scratch: usize): u32 {
  layout = scratch;
  entries = layout + (columns + 1) * COLUMN_BYTES;
  memory.fill(layout, 0, (columns + 1) * COLUMN_BYTES);
  let count: u32 = 0;
  let literals: u32 = 0;
  for (let query = list; query < listEnd; query = after(query), count++)
    for (let literal = query + 8; literal < after(query); literal += 8, literals++) {
      const column = layout + (load<u32>(literal) + 1) * COLUMN_BYTES;
      store<u32>(column, load<u32>(column, ENTRIES) + 1, ENTRIES);
    }
  let cells: u32 = 0;
  let before: u32 = 0;
  for (let column: u32 = 0; column <= columns; column++) {
    const at = layout + column * COLUMN_BYTES;
    const size = column < columns ? load<u32>(sizes + (column << 2)) : 0;
    before += load<u32>(at, ENTRIES);
    store<u32>(at, size, SIZE);
    store<u32>(at, before, ENTRIES);
    store<u32>(at, cells, LINE);
    cells += size;
  }
  // Every column's entries are filled from the beginning, which thereby moves to where the next column's begin.
  for (let query = list; query < listEnd; query = after(query))
    for (let literal = query + 8; literal < after(query); literal += 8) {
      const column = layout + load<u32>(literal) * COLUMN_BYTES;
      const place = load<u32>(column, ENTRIES);
      store<u32>(entries + place * ENTRY_BYTES, query);
      store<u32>(entries + place * ENTRY_BYTES, literal, 4);
      store<u32>(column, place + 1, ENTRIES);
    }
  pulls = (entries + literals * ENTRY_BYTES + 15) & ~15;
  gains = pulls + (<usize>cells << 4);
  codes = gains + (<usize>cells << 4);
  found = codes + (<usize>columns << 4);
  values = found + (<usize>columns << 4);
  return count;
}

/** Where the entries of a column end; they begin where those of the one before it end. */
@inline
function entriesEnd(column: i32): u32 {
  return column < 0 ? 0 : load<u32>(layout + <usize>column * COLUMN_BYTES, ENTRIES);
}

@inline
function lineOf(column: u32): u32 {
  return load<u32>(layout + column * COLUMN_BYTES, LINE);
}

@inline
function after(query: usize): usize {
  return query + 8 + (load<u32>(query, 4) << 3);
}

@inline
function at(line: u32, lane: u32): usize {
  return (<usize>line << 4) + (lane << 2);
}

/** Draws the pulls of one record, from a word of the stream on. */
function drawPulls(lane: u32, scale: f64, cells: u32, seed: u32, round: u32, first: u64): void {
  for (let line: u32 = 0; line < cells; line++) {
    let pull: f64 = 0;
    if (scale > 0) pull = scale * logarithm((<f64>wordAt(seed, round, first + line, !line) + 0.5) / 4294967296);
    store<f32>(pulls + at(line, lane), <f32>pull);
  }
}

/** A word of the stream, the next one after the last unless it is the first. */
@inline
function wordAt(seed: u32, round: u32, index: u64, isFirst: bool): u32 {
  if (isFirst || !(index & 15)) drawWords(seed, STREAM_RESPONSE, round, index >> 4);
  return word(<u32>index);
}

/**
 * Where the ascent of one record starts: random codes; but those with the largest pull, if there are pulls; and those
 * of one of the first `count` queries, if there are any, chosen at random.
 */
function start(lane: u32, count: u32, seed: u32, round: u32, first: u64): void {
  for (let column: u32 = 0; column < columns; column++) {
    const size = load<u32>(layout + column * COLUMN_BYTES, SIZE);
    const line = lineOf(column);
    let code = below(size, wordAt(seed, round, first + column, !column));
    for (let other: u32 = 0; other < size; other++)
      if (load<f32>(pulls + at(line + other, lane)) > load<f32>(pulls + at(line + code, lane))) code = other;
    store<u32>(codes + at(column, lane), code);
  }
  let chosen = below(count, wordAt(seed, round, first + columns, false));
  if (!count) return;
  let query = list;
  for (; chosen > 0; chosen--) query = after(query);
  for (let literal = query + 8; literal < after(query); literal += 8)
    store<u32>(codes + at(load<u32>(literal), lane), load<u32>(literal, 4));
}

/** Sweeps over the columns, once with slack, then until no record changes. */
function ascend(): void {
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    const slack: f32 = sweep ? 0 : SLACK;
    let changed = false;
    for (let column: u32 = 0; column < columns; column++) {
      gather(column, slack);
      changed = move(column) || changed;
    }
    if (!changed && slack == 0) return;
  }
}

/** Fills `gains` with what each code of a column would add: its pull, and the weights of the queries it satisfies. */
function gather(column: u32, slack: f32): void {
  memory.copy(gains, pulls + at(lineOf(column), 0), load<u32>(layout + column * COLUMN_BYTES, SIZE) << 4);
  let entry = entries + entriesEnd(<i32>column - 1) * ENTRY_BYTES;
  for (const end = entries + entriesEnd(column) * ENTRY_BYTES; entry < end; entry += ENTRY_BYTES) {
    const query = load<u32>(entry);
    const own = load<u32>(entry, 4);
    addWeight(query, own, slack, gains + ((<usize>load<u32>(own, 4)) << 4));
  }
}

/**
 * Adds a query's weight at `sums` (f32[4]), times `slack` for every code that a record does not meet, apart from the
 * one at `own`.
 */
function addWeight(query: usize, own: usize, slack: f32, sums: usize): void {
  const end = after(query);
  const weight = <f32>load<i32>(query);
  if (ASC_FEATURE_SIMD) {
    let factors = f32x4.splat(weight);
    for (let literal = query + 8; literal < end; literal += 8) {
      if (literal == own) continue;
      const meets = i32x4.eq(v128.load(codes + at(load<u32>(literal), 0)), v128.load32_splat(literal, 4));
      factors = f32x4.mul(factors, v128.bitselect(f32x4.splat(1), f32x4.splat(slack), meets));
    }
    v128.store(sums, f32x4.add(v128.load(sums), factors));
  } else
    for (let lane: u32 = 0; lane < 4; lane++) {
      let factor = weight;
      for (let literal = query + 8; literal < end; literal += 8) {
        if (literal == own) continue;
        factor *= load<u32>(codes + at(load<u32>(literal), lane)) == load<u32>(literal, 4) ? 1 : slack;
      }
      store<f32>(sums + (lane << 2), load<f32>(sums + (lane << 2)) + factor);
    }
}

/** Gives a column the code with the largest gain, the first of them, unless the present one's is as large. */
function move(column: u32): bool {
  const size = load<u32>(layout + column * COLUMN_BYTES, SIZE);
  const place = codes + at(column, 0);
  let changed = false;
  if (ASC_FEATURE_SIMD) {
    const present = v128.load(place);
    let best = f32x4(
      load<f32>(gains + at(load<u32>(place), 0)),
      load<f32>(gains + at(load<u32>(place, 4), 1)),
      load<f32>(gains + at(load<u32>(place, 8), 2)),
      load<f32>(gains + at(load<u32>(place, 12), 3)),
    );
    let chosen = present;
    for (let code: u32 = 0; code < size; code++) {
      const gain = v128.load(gains + at(code, 0));
      const isLarger = f32x4.gt(gain, best);
      best = v128.bitselect(gain, best, isLarger);
      chosen = v128.bitselect(i32x4.splat(code), chosen, isLarger);
    }
    v128.store(place, chosen);
    changed = !i32x4.all_true(i32x4.eq(chosen, present));
  } else
    for (let lane: u32 = 0; lane < 4; lane++) {
      let chosen = load<u32>(place + (lane << 2));
      for (let code: u32 = 0; code < size; code++)
        if (load<f32>(gains + at(code, lane)) > load<f32>(gains + at(chosen, lane))) {
          chosen = code;
          changed = true;
        }
      store<u32>(place + (lane << 2), chosen);
    }
  return changed;
}

/** Keeps the codes of the records that are worth more than those before. */
function keepBetter(): void {
  memory.fill(gains, 0, 16);
  for (let column: u32 = 0; column < columns; column++)
    for (let lane: u32 = 0; lane < 4; lane++) {
      const sum = gains + (lane << 2);
      store<f32>(
        sum,
        load<f32>(sum) + load<f32>(pulls + at(lineOf(column) + load<u32>(codes + at(column, lane)), lane)),
      );
    }
  for (let query = list; query < listEnd; query = after(query)) addWeight(query, 0, 0, gains);
  for (let lane: u32 = 0; lane < 4; lane++) {
    const sum = load<f32>(gains + (lane << 2));
    if (sum <= load<f32>(values + (lane << 2))) continue;
    store<f32>(values + (lane << 2), sum);
    for (let column: u32 = 0; column < columns; column++)
      store<u32>(found + at(column, lane), load<u32>(codes + at(column, lane)));
  }
}
