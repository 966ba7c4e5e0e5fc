// Detects exponents in a column's texts: how they are written, and which numbers have one.
import { type Decimal, orderOf } from "../notation/decimal.js";

/** How a column writes its numbers, if it does not write them plainly. */
export interface SeenExponents {
  /** The members of `standin.format` that describe it. */
  readonly format: { readonly exponent: string; readonly plainFrom?: string; readonly plainBelow?: string };
  /**
   * The largest number of digits after the point in mantissas, if all numbers have exponents and are padded with zeros
   * up to there.
   */
  readonly fixed: number | undefined;
  /** Decimals of the plain number that has the most; 0 if no number is plain. */
  readonly places: number;
}

/** Cells with the same text. */
interface EqualCells {
  readonly value: Decimal;
  readonly times: number;
  /** The digits after the point and the exponent, if the number has one. */
  readonly exponent: ExponentText | undefined;
}

interface ExponentText {
  /** The digits after the mantissa's point. */
  readonly fraction: string;
  readonly letter: string;
  readonly sign: string;
  readonly digits: string;
}

type WithExponent = EqualCells & { readonly exponent: ExponentText };

/**
 * The cells of a column, if some of its numbers have exponents; none if all are plain.
 * @param texts the texts of the column, and how many cells have each
 * @param decimal its decimal sign, as a regular expression
 * @param read returns a text's number, `undefined` if it has none
 */
export function cellsWithExponents(
  texts: ReadonlyMap<string, number>,
  decimal: string,
  read: (text: string) => Decimal | undefined,
): EqualCells[] {
  const pattern = new RegExp(`(?:${decimal}(\\d+)|\\d)([eE])([+-]?)(\\d{1,3})`);
  if (![...texts.keys()].some((text) => pattern.test(text))) return [];
  return [...texts].flatMap(([text, times]) => {
    const value = read(text.trim());
    return value ? [{ value, times, exponent: exponentText(pattern.exec(text)) }] : [];
  });
}

function exponentText(match: RegExpExecArray | null): ExponentText | undefined {
  if (!match) return undefined;
  const [, fraction = "", letter, sign, digits] = match;
  return { fraction, letter, sign, digits };
}

/** Whether all exponents are as in 1E5, without a point or a sign. Such texts are codes. */
export function areCodes(cells: readonly EqualCells[]): boolean {
  const exponents = cells.flatMap(({ exponent }) => exponent ?? []);
  return exponents.length > 0 && exponents.every(({ fraction, sign }) => !fraction && !sign);
}

/**
 * The notation that most cells use: which numbers have exponents, by their order of magnitude, and how these are
 * written.
 * @returns `undefined` if numbers are best written without exponents
 */
export function seenExponents(cells: readonly EqualCells[]): SeenExponents | undefined {
  const withExponent = cells.filter((some): some is WithExponent => some.exponent !== undefined);
  const plain = plainOrders(cells);
  if (!withExponent.length || (plain && !plain.plainFrom && !plain.plainBelow)) return undefined;
  const { places, fixed } = mantissaOf(withExponent);
  return {
    format: { exponent: `0${places ? `.${"0".repeat(places)}` : ""}${exponentOf(withExponent)}`, ...plain },
    fixed: fixed && !plain ? places : undefined,
    places: plain ? Math.max(0, ...cells.map(({ value, exponent }) => (exponent ? 0 : value.scale))) : 0,
  };
}

/**
 * The run of orders of magnitude in which numbers are best written plainly, chosen so that the most cells (0 included)
 * keep their spelling. It ends where numbers with exponents begin, or nowhere.
 * @returns `undefined` if all numbers, including 0, are best written with exponents
 */
function plainOrders(cells: readonly EqualCells[]): { plainFrom?: string; plainBelow?: string } | undefined {
  // Number of cells without an exponent, minus those with one.
  const balance = new Map<number, number>();
  let zeros = 0;
  for (const { value, times, exponent } of cells) {
    const weight = exponent ? -times : times;
    const order = orderOf(value);
    if (value.units === 0n) zeros += weight;
    else balance.set(order, (balance.get(order) ?? 0) + weight);
  }
  // One extra order on each side stands for all orders that were not seen there.
  const top = Math.max(0, ...balance.keys()) + 1;
  const bottom = Math.min(0, ...balance.keys()) - 1;
  let run = { balance: 0, high: top, low: top };
  let best = run;
  for (let order = top - 1; order >= bottom; order--) {
    const here = balance.get(order) ?? 0;
    run =
      run.balance < 0
        ? { balance: here, high: order, low: order }
        : { ...run, balance: run.balance + here, low: order };
    if (run.balance > best.balance || (run.balance === best.balance && run.high === best.high)) best = run;
  }
  if (best.balance + zeros <= 0) return undefined;
  return {
    ...(best.low === bottom ? {} : { plainFrom: `1e${best.low}` }),
    ...(best.high === top ? {} : { plainBelow: `1e${best.high + 1}` }),
  };
}

/**
 * The fewest digits after a mantissa's point: the number that all have, or the most after which trailing zeros are
 * kept.
 * @returns as `fixed` whether longer ones would have been seen: the longest keep their zeros
 */
function mantissaOf(cells: readonly WithExponent[]): { places: number; fixed: boolean } {
  const fractions = cells.map(({ exponent: { fraction } }) => fraction);
  const most = Math.max(...fractions.map(({ length }) => length));
  const kept = Math.max(...fractions.map((fraction) => (fraction.endsWith("0") ? fraction.length : 0)));
  const even = fractions.every(({ length }) => length === most);
  return { places: even ? most : kept, fixed: most > 0 && kept === most };
}

/** The exponent as most cells write it: letter, plus sign, and fewest digits. */
function exponentOf(cells: readonly WithExponent[]): string {
  const most = (tell: (exponent: ExponentText) => string | undefined) =>
    mostFrequent(cells.map(({ exponent, times }) => [tell(exponent), times] as const));
  const letter = most(({ letter }) => letter);
  const plus = most(({ sign }) => (sign === "-" ? undefined : sign)) ?? "+";
  // Two digits say nothing about a minimum number, unless the first is a zero.
  const zeros = most(({ digits }) =>
    digits.length === 1 || digits[0] === "0" ? "0".repeat(digits.length) : undefined,
  );
  return `${letter}${plus}${zeros ?? "00"}`;
}

/** The most frequent word; the first one if there are several. */
function mostFrequent(told: readonly (readonly [word: string | undefined, times: number])[]): string | undefined {
  const times = new Map<string, number>();
  for (const [word, more] of told) if (word !== undefined) times.set(word, (times.get(word) ?? 0) + more);
  return [...times].reduce<[string | undefined, number]>(
    (best, next) => (next[1] > best[1] ? next : best),
    [undefined, 0],
  )[0];
}
