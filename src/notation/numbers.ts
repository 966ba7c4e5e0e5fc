import { type Decimal, formatDecimal, type Marks, parseDecimal, trimmed, unitsAt } from "./decimal.js";
import { EXPONENT_MEMBERS, formatExponent, hasExponent, isMixed, parseExponent } from "./exponent.js";
import type { Notation } from "./notation.js";
import { decimal, onlyMembers, wrong } from "./validate.js";

export type NumericType = "integer" | "number" | "year";

/** A larger number of digits must be a mistake. */
const WIDEST = 100;

/**
 * How a number is written. The field gives `decimalChar` and `groupChar`. `standin.format` may give the minimum number
 * of digits before the point (`width`; 0: `.5`), a `prefix` or `suffix` such as a currency or per cent sign, and
 * exponents (`parseExponent`), which can be read even if they are not stated. If `bareNumber` is false, any text around
 * a number is ignored. A year has four digits. By default integers and years have steps of 1, and numbers have steps of
 * the largest power of ten ≤ (maximum − minimum)/1000.
 * @param format `standin.format`
 * @throws {StandinError} `schema/number` for marks, `schema/format` for the rest
 */
export function numberNotation(
  where: string,
  type: NumericType,
  given: Record<string, unknown>,
  format: unknown = {},
): Notation {
  if (type === "year" && (given.format ?? "default") !== "default")
    throw wrong(
      "format",
      `${where} has the format ${JSON.stringify(given.format)}, which years do not have.`,
      "Leave it out: years are written with four digits.",
    );
  const members = ["width", "prefix", "suffix", ...(type === "year" ? [] : EXPONENT_MEMBERS)];
  onlyMembers(format, `${where}, in its standin.format,`, members);
  const exponent = parseExponent(where, format);
  if (exponent && !isMixed(exponent) && format.width !== undefined)
    throw wrong("format", `${where} has a width of digits, but all of its numbers have exponents.`, "Leave one out.");
  const marks = marksOf(where, type, given, format);
  const bare = given.bareNumber !== false;
  return {
    unit: "",
    spelling: { unit: "", marks, bare, exponent },
    read: (text) => parseDecimal(plainNumber(text, marks, bare)),
    write: (number) =>
      exponent && hasExponent(number, exponent)
        ? formatExponent(number, exponent, marks)
        : formatDecimal(number, marks),
    value: numberOf,
    stated: (value, sentence) => trimmed(decimal(value, sentence, type !== "number")),
    step: (minimum, maximum) => (type === "number" ? thousandth(minimum, maximum) : { units: 1n, scale: 0 }),
  };
}

/** A number's canonical spelling: no leading or trailing zeros, no plus sign. */
export const canonical = (number: Decimal): string => formatDecimal(trimmed(number));

/** A decimal as a JavaScript number, or as a bigint if it is an integer beyond 2^53. */
function numberOf(number: Decimal): number | bigint {
  const { units, scale } = trimmed(number);
  return scale === 0 && !Number.isSafeInteger(Number(units)) ? units : Number(formatDecimal({ units, scale }));
}

function marksOf(
  where: string,
  type: NumericType,
  given: Record<string, unknown>,
  format: Record<string, unknown>,
): Marks {
  const { width = type === "year" ? 4 : 1, prefix = "", suffix = "" } = format;
  const decimalChar = mark(given.decimalChar, ".", `${where} has a decimalChar`);
  const groupChar = mark(given.groupChar, "", `${where} has a groupChar`);
  if (decimalChar === groupChar)
    throw wrong("number", `${where} has the same decimalChar and groupChar.`, "Use two different characters.");
  checkWidth(where, width, type === "number" ? 0 : 1);
  if (groupChar && format.width !== undefined)
    throw wrong("format", `${where} has a groupChar and a width of digits.`, "Leave one of them out.");
  if (typeof prefix !== "string" || typeof suffix !== "string")
    throw wrong("format", `${where} has a prefix or suffix that is not text.`, 'Write { "prefix": "$" }.');
  if ((prefix || suffix) && given.bareNumber !== false)
    throw wrong(
      "format",
      `${where} has a prefix or suffix, but its numbers are bare.`,
      'State "bareNumber": false, or leave them out.',
    );
  return { decimalChar, groupChar, width, prefix, suffix };
}

/** @throws {StandinError} `schema/format` */
export function checkWidth(where: string, width: unknown, least: 0 | 1): asserts width is number {
  if (!(Number.isInteger(width) && (width as number) >= least && (width as number) <= WIDEST))
    throw wrong(
      "format",
      `${where} has the width ${JSON.stringify(width)}.`,
      `Give a number of digits from ${least} to ${WIDEST}.`,
    );
}

function mark(value: unknown, fallback: string, sentence: string): string {
  if (value === undefined) return fallback;
  if (typeof value === "string" && value.length === 1 && !/[\d+\-eE]/.test(value)) return value;
  throw wrong("number", `${sentence} that is not one character.`, 'Use "," or "." or " ".');
}

/**
 * A number's text in the form that `parseDecimal` reads: blanks and group marks removed, the decimal point in place,
 * other text removed where allowed.
 */
function plainNumber(text: string, { decimalChar, groupChar }: Marks, bare: boolean): string {
  let plain = text.trim();
  if (groupChar) plain = plain.replaceAll(groupChar, "");
  if (decimalChar !== ".") plain = plain.replaceAll(".", "x").replaceAll(decimalChar, ".");
  return bare ? plain : bareNumber(plain);
}

/** A number without the text around it. */
function bareNumber(text: string): string {
  // A pattern that ends in $ would start again at every character.
  let end = text.length;
  while (end > 0 && !/[\d.,]/.test(text[end - 1])) end--;
  return text
    .slice(0, end)
    .replace(/^[^\d+\-.,]+/, "")
    .replace(/^([+-])[^\d.,]+/, "$1");
}

/** The largest 10^e with 10^e · 1000 ≤ maximum − minimum. */
function thousandth(minimum: Decimal, maximum: Decimal): Decimal {
  const scale = Math.max(minimum.scale, maximum.scale);
  const range = unitsAt(maximum, scale) - unitsAt(minimum, scale);
  if (range === 0n) return { units: 1n, scale };
  const exponent = range.toString().length - 1 - scale - 3;
  return exponent >= 0 ? { units: 10n ** BigInt(exponent), scale: 0 } : { units: 1n, scale: -exponent };
}
