/**
 * A search whose queries are all tables of codes, as it is when a device takes copies. All of it is synthetic rows and
 * noisy answers.
 */
export interface SearchTables {
  /** The MAP (assembly/search-layout.ts). */
  readonly map: Uint32Array;
  /** The tables: `map[MAP_TABLES_LENGTH]` residuals. */
  readonly residuals: Int32Array;
  /** The rows, one after the other: `map[MAP_ROWS]` × `map[MAP_WIDTH]` codes. */
  readonly codes: Uint16Array;
}

/** Copies of a search's tables and rows on a device, which looks at cells much faster than the engine. */
export interface SearchDevice {
  /**
   * The cells of rows in which some code would lower the loss, as the engine's `findMoves` writes them:
   * ⌈`map[MAP_ACTIVE]` ÷ 32⌉ words a row.
   * @param rows their numbers; none comes twice
   * @throws {StandinError} `gpu/lost`
   */
  findMoves(rows: Uint32Array): Promise<Uint32Array>;
  /**
   * How much each of some one-cell changes would change the loss, as the engine's `scoreCandidates` writes it.
   * @param candidates of each, a row, a column with a query, and a code
   * @throws {StandinError} `gpu/lost`
   */
  score(candidates: Uint32Array): Promise<BigInt64Array>;
  /**
   * Gives rows other codes. The tables follow.
   * @param rows their numbers; none comes twice
   * @param codes all codes that they have now, row after row
   * @throws {StandinError} `gpu/lost`
   */
  change(rows: Uint32Array, codes: Uint16Array): void;
  /** Gives the memory back. */
  close(): void;
}
