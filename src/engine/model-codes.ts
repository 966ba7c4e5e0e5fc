import type { CodeColumn } from "../core/table.js";
import type { Instance } from "./instance.js";
import { BLOCK_ROWS } from "./layout.js";
import { StoredCodes } from "./stored-codes.js";

/** A column of a table as queries see it. */
export interface ModelColumn {
  readonly stored: CodeColumn;
  /** Bytes of a stored code: 2 (u16), 4 (u32) or 8 (f64). */
  readonly bytes: number;
  /** The last code that queries see. All above it are read as that one. */
  readonly last: number;
  /** For grids: the first point of each code, the number of points, and the stored code of missing, if it can be. */
  readonly grid?: { readonly starts: Float64Array; readonly points: number; readonly missing: number | undefined };
}

/**
 * Writes the codes that queries see of columns, u16 each, block by block.
 * @param engine gets the codes, and needs a little memory meanwhile
 * @param blocks for each column, where the codes of each block are written
 * @param rows how many rows the columns have
 */
export function writeModelCodes(
  engine: Instance,
  columns: readonly ModelColumn[],
  blocks: readonly (readonly number[])[],
  rows: number,
): void {
  engine.scratch(() => {
    const widest = columns.reduce((most, { bytes }) => Math.max(most, bytes), 1);
    const buffer = engine.alloc(widest * Math.min(rows, BLOCK_ROWS));
    for (const [at, column] of columns.entries()) writeColumn(engine, column, buffer, blocks[at], rows);
    engine.exports.clear(buffer, widest * Math.min(rows, BLOCK_ROWS));
  });
}

function writeColumn(
  engine: Instance,
  column: ModelColumn,
  buffer: number,
  blocks: readonly number[],
  rows: number,
): void {
  const { bytes, last, grid } = column;
  engine.scratch(() => {
    const runs = grid
      ? engine.opened(
          engine.exports.runsOpen(
            ...([engine.place(grid.starts), grid.starts.length, grid.points, grid.missing ?? Number.NaN] as const),
          ),
        )
      : 0;
    eachBlock(engine, column, buffer, rows, (block, count) =>
      engine.exports.modelCodes(runs, buffer, bytes, count, last, blocks[block]),
    );
  });
}

/**
 * Copies a column's stored codes into an instance, one block after the other.
 * @param buffer where each block is copied to
 * @param use gets the number of the block that has been copied, and its rows
 */
export function eachBlock(
  engine: Instance,
  { stored, bytes }: ModelColumn,
  buffer: number,
  rows: number,
  use: (block: number, count: number) => void,
): void {
  const given = stored instanceof StoredCodes ? undefined : stored.codes;
  for (let block = 0, first = 0; first < rows; block++, first += BLOCK_ROWS) {
    const count = Math.min(BLOCK_ROWS, rows - first);
    if (given) engine.write(buffer, given.subarray(first, first + count));
    else {
      const { engine: store, blockAt } = stored as StoredCodes;
      engine.copy(buffer, store, blockAt(block), bytes * count);
    }
    use(block, count);
  }
}
