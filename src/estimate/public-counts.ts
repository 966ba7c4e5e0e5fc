import type { Attribute } from "../domain/attribute.js";
import { RowAnswers } from "../queries/row-answers.js";

/** Exact counts of rows that everyone may see. Each is counted once. */
export class PublicCounts {
  readonly #counts = new Map<string, Int32Array>();

  /** @param codes one array per attribute, each `rows` long */
  constructor(
    readonly attributes: readonly Attribute[],
    readonly codes: readonly Uint16Array[],
    readonly rows: number,
  ) {}

  /** The counts of all combinations of the columns' codes, for each set of columns, row-major. */
  of(sets: readonly (readonly number[])[]): readonly Int32Array[] {
    const missing = sets.filter((columns) => !this.#counts.has(columns.join()));
    if (missing.length) {
      const answers = RowAnswers.ofCodes(this.attributes, this.codes);
      for (const columns of missing) this.#counts.set(columns.join(), answers.of({ kind: "marginal", columns }));
      answers.drop();
    }
    return sets.map((columns) => this.#counts.get(columns.join())!);
  }
}
