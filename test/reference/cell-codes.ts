/** How the cells of a column become codes. */
export interface ColumnRule {
  readonly kind: "category" | "grid" | "person" | "text";
  readonly missingValues: readonly string[];
  /**
   * The code of a missing spelling, of a cell that its record lacks (`undefined`: as an empty one), and of other texts.
   */
  readonly missing: number;
  readonly absent: number | undefined;
  readonly otherwise: number;
  /** Category c is written as `labels[c]`; other spellings have their code. */
  readonly labels: readonly string[];
  readonly others: ReadonlyMap<string, number>;
  /** The canonical text of the number that a text states. */
  readonly canonical?: (text: string) => string | undefined;
  /** The grid point of a text. */
  readonly point?: (text: string) => number | undefined;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The codes of a column's cells, `undefined` for those that their records lack. Persons are numbered as they come. */
export function cellCodes(rule: ColumnRule, cells: readonly (Uint8Array | undefined)[]): number[] {
  const persons: string[] = [];
  const codeOf = (bytes: Uint8Array): number => {
    const text = decoder.decode(bytes);
    if (rule.missingValues.includes(text)) return rule.missing;
    if (rule.kind === "person") {
      const person = bytes.join();
      if (!persons.includes(person)) persons.push(person);
      return persons.indexOf(person);
    }
    return (rule.kind === "grid" ? rule.point!(text) : categoryOf(rule, text)) ?? rule.otherwise;
  };
  return cells.map((bytes) => (bytes ? codeOf(bytes) : (rule.absent ?? codeOf(new Uint8Array(0)))));
}

function categoryOf({ labels, others, canonical }: ColumnRule, text: string): number | undefined {
  const written = (spelling: string) => (labels.includes(spelling) ? labels.indexOf(spelling) : others.get(spelling));
  const number = canonical?.(text);
  return written(text) ?? written(text.trim()) ?? (number === undefined ? undefined : others.get(number));
}
