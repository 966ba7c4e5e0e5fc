// What the columns of a table hold, as far as a proposal needs it.
import type { Instance } from "../engine/instance.js";
import { columnNames } from "../files/header.js";
import { type EngineBytes, type Header, writeInto } from "../files/reader.js";
import { TableReader } from "../files/table-reader.js";
import { ColumnProfile, REMEMBERED } from "./column-profile.js";
import { recognisersFor } from "./recognise.js";

/** Takes the texts of all cells out of the engine as they are read, each distinct one once as far as it is counted. */
export class ProfiledRows implements EngineBytes {
  readonly profiles: readonly ColumnProfile[];
  readonly #engine: Instance;
  readonly #reader: TableReader;
  readonly #missingValues: readonly string[] | undefined;
  /** The texts of each column that the engine counts. */
  readonly #counted: readonly (string | undefined)[][];

  /** @param missingValues the spellings of missing cells, if they are known: cells that have them are left out */
  constructor(
    engine: Instance,
    { names, delimiter, endsInReturn }: Header,
    missingValues: readonly string[] | undefined,
  ) {
    this.profiles = columnNames(names).map((name) => new ColumnProfile(name, recognisersFor(name, delimiter)));
    this.#engine = engine;
    this.#counted = this.profiles.map(() => []);
    this.#missingValues = missingValues;
    const columns = this.profiles.map(() => ({ kind: "text", limit: REMEMBERED }) as const);
    this.#reader = new TableReader(engine, delimiter, columns, endsInReturn);
  }

  get rows(): number {
    return this.#reader.rows;
  }

  push(bytes: Uint8Array): void {
    writeInto(this.#engine, this, bytes);
  }

  room(bytes: number): number {
    return this.#reader.room(bytes);
  }

  took(bytes: number): void {
    this.#reader.took(bytes);
    this.#takeSeen();
  }

  end(): void {
    this.#reader.end();
    this.#takeSeen();
    this.#takeCounts();
  }

  /** Takes the texts that columns have seen: those that occur for the first time, and those that are not counted. */
  #takeSeen(): void {
    for (const [place, counted] of this.#counted.entries())
      for (const { text, number } of this.#reader.seen(place)) {
        if (number !== undefined) counted[number] = text;
        this.#add(place, text, 1);
      }
  }

  /** Takes the texts that occurred again. */
  #takeCounts(): void {
    for (const [place, counted] of this.#counted.entries()) {
      const counts = this.#reader.counts(place);
      for (const [number, text] of counted.entries())
        if (counts[number] > 1) this.#add(place, text, counts[number] - 1);
    }
  }

  /**
   * @param text `undefined` for cells that their records lack, which are like empty ones, but never known to be missing
   */
  #add(place: number, text: string | undefined, times: number): void {
    if (text === undefined || !this.#missingValues?.includes(text)) this.profiles[place].add(text ?? "", times);
  }
}
