import type { Value } from "../core/table.js";
import { thousands } from "../core/thousands.js";
import { canonical } from "../notation/numbers.js";
import { shown, strings, wrong } from "../notation/validate.js";
import { lacking, remedy, textOf, type ValueType } from "./value-type.js";

/** A finite list of values: code c is `labels[c]`. */
export interface CategoryDomain {
  readonly kind: "category";
  /** The text that is written for each code. */
  readonly labels: readonly string[];
  /** The value for each code. */
  readonly values: readonly Value[];
  /**
   * Other spellings that are read as a code: the spellings of booleans; for numbers and dates, the canonical text of
   * their number.
   */
  readonly spellings: ReadonlyMap<string, number>;
  /** The code of unlisted values, where the schema names one. */
  readonly other: number | undefined;
}

/** Codes are u16, and the last two stay free for "missing" and "none". */
export const MOST_CATEGORIES = 65_534;

/**
 * The categories of an `enum`, and the one for unlisted values. All are values of the field's type. They are written as
 * listed, except JSON numbers, which are written in the field's notation. Categories that are numbers, dates or times
 * also match any other spelling of the same value.
 * @throws {StandinError} `schema/enum`, `schema/other`, `schema/missing`, `schema/too-many-categories`; `schema/number`
 *   as in `textOf`
 */
export function listed(
  where: string,
  kind: ValueType,
  given: unknown,
  other: unknown,
  missingValues: readonly string[],
): CategoryDomain {
  if (!Array.isArray(given) || !given.length)
    throw wrong(
      "enum",
      `${where} has an enum that is not a list of categories or is empty.`,
      "List at least one category.",
    );
  const labels = Array.from(given, (entry: unknown) => {
    const sentence = `${where} lists`;
    const label = textOf(entry, kind, `${sentence} a number`);
    if (label !== undefined) return label;
    throw wrong("enum", `${sentence} ${shown(entry)}, which is ${lacking(kind)}.`, remedy(kind));
  });
  const rest = other === undefined ? undefined : textOf(other, kind, `${where} names a category for unlisted values`);
  if (other !== undefined && rest === undefined)
    throw wrong(
      "other",
      `${where} names ${shown(other)} for unlisted values, which is ${lacking(kind)}.`,
      remedy(kind),
    );
  const seen = new Set<string>();
  const twice = labels.find((label) => seen.size === seen.add(label).size);
  if (twice !== undefined)
    throw wrong("enum", `${where} lists the category ${JSON.stringify(twice)} twice.`, "List each category once.");
  if (rest !== undefined && !labels.includes(rest)) labels.push(rest);
  tooMany(where, labels.length);
  notMissing(where, labels, missingValues);
  const spellings = new Map<string, number>();
  const values = labels.map((label, code): Value => {
    if (!kind.notation) return label;
    const number = kind.notation.read(label)!;
    const spelling = canonical(number);
    if (spellings.has(spelling))
      throw wrong(
        "enum",
        `${where} lists ${JSON.stringify(label)} twice: ${JSON.stringify(labels[spellings.get(spelling)!])} is the same.`,
        "List each category once.",
      );
    spellings.set(spelling, code);
    return kind.notation.value(number);
  });
  return {
    kind: "category",
    labels,
    values,
    spellings,
    other: rest === undefined ? undefined : labels.indexOf(rest),
  };
}

/** A boolean's two values, false first. */
export function booleans(
  where: string,
  given: Record<string, unknown>,
  missingValues: readonly string[],
): CategoryDomain {
  const trues = strings(given.trueValues ?? ["true", "True", "TRUE", "1"], `trueValues of the field "${given.name}"`);
  const falses = strings(
    given.falseValues ?? ["false", "False", "FALSE", "0"],
    `falseValues of the field "${given.name}"`,
  );
  const both = trues.find((value) => falses.includes(value));
  if (!trues.length || !falses.length || both !== undefined)
    throw wrong(
      "boolean",
      `${where} has trueValues and falseValues that are empty or overlap.`,
      'Use ["yes"] and ["no"].',
    );
  notMissing(where, [...trues, ...falses], missingValues);
  const spellings = new Map([...falses.map((text) => [text, 0] as const), ...trues.map((text) => [text, 1] as const)]);
  return { kind: "category", labels: [falses[0], trues[0]], values: [false, true], spellings, other: undefined };
}

function notMissing(where: string, labels: readonly string[], missingValues: readonly string[]): void {
  const both = labels.find((label) => missingValues.includes(label));
  if (both !== undefined)
    throw wrong(
      "missing",
      `${where} lists ${JSON.stringify(both)}, which missingValues lists as missing.`,
      "Take it out of one of the two.",
    );
}

function tooMany(where: string, categories: number): void {
  if (categories > MOST_CATEGORIES)
    throw wrong(
      "too-many-categories",
      `${where} has ${thousands(categories)} categories, more than ${thousands(MOST_CATEGORIES)}.`,
      "List the common ones and name a category for the rest (standin.other).",
    );
}
