/** top/10^places. */
export interface Exact {
  readonly top: bigint;
  readonly places: number;
}

export interface Offset {
  readonly seconds: number;
  readonly text: string;
}

/** The members of a field's descriptor that say how its values are written. */
export interface Given {
  readonly type?: unknown;
  readonly format?: unknown;
  readonly decimalChar?: unknown;
  readonly groupChar?: unknown;
  readonly bareNumber?: unknown;
  readonly constraints?: unknown;
}

/** The value that a text states, in a field of numbers, dates or times. */
export function valueIn(given: Given, text: string): Exact | undefined {
  if (!isMoment(given)) return numberIn(given, text);
  const stated = momentIn(given, text);
  if (!stated) return undefined;
  const { days, second, fraction, offset } = stated;
  if (given.type === "date") return { top: BigInt(days), places: 0 };
  const east = (offset ?? assumedOffset(given))?.seconds ?? 0;
  return {
    top: BigInt(`${days * 86_400 + second - east}${"0".repeat(fraction.length)}`) + BigInt(`0${fraction}`),
    places: fraction.length,
  };
}

/** The shortest text of a value, without an exponent. */
export function canonicalOf({ top, places }: Exact): string {
  const digits = String(top < 0n ? -top : top).padStart(places + 1, "0");
  const text = `${digits.slice(0, digits.length - places)}.${digits.slice(digits.length - places)}`;
  return (top < 0n ? "-" : "") + text.replace(/\.?0*$/, "");
}

export const isMoment = ({ type }: Given) => type === "date" || type === "time" || type === "datetime";

function numberIn({ decimalChar = ".", groupChar, bareNumber }: Given, text: string): Exact | undefined {
  const signs = text
    .trim()
    .split("")
    .filter((sign) => sign !== groupChar)
    .map((sign) => (sign === "." && decimalChar !== "." ? "x" : sign))
    .map((sign) => (sign === decimalChar ? "." : sign))
    .join("");
  const [mantissa, exponent = "0", ...more] = (bareNumber === false ? bared(signs) : signs).split(/e/i);
  if (more.length || !/^[+-]?\d*\.?\d*$/.test(mantissa) || !/^[+-]?\d{1,4}$/.test(exponent)) return undefined;
  const digits = mantissa.replace(/\D/g, "");
  const places = (mantissa.split(".")[1]?.length ?? 0) - Number(exponent);
  if (!digits || digits.length > 400 || Math.abs(places) > 400) return undefined;
  const top = BigInt(digits + "0".repeat(Math.max(0, -places)));
  return { top: mantissa.startsWith("-") ? -top : top, places: Math.max(0, places) };
}

/** A number without the text before it, after it, and between its sign and its digits. */
function bared(text: string): string {
  const [kept] = /^([\s\S]*[\d.,])?/.exec(text)!;
  const [, signed = "", rest] = /^[^\d+\-.,]*([+-][^\d.,]*)?([\s\S]*)$/.exec(kept)!;
  return signed.slice(0, 1) + rest;
}

/** A directive without its per cent sign, such as Y or -d, or a text. */
export type Token = { readonly letters: string } | { readonly text: string };

/** The parts of a format of dates and times. */
export function tokensOf({ type, format = "default" }: Given): Token[] {
  if (format === "default") {
    const date = tokensOf({ format: "%Y-%m-%d" });
    const time = [...tokensOf({ format: "%H:%M:%S" }), { letters: ".f" }];
    return type === "date" ? date : type === "time" ? time : [...date, { letters: "T" }, ...time, { letters: "?z" }];
  }
  const tokens: Token[] = [];
  for (let rest = String(format); rest; ) {
    const end = rest[0] === "%" ? (rest[1] === "-" ? 3 : 2) : rest.indexOf("%") < 0 ? rest.length : rest.indexOf("%");
    const part = rest.slice(0, end);
    tokens.push(part === "%%" ? { text: "%" } : part[0] === "%" ? { letters: part.slice(1) } : { text: part });
    rest = rest.slice(end);
  }
  return tokens;
}

