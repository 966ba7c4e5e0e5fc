// Proposes a schema from a table's own rows: only for their owner, until each fact is confirmed.
import { StandinError } from "../core/errors.js";
import { host } from "../core/host.js";
import { factsRead } from "../domain/field.js";
import { Instance } from "../engine/instance.js";
import { asUtf8, type CsvSource, joined, slices } from "../files/bytes.js";
import { asSniffedUtf8 } from "../files/encoding.js";
import { type CsvOptions, feed } from "../files/feed.js";
import type { EngineReader } from "../files/hosted-reader.js";
import { RecordReader } from "../files/reader.js";
import { sniffDialect } from "../files/sniff.js";
import { type Descriptor, type Dialect, parseDialect } from "../schema/schema.js";
import { type ColumnProfile, isGap } from "./column-profile.js";
import { ProfiledRows } from "./profiled-rows.js";
import { proposeField } from "./propose-field.js";
import { recognisersFor } from "./recognise.js";

/** Options of a proposal. */
export interface ProposeOptions extends CsvOptions {
  /** The largest number of distinct texts of a column that are listed as its categories (default 50). */
  maxCategories?: number;
  /** How the table's file is written, as far as that is known. The rest is detected. */
  dialect?: Dialect;
  /** The spellings of missing cells, if they are known. */
  missingValues?: readonly string[];
}

/** A schema suggested by the rows, for their owner. NOT PRIVATE. */
export interface Proposal {
  readonly private: false;
  readonly descriptor: Descriptor;
  /** Notes for the owner: column names and counts, no cells. */
  readonly notes: readonly string[];
  /** The facts that were read from the rows, such as `age: minimum`. */
  readonly readFacts: readonly string[];
}

const MAX_CATEGORIES = 50;
/** Number of bytes at the start from which the dialect is detected. */
const HEAD = 65_536;

/**
 * Proposes a schema for a table: types, formats, categories, bounds, missing spellings, dialect and roles, each marked
 * as read from the rows. NOT PRIVATE: only for the table's owner, until `confirmFacts` declares the facts that are
 * known independently. Streams, in memory that depends only on the columns.
 * @throws {StandinError} `files/empty` if there is no header; `files/unreadable`; `schema/dialect` for an invalid
 *   dialect
 * @example
 * const { descriptor } = await nonPrivateProposal(new Blob(["sex,age\nF,31\nM,47\n"]));
 * descriptor.fields.length; // → 2
 */
export async function nonPrivateProposal(source: CsvSource, options: ProposeOptions = {}): Promise<Proposal> {
  const reader = new ProposalReader(options);
  const { statedEncoding } = reader;
  const recode = (chunks: AsyncGenerator<Uint8Array, void>) =>
    statedEncoding === undefined
      ? asSniffedUtf8(chunks, (name) => {
          reader.encoding = name;
        })
      : asUtf8(chunks, statedEncoding);
  return feed(source, recode, reader, options);
}

/**
 * Proposes a schema for a table as it is read.
 * @internal
 */
export class ProposalReader implements EngineReader<Proposal> {
  readonly engine = new Instance();
  readonly #stated: Dialect;
  readonly #maxCategories: number;
  readonly #missingValues: readonly string[] | undefined;
  /** The bytes that came before the dialect was detected. */
  #head: Uint8Array[] = [];
  #headLength = 0;
  #records: RecordReader<ProfiledRows> | undefined;
  #skipLines = 0;
  #delimiter = "";
  #headerLooksLikeRow = false;
  /** The name of the detected encoding, if it is not UTF-8. */
  encoding: string | undefined;

  /** @throws {StandinError} `schema/dialect` */
  constructor({ dialect, maxCategories = MAX_CATEGORIES, missingValues }: ProposeOptions) {
    this.#stated = statedOf(parseDialect({ dialect }));
    this.#maxCategories = maxCategories;
    this.#missingValues = missingValues;
  }

  /** The encoding's usual name, if it is stated. */
  get statedEncoding(): string | undefined {
    const { encoding } = this.#stated;
    return encoding && host().encoding(encoding);
  }

  get records(): ProfiledRows | undefined {
    return this.#records?.records;
  }

