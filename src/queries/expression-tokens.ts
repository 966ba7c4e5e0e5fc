import { shownText } from "../core/arguments.js";
import { StandinError } from "../core/errors.js";
import { thousands } from "../core/thousands.js";

/** A part of an expression's text, from one index to another. */
export interface Place {
  readonly at: number;
  readonly end: number;
}

export interface Token extends Place {
  /** A `name` is a column's, a `quoted` is a text, and a `sign` is an operator, a bracket, a comma or a keyword. */
  readonly kind: "number" | "name" | "quoted" | "sign" | "end";
  /** The name, text or sign itself; the digits of a number. */
  readonly text: string;
}

export const KEYWORDS = ["and", "or", "not", "in", "is", "missing", "true", "false"];

const LETTER = String.raw`(?!\s)[\u0080-\uffff]`;
const NAME = String.raw`(?:[A-Za-z_]|${LETTER})(?:[\w.]|${LETTER})*`;
const NUMBER = String.raw`(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;
const SIGN = String.raw`<=|>=|[=!]=(?!=)|<(?!>)|\*(?!\*)|[-+/(),>]`;
/** A text in quotes, in which a doubled quote stands for one. */
const quoted = (quote: string): string => `${quote}((?:[^${quote}]|${quote}${quote})*)${quote}`;

/** Names that need no backquotes, unless they are keywords. */
export const PLAIN_NAME = new RegExp(`^${NAME}$`);

/** A number; a name, plain or in backquotes; a text in either kind of quotes; a sign. */
const TOKEN = new RegExp(
  String.raw`\s*(?:(${NUMBER})|(${NAME})|${["`", '"', "'"].map(quoted).join("|")}|(${SIGN}))`,
  "y",
);

/** What other languages write, and what is meant. */
const FOREIGN: Readonly<Record<string, string>> = {
  "=": "==",
  "===": "==",
  "!==": "!=",
  "<>": "!=",
  "~=": "!=",
  "&&": "and",
  "&": "and",
  "||": "or",
  "|": "or",
  "!": "not",
  "~": "not",
};

/** The most characters of an expression. */
const MOST_LENGTH = 100_000;

/** @throws {StandinError} `workload/expression` if an expression is too long */
export function expectShort(text: string): void {
  if (text.length > MOST_LENGTH)
    throw new StandinError(
      "workload/expression",
      `An expression has ${thousands(text.length)} characters; at most ${thousands(MOST_LENGTH)} are read.`,
      "Split it into several expressions.",
    );
}

/** The tokens of an expression; an `end` comes last. @throws {StandinError} `workload/expression` */
export function tokensOf(text: string): Token[] {
  expectShort(text);
  const tokens: Token[] = [];
  const length = text.trimEnd().length;
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < length; ) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    const end = TOKEN.lastIndex;
    if (!match) throw strange(text, from);
    const at = from + match[0].length - match[0].trimStart().length;
    tokens.push({ ...tokenOf(match), at, end });
    const { kind } = tokens[tokens.length - 1];
    if (kind === "number") checkNumber(text, { at, end });
  }
  return [...tokens, { kind: "end", text: "", at: length, end: length }];
}

function tokenOf([, number, name, column, double, single, sign]: RegExpExecArray): Pick<Token, "kind" | "text"> {
  if (number !== undefined) return { kind: "number", text: number };
  if (name !== undefined) return { kind: KEYWORDS.includes(name) ? "sign" : "name", text: name };
  if (column !== undefined) return { kind: "name", text: column.replaceAll("``", "`") };
  if (double !== undefined) return { kind: "quoted", text: double.replaceAll('""', '"') };
  if (single !== undefined) return { kind: "quoted", text: single.replaceAll("''", "'") };
  return { kind: "sign", text: sign };
}

/** What may not follow a number. */
const MORE = /[\w.]+/y;

function checkNumber(text: string, { at, end }: Place): void {
  MORE.lastIndex = end;
  if (MORE.test(text))
    throw refusal(
      text,
      { at, end: MORE.lastIndex },
      `${shownText(text.slice(at, MORE.lastIndex))} is not a number.`,
      "Write a column whose name begins with a digit in backquotes.",
    );
  if (!Number.isFinite(Number(text.slice(at, end))))
    throw refusal(text, { at, end }, "This number is too large.", "The largest number is about 1.8e308.");
}

/** The error for what is no token. */
function strange(text: string, from: number): StandinError {
  const at = from + text.slice(from).length - text.slice(from).trimStart().length;
  const mark = String.fromCodePoint(text.codePointAt(at)!);
  if ("'\"`".includes(mark))
    return refusal(text, { at, end: at + 1 }, `The quote ${mark} is not closed.`, "Close it, or take it out.");
  const sign = /^[=<>!&|~*^%]+/.exec(text.slice(at))?.[0] ?? mark;
  const meant = Object.hasOwn(FOREIGN, sign) ? FOREIGN[sign] : undefined;
  return refusal(
    text,
    { at, end: at + sign.length },
    `Expressions do not have the sign ${sign}.`,
    meant ? `Write ${meant}.` : "They have <, <=, >, >=, ==, !=, in, and, or, not, +, -, *, / and brackets.",
  );
}

/** The most characters of a line that an error shows before a place, and those that it shows from there on. */
const [SHOWN_BEFORE, SHOWN_AFTER] = [60, 60];

/** The error at a place of an expression, with what is around it in its line, and a line of carets below. */
export function refusal(text: string, { at, end }: Place, message: string, hint: string): StandinError {
  const first = text.lastIndexOf("\n", at - 1) + 1;
  const next = text.indexOf("\n", at);
  const last = next < 0 ? text.length : next;
  const before = [...text.slice(Math.max(first, at - 2 * SHOWN_BEFORE), at)].slice(-SHOWN_BEFORE).join("");
  const marked = [...text.slice(at, Math.min(end, last, at + 2 * SHOWN_AFTER))].slice(0, SHOWN_AFTER);
  const shown = [...text.slice(at, Math.min(last, at + 2 * SHOWN_AFTER))].slice(0, SHOWN_AFTER).join("");
  const left = before.length < at - first ? "… " : "";
  const right = shown.length < last - at ? " …" : "";
  const line = [...`${left}${before}${shown}${right}`]
    .map((mark) => (mark < " " || mark === "\x7f" ? " " : mark))
    .join("");
  const blank = " ".repeat([...left, ...before].length);
  return new StandinError(
    "workload/expression",
    message,
    hint,
    `  ${line}\n  ${blank}${"^".repeat(Math.max(1, marked.length))}`,
  );
}