const NUMERIC = "YymdjHIMSf";
const WIDTHS: Record<string, number> = { Y: 4, y: 2, m: 2, d: 2, j: 3, H: 2, I: 2, M: 2, S: 2, f: 6 };
export const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
const OFFSET = "(?<z>Z|[-+](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?)";

/** The expression that a text of these parts matches, with a group for each directive. */
function expressionOf(tokens: readonly Token[]): RegExp {
  const isNumeric = (token: Token | undefined) =>
    token && "letters" in token && NUMERIC.includes(token.letters.at(-1)!) && token.letters[0] !== ".";
  const adjacent = tokens.some((token, at) => isNumeric(token) && isNumeric(tokens[at + 1]));
  const source = tokens.map((token) => {
    if ("text" in token)
      return token.text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const letter = token.letters.at(-1)!;
    switch (token.letters) {
      case "T":
        return "(?:T| )";
      case ".f":
        return "(?:\\.(?<f>[0-9]{1,18}))?";
      case "z":
        return OFFSET;
      case "?z":
        return `${OFFSET}?`;
      case "p":
        return "(?<p>AM|PM)";
      case "b":
        return `(?<b>${MONTHS.map((name) => name.slice(0, 3)).join("|")})`;
      case "B":
        return `(?<b>${MONTHS.join("|")})`;
    }
    const whole = adjacent || letter === "Y" || token.letters === "y";
    return `(?<${letter}>[0-9]{${whole ? WIDTHS[letter] : 1},${WIDTHS[letter]}})`;
  });
  return new RegExp(`^\\s*${source.join("")}\\s*$`, "i");
}

interface Moment {
  readonly days: number;
  readonly second: number;
  readonly fraction: string;
  readonly offset?: Offset;
}

function momentIn(given: Given, text: string): Moment | undefined {
  const told = expressionOf(tokensOf(given)).exec(text)?.groups;
  if (!told) return undefined;
  const days = dayIn(told);
  const hour = told.I === undefined ? Number(told.H ?? 0) : (Number(told.I) % 12) + (/pm/i.test(told.p) ? 12 : 0);
  const [minute, second] = [Number(told.M ?? 0), Number(told.S ?? 0)];
  if (days === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  if (told.I !== undefined && !(Number(told.I) >= 1 && Number(told.I) <= 12)) return undefined;
  const offset = told.z ? { seconds: secondsEast(told.z), text: told.z } : undefined;
  return { days, second: hour * 3600 + minute * 60 + second, fraction: told.f ?? "", offset };
}

/** The day that groups of an expression state, by the platform's calendar. */
function dayIn({ Y, y, m, b, d, j }: Record<string, string>): number | undefined {
  const year = y === undefined ? Number(Y ?? 1970) : Number(y) + (Number(y) >= 69 ? 1900 : 2000);
  const named = MONTHS.findIndex((name) => b && name.toLowerCase().startsWith(b.toLowerCase()));
  const month = j !== undefined ? 0 : b ? named : Number(m ?? 1) - 1;
  const date = new Date(0);
  date.setUTCFullYear(year, month, Number(j ?? d ?? 1));
  const same = j === undefined ? date.getUTCMonth() === month && date.getUTCDate() === Number(d ?? 1) : Number(j) > 0;
  return same && date.getUTCFullYear() === year ? date.getTime() / 86_400_000 : undefined;
}

function secondsEast(text: string): number {
  const [, sign, hours, minutes = "0"] = /^([-+])(\d\d):?(\d\d)?$/.exec(text) ?? ["", "+", "0"];
  return (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60 : 60);
}

/** The offset of texts that state none: that of the minimum. */
export function assumedOffset(given: Given): Offset | undefined {
  const { minimum } = (given.constraints ?? {}) as { minimum?: unknown };
  return typeof minimum === "string" ? momentIn(given, minimum)?.offset : undefined;
}
