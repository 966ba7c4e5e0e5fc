import { StandinError } from "../core/errors.js";

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

/** The tokens of an expression; an `end` comes last. @throws {StandinError} `workload/expression` */
export function tokensOf(text: string): Token[] {
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

function checkNumber(text: string, { at, end }: Place): void {
  const more = /^[\w.]+/.exec(text.slice(end));
  if (more)
    throw refusal(
      text,
      { at, end: end + more[0].length },
      `${text.slice(at, end)}${more[0]} is not a number.`,
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

/** The error at a place of an expression, with the line that has it and a line of carets below. */
export function refusal(text: string, { at, end }: Place, message: string, hint: string): StandinError {
  const first = text.lastIndexOf("\n", at - 1) + 1;
  const next = text.indexOf("\n", at);
  const line = text.slice(first, next < 0 ? text.length : next);
  const width = [...line.slice(at - first, end - first)].length;
  const blank = " ".repeat([...text.slice(first, at)].length);
  const shown = [...line].map((mark) => (mark < " " || mark === "\x7f" ? " " : mark)).join("");
  return new StandinError(
    "workload/expression",
    message,
    hint,
    `  ${shown}\n  ${blank}${"^".repeat(Math.max(1, width))}`,
  );
}
