// What a GPU needs to know of a QUERY that it counts.
import {
  AXIS_BYTES,
  AXIS_COLUMN,
  AXIS_FINE,
  AXIS_MISSING,
  AXIS_SIZE,
  HALF_SPACES_CELLS,
  HALF_SPACES_ROLES,
  KIND_HALF_SPACES,
  KIND_TABLE,
  QUERY_AXES,
  QUERY_CELLS,
  QUERY_KIND,
  QUERY_ORDER,
  RANGES_CELLS,
  RANGES_DIVIDED,
  ROLE_CODES,
  ROLE_DIVIDED,
  ROLE_VALUES,
} from "../engine/layout.js";

/** A column whose codes divide every box, or every member. */
interface Divided {
  readonly column: number;
  readonly size: number;
}

/** A query and its parts. */
export class Counted {
  readonly kind: number;
  /** All of its cells, and the last of them, which are counted: all but a tree's coarser levels. */
  readonly cells: number;
  readonly finest: number;
  /** The cells of one box, or of one member of a set. */
  readonly each: number;
  readonly divided: readonly Divided[];
  /** Of half-spaces, how many coordinates members have, and how many axes these are of. */
  readonly coordinates: number = 0;
  readonly dimensions: number = 0;

  constructor(readonly words: Uint32Array) {
    const order = words[QUERY_ORDER / 4];
    const axes = Array.from({ length: order }, (_, axis) => {
      const at = (QUERY_AXES + axis * AXIS_BYTES) / 4;
      const [size, fine] = [words[at + AXIS_SIZE / 4], words[at + AXIS_FINE / 4]];
      const missing = words[at + AXIS_MISSING / 4];
      return { column: words[at + AXIS_COLUMN / 4], size, missing, codes: fine ? fine + missing : size };
    });
    const parameters = (QUERY_AXES + order * AXIS_BYTES) / 4;
    this.kind = words[QUERY_KIND / 4];
    this.cells = words[QUERY_CELLS / 4];
    this.finest = this.cells;
    this.each = 1;
    this.divided = [];
    if (this.kind === KIND_TABLE) this.finest = axes.reduce((product, { size }) => product * size, 1);
    else if (this.kind === KIND_HALF_SPACES) {
      const roles = words.subarray(parameters + HALF_SPACES_ROLES / 4);
      this.each = words[parameters + HALF_SPACES_CELLS / 4];
      this.divided = axes.filter((_, axis) => roles[axis] === ROLE_DIVIDED);
      for (const [axis, { codes, missing }] of axes.entries()) {
        if (roles[axis] !== ROLE_CODES && roles[axis] !== ROLE_VALUES) continue;
        this.coordinates += roles[axis] === ROLE_CODES ? codes : 1 + missing;
        this.dimensions++;
      }
    } else {
      this.each = words[parameters + RANGES_CELLS / 4];
      this.divided = axes.filter((_, axis) => (words[parameters + RANGES_DIVIDED / 4] >>> axis) & 1);
    }
  }
}

/**
 * The order of rows by the cell that they have in every box or member.
 * @param codes one array per column, `rows` long
 */
export function sortedByCell(divided: readonly Divided[], codes: readonly Uint16Array[], rows: number): Uint32Array {
  // Cells are below 2^26, and rows that fit a buffer below 2^27.
  const keys = new Float64Array(rows);
  for (const { column, size } of divided)
    for (let row = 0; row < rows; row++) keys[row] = keys[row] * size + codes[column][row];
  for (let row = 0; row < rows; row++) keys[row] = keys[row] * rows + row;
  return Uint32Array.from(keys.sort(), (key) => key % rows);
}
