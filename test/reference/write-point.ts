import type { Points } from "./read-point.js";
import { assumedOffset, type Given, isMoment, MONTHS, tokensOf } from "./read-value.js";

/** The text of a point of a field's grid. */
export function textOf(given: Given & { readonly standin?: unknown }, grid: Points, point: number): string {
  const units = grid.minimum + BigInt(point) * grid.step;
  return isMoment(given) ? momentText(given, units, grid.scale) : numberText(given, units, grid.scale);
}

interface Format {
  readonly width?: number;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly exponent?: string;
  readonly plainFrom?: unknown;
  readonly plainBelow?: unknown;
}

function numberText(given: Given & { readonly standin?: unknown }, units: bigint, scale: number): string {
  const { format = {} } = (given.standin ?? {}) as { format?: Format };
  const { width = given.type === "year" ? 4 : 1, prefix = "", suffix = "", exponent, plainFrom, plainBelow } = format;
  const { decimalChar = ".", groupChar = "" } = given as Record<string, string>;
  const size = units < 0n ? -units : units;
  const always = plainFrom === undefined && plainBelow === undefined;
  const outside =
    (plainFrom !== undefined && less(size, scale, String(plainFrom))) ||
    (plainBelow !== undefined && !less(size, scale, String(plainBelow)));
  const text =
    exponent && (always || (outside && size > 0n))
      ? scientific(size, scale, exponent).replace(".", () => decimalChar)
      : plain(size, scale, width, decimalChar, groupChar);
  return `${units < 0n ? "-" : ""}${prefix}${text}${suffix}`;
}

function plain(size: bigint, scale: number, width: number, decimalChar: string, groupChar: string): string {
  const one = 10n ** BigInt(scale);
  const whole = String(size / one).padStart(width, "0");
  const groups: string[] = [];
  for (let end = whole === "0" && !width && scale ? 0 : whole.length; end > 0; end -= 3)
    groups.unshift(whole.slice(Math.max(0, end - 3), end));
  return groups.join(groupChar) + (scale ? decimalChar + String(size % one).padStart(scale, "0") : "");
}

/** In the shape of a number such as 0.00e+00. */
function scientific(size: bigint, scale: number, shape: string): string {
  const [, zeros = "", letter, plus, width] = /^0\.?(0*)(e)(\+?)(0+)$/i.exec(shape)!;
  const [first, ...rest] = String(size);
  const power = size === 0n ? 0 : rest.length - scale;
  const places = rest.join("").replace(/0*$/, "").padEnd(zeros.length, "0");
  const digits = String(Math.abs(power)).padStart(width.length, "0");
  return `${first}${places && `.${places}`}${letter}${power < 0 ? "-" : plus}${digits}`;
}

/** size·10^−scale < a number such as 2500.5 or 1e15. */
function less(size: bigint, scale: number, number: string): boolean {
  const [mantissa, exponent = "0"] = number.toLowerCase().split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  const power = Number(exponent) - fraction.length + scale;
  const [other, own] = [BigInt(whole + fraction), size];
  return power >= 0 ? own < other * 10n ** BigInt(power) : own * 10n ** BigInt(-power) < other;
}

function momentText(given: Given, units: bigint, scale: number): string {
  const one = 10n ** BigInt(scale);
  const part = ((units % one) + one) % one;
  const whole = Number((units - part) / one);
  const offset = assumedOffset(given);
  const second = given.type === "date" ? whole * 86_400 : whole + (offset?.seconds ?? 0);
  const date = new Date(second * 1000);
  const fraction = scale ? String(part).padStart(scale, "0") : "";
  const [year, month, hour] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCHours()];
  const ofYear = (date.getTime() - new Date(date).setUTCMonth(0, 1)) / 86_400_000;
  const numbers: Record<string, [number, number]> = {
    Y: [year, 4],
    y: [year % 100, 2],
    m: [month + 1, 2],
    d: [date.getUTCDate(), 2],
    j: [Math.floor(ofYear) + 1, 3],
    H: [hour, 2],
    I: [hour % 12 || 12, 2],
    M: [date.getUTCMinutes(), 2],
    S: [date.getUTCSeconds(), 2],
  };
  const others: Record<string, string> = {
    b: MONTHS[month].slice(0, 3),
    B: MONTHS[month],
    p: hour < 12 ? "AM" : "PM",
    f: fraction.padEnd(6, "0"),
    ".f": fraction && `.${fraction}`,
    T: "T",
    z: offset?.text ?? "",
    "?z": offset?.text ?? "",
  };
  const texts = tokensOf(given).map((token) => {
    if ("text" in token) return token.text;
    if (token.letters in others) return others[token.letters];
    const [number, width] = numbers[token.letters.replace("-", "")];
    return token.letters.startsWith("-") ? String(number) : String(number).padStart(width, "0");
  });
  return texts.join("");
}
