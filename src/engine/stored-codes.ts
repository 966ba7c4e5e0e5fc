import { StandinError } from "../core/errors.js";
import type { CodeColumn, Codes } from "../core/table.js";
import type { Instance } from "./instance.js";
import { BLOCK_ROWS } from "./layout.js";

/** Codes of a table's rows that an instance of the engine holds, in blocks of BLOCK_ROWS. */
export class StoredCodes implements CodeColumn {
  readonly #engine: Instance;

  /**
   * @param bytes of a code: 2 (u16), 4 (u32) or 8 (f64)
   * @param blockAt where the codes of a block begin
   */
  constructor(
    engine: Instance,
    readonly length: number,
    readonly bytes: number,
    readonly blockAt: (block: number) => number,
  ) {
    this.#engine = engine;
  }

  /** @throws {StandinError} `table/wiped` */
  get engine(): Instance {
    this.expectRows();
    return this.#engine;
  }

  /** @throws {StandinError} `table/wiped` */
  expectRows(): void {
    if (this.#engine.isDropped)
      throw new StandinError("table/wiped", "The rows of this table were overwritten.", "Read the table again.");
  }

  /** @throws {StandinError} `table/wiped` */
  get codes(): Codes {
    const { engine, length, bytes } = this;
    const codes =
      bytes === 2 ? new Uint16Array(length) : bytes === 4 ? new Uint32Array(length) : new Float64Array(length);
    for (let row = 0, block = 0; row < length; row += BLOCK_ROWS, block++)
      engine.read(this.blockAt(block), codes.subarray(row, row + BLOCK_ROWS));
    return codes;
  }
}

/** Writes all codes of a column to memory of an instance, one after the other. */
export function writeCodes(engine: Instance, column: CodeColumn, pointer: number): void {
  if (!(column instanceof StoredCodes)) {
    engine.write(pointer, column.codes);
    return;
  }
  const { engine: store, length, bytes, blockAt } = column;
  for (let row = 0, block = 0; row < length; row += BLOCK_ROWS, block++)
    engine.copy(pointer + bytes * row, store, blockAt(block), bytes * Math.min(BLOCK_ROWS, length - row));
}