  push(bytes: Uint8Array): void {
    if (this.#records) {
      void this.#records.push(bytes);
      return;
    }
    this.#head.push(bytes.slice());
    this.#headLength += bytes.length;
    if (this.#headLength >= HEAD) this.#records = this.#start();
  }

  end(): Proposal {
    this.#records ??= this.#start();
    this.#records.end();
    const { profiles, rows } = this.#records.records!;
    const missing = this.#missingValues ?? spellingsOfMissing(profiles);
    const proposed = profiles.map((profile) => proposeField(profile, new Set(missing), this.#maxCategories));
    const descriptor = {
      fields: proposed.map(({ field }) => field),
      ...(missing.length ? { missingValues: missing } : {}),
      ...this.#dialect(missing),
    };
    const notes = proposed.flatMap(({ notes }) => notes);
    if (!rows)
      notes.unshift("The table has no rows, so only its column names were read: state their types and values by hand.");
    if (this.#headerLooksLikeRow)
      notes.unshift("The first line looks like a row, not like a header: put a line with the column names above it.");
    return { private: false, descriptor, notes, readFacts: factsRead(descriptor).map(({ text }) => text) };
  }

  close(): void {
    this.engine.exports.wipe();
    this.engine.drop();
  }

  #start(): RecordReader<ProfiledRows> {
    const head = joined(this.#head);
    this.#head = [];
    const { delimiter, skipLines } = sniffDialect(this.engine, head.subarray(0, HEAD), this.#stated);
    this.#delimiter = delimiter;
    this.#skipLines = skipLines;
    const records = new RecordReader(this.engine, skipLines, { delimiterOf: () => delimiter }, (header) => {
      if (!header.names.length)
        throw new StandinError(
          "files/empty",
          "The file is empty, or has no line after the skipped ones: there is no header.",
          "The first line names the columns.",
        );
      this.#headerLooksLikeRow = looksLikeRow(header.names, delimiter);
      return new ProfiledRows(this.engine, header, this.#missingValues);
    });
    for (const bytes of slices(head)) void records.push(bytes);
    return records;
  }

  /** The descriptor's members about the file, and which of them were detected. */
  #dialect(missing: readonly string[]): object {
    const told = {
      ...(this.#delimiter === "," ? {} : { delimiter: this.#delimiter }),
      ...(this.#skipLines ? { skipLines: this.#skipLines } : {}),
      ...(this.encoding === undefined ? {} : { encoding: this.encoding }),
    };
    const dialect = { ...told, ...this.#stated };
    const provenance = {
      ...(this.#headerLooksLikeRow ? { header: "read" } : {}),
      ...(missing.length && !this.#missingValues ? { missingValues: "read" } : {}),
      ...(Object.keys(told).some((member) => !(member in this.#stated)) ? { dialect: "read" } : {}),
    };
    return {
      ...(Object.keys(dialect).length ? { dialect } : {}),
      ...(Object.keys(provenance).length ? { standin: { provenance } } : {}),
    };
  }
}

/** The members that are set. */
function statedOf(dialect: Dialect): Dialect {
  return Object.fromEntries(Object.entries(dialect).filter(([, value]) => value !== undefined));
}

/**
 * The spellings of missing cells, most frequent first: blank texts, and known spellings in a column of typed values,
 * unless they are a truth value in another column.
 */
function spellingsOfMissing(profiles: readonly ColumnProfile[]): string[] {
  const times = new Map<string, number>();
  const words = new Set<string>();
  for (const profile of profiles) {
    const typed = profile.typed();
    const gaps = profile.gaps(typed?.recogniser);
    for (const [text, count] of gaps) times.set(text, (times.get(text) ?? 0) + count);
    if (typed?.recogniser.type === "boolean")
      for (const word of profile.values(new Set(gaps.map(([text]) => text)))) words.add(word);
  }
  return [...times]
    .filter(([text]) => !words.has(text))
    .sort(([, one], [, other]) => other - one)
    .map(([text]) => text);
}

/**
 * Whether no cell of a header is a name: each may mean missing or is a value of some type, and not all may mean
 * missing.
 */
function looksLikeRow(header: readonly string[], delimiter: string): boolean {
  const recognisers = recognisersFor("", delimiter);
  const filled = header.map((cell) => cell.trim()).filter((cell) => !isGap(cell));
  const isValue = (cell: string) => recognisers.some((recogniser) => recogniser.read(cell));
  return filled.length > 0 && filled.every(isValue);
}
