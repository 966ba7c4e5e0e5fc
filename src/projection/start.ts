import { Instance } from "../engine/instance.js";
import { STREAM_PUBLIC, STREAM_QUOTA } from "../engine/layout.js";

/** How a column is filled before a search: on its own, or given the codes of a column that was filled earlier. */
export interface StartColumn {
  readonly column: number;
  /** The column that it depends on. */
  readonly parent?: number;
  /**
   * Weights of its codes, 0 or more: one per code or, with a parent, one per code for each code of the parent. If all
   * are 0, the codes are equally frequent.
   */
  readonly weights: Float64Array;
}

/**
 * Fills a column with codes in proportion to their weights, as exactly as whole rows allow (systematic sampling), in
 * random order. With a parent, this is done separately for the rows of each of the parent's codes.
 * @param columns pointers to the u16 codes of all columns, `rows` codes each
 * @param size the number of codes of the column
 */
export function startColumn(
  instance: Instance,
  { column, parent, weights }: StartColumn,
  columns: readonly number[],
  rows: number,
  size: number,
  seed: number,
): void {
  const groups = weights.length / size;
  const offsets = randomWords(instance, groups, seed, STREAM_QUOTA, column);
  const held =
    parent === undefined ? Uint32Array.of(rows) : countCodes(instance.readU16(columns[parent], rows), groups);
  const sorted = new Uint16Array(rows);
  const starts = new Uint32Array(groups);
  let next = 0;
  for (let group = 0; group < groups; group++) {
    starts[group] = next;
    const quotas = systematicQuotas(
      weights.subarray(group * size, (group + 1) * size),
      held[group],
      offsets[group] / 2 ** 32,
    );
    for (const [code, quota] of quotas.entries()) {
      sorted.fill(code, next, next + quota);
      next += quota;
    }
  }
  const given = parent === undefined ? 0 : columns[parent];
  instance.scratch(() => {
    const order = instance.alloc(4 * rows);
    const places = [instance.place(sorted), instance.place(starts), order] as const;
    instance.exports.startColumn(columns[column], rows, given, ...places, seed, column);
  });
}

function countCodes(codes: Uint16Array, size: number): Uint32Array {
  const counts = new Uint32Array(size);
  for (const code of codes) counts[code]++;
  return counts;
}

/**
 * Systematic sampling: how many of `rows` equally spaced points, the first at `offset` of a step, fall within each
 * weight.
 */
function systematicQuotas(weights: Float64Array, rows: number, offset: number): Uint32Array {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (!(sum > 0))
    return systematicQuotas(
      weights.map(() => 1),
      rows,
      offset,
    );
  let reached = 0;
  let points = 0;
  return Uint32Array.from(weights, (weight) => {
    reached += weight;
    const before = points;
    points = Math.floor((reached / sum) * rows + offset);
    return points - before;
  });
}

/** The first words of a stream of the search's generator. */
function randomWords(instance: Instance, count: number, seed: number, purpose: number, id: number): Uint32Array {
  return instance.scratch(() => {
    const words = instance.alloc(4 * count);
    instance.exports.philoxWords(words, count, seed, purpose, id);
    return instance.readU32(words, count);
  });
}

/**
 * So many of some rows, in random order: a sample without replacement where there are more, each of them equally often
 * (to one) where there are fewer.
 * @param table codes, one array per attribute
 */
export function sampledRows(table: readonly Uint16Array[], rows: number, seed: number): Uint16Array[] {
  const words = randomWords(new Instance(), table[0]?.length ?? 0, seed, STREAM_PUBLIC, 0);
  const order = Uint32Array.from(words.keys()).sort((a, b) => words[a] - words[b] || a - b);
  return table.map((column) => Uint16Array.from({ length: rows }, (_, row) => column[order[row % order.length]]));
}
