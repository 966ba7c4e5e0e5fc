import { shownText } from "../core/arguments.js";
import { KEYWORDS, PLAIN_NAME, type Place, refusal, type Token, tokensOf } from "./expression-tokens.js";

export type Arithmetic = "+" | "-" | "*" | "/";
export type Comparison = "<" | "<=" | ">" | ">=" | "==" | "!=";

/** An expression as it is written; `of` are its parts, in order. */
export type Expression = Place & { readonly depth: number; readonly of: readonly Expression[] } & (
    | { readonly op: "number"; readonly value: number }
    | { readonly op: "truth"; readonly value: boolean }
    | { readonly op: "text" | "column"; readonly text: string }
    | { readonly op: Arithmetic | Comparison | "negative" | "and" | "or" | "not" | "missing" | "not missing" }
    | /** A value, and the values that it is compared with. */ { readonly op: "in" | "not in" }
  );

export type Operator = Exclude<Expression["op"], "number" | "truth" | "text" | "column">;

/** How tightly operators bind: those of a lower level contain those of a higher one without brackets. */
const LEVELS: Readonly<Record<Operator, number>> = {
  ...{ or: 1, and: 2, not: 3 },
  ...{ "<": 4, "<=": 4, ">": 4, ">=": 4, "==": 4, "!=": 4, in: 4, "not in": 4, missing: 4, "not missing": 4 },
  ...{ "+": 5, "-": 5, "*": 6, "/": 6 },
  negative: 7,
};
const LEAF = 8;

const levelOf = (op: Expression["op"]): number => (Object.hasOwn(LEVELS, op) ? LEVELS[op as Operator] : LEAF);
const isComparison = (op: Expression["op"]): boolean => levelOf(op) === LEVELS["=="];

/** How deep operations and brackets may lie in one another; the engine keeps as many results at a time. */
const MOST_NESTED = 32;

/**
 * Reads an expression. Operators bind in the usual order: `* /`, `+ -`, comparisons, `not`, `and`, `or`. Comparisons do
 * not form chains.
 * @throws {StandinError} `workload/expression`, with the place
 */
export function parseExpression(text: string): Expression {
  return new Parser(text).whole();
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #bracketed = new WeakSet<Expression>();
  #at = 0;
  #open = 0;

  constructor(readonly text: string) {
    this.#tokens = tokensOf(text);
  }

  whole(): Expression {
    const whole = this.#expression(1);
    if (this.#token.kind === "end") return whole;
    throw this.#unexpected("an operator or the end");
  }

  get #token(): Token {
    return this.#tokens[this.#at];
  }

  /** Takes the next token if it is this sign. */
  #takes(sign: string): boolean {
    const found = this.#token.kind === "sign" && this.#token.text === sign;
    if (found) this.#at++;
    return found;
  }

  #expect(sign: string): Token {
    if (!this.#takes(sign)) throw this.#unexpected(sign);
    return this.#tokens[this.#at - 1];
  }

  /** An expression whose operators have at least this level. */
  #expression(least: number): Expression {
    let left = this.#prefixed();
    for (;;) {
      const { kind, text } = this.#token;
      const op = kind === "sign" ? this.#operator(text) : undefined;
      if (!op || LEVELS[op] < least) return left;
      if (isComparison(op) && isComparison(left.op) && !this.#bracketed.has(left)) throw this.#chain();
      left = this.#applied(op, left);
    }
  }

  /** The operator that the next token begins, after an operand. */
  #operator(sign: string): Operator | undefined {
    if (sign === "is") return "missing";
    if (sign === "not") return "not in";
    return Object.hasOwn(LEVELS, sign) && sign !== "missing" ? (sign as Operator) : undefined;
  }

  /** An operator's operation on what stands before it. */
  #applied(op: Operator, left: Expression): Expression {
    const sign = this.#token;
    this.#at++;
    if (op === "and" || op === "or") {
      const of = [left];
      do of.push(this.#expression(LEVELS[op] + 1));
      while (this.#takes(op));
      return this.#made(op, of, sign);
    }
    if (op === "missing") {
      const isNot = this.#takes("not");
      const { end } = this.#expect("missing");
      return { ...this.#made(isNot ? "not missing" : op, [left], sign), end };
    }
    if (op !== "in" && op !== "not in") return this.#made(op, [left, this.#expression(LEVELS[op] + 1)], sign);
    if (op === "not in") this.#expect("in");
    this.#expect("(");
    const of = [left];
    do of.push(this.#expression(LEVELS.negative));
    while (this.#takes(","));
    const { end } = this.#expect(")");
    return { ...this.#made(op, of, sign), end };
  }

  #prefixed(): Expression {
    const sign = this.#token;
    if (!["not", "-", "("].some((prefix) => this.#takes(prefix))) return this.#leaf();
    if (++this.#open > MOST_NESTED) throw this.#tooDeep(sign);
    let found: Expression;
    if (sign.text === "(") {
      found = this.#expression(1);
      this.#expect(")");
      this.#bracketed.add(found);
    } else {
      const op = sign.text === "not" ? "not" : "negative";
      const operand = this.#expression(op === "not" ? LEVELS.not + 1 : LEVELS.negative);
      found = { ...this.#made(op, [operand], sign), at: sign.at };
    }
    this.#open--;
    return found;
  }

  #leaf(): Expression {
    const { kind, text, at, end } = this.#token;
    const leaf = { at, end, depth: 0, of: [] };
    if (kind === "sign" && text !== "true" && text !== "false") throw this.#unexpected("a column or a value");
    if (kind === "end") throw this.#unexpected("a column or a value");
    this.#at++;
    if (kind === "number") return { ...leaf, op: "number", value: Number(text) };
    if (kind === "sign") return { ...leaf, op: "truth", value: text === "true" };
    return { ...leaf, op: kind === "quoted" ? "text" : "column", text };
  }

  #made(op: Operator, of: readonly Expression[], sign: Token): Expression {
    const depth = 1 + of.reduce((most, part) => Math.max(most, part.depth), 0);
    if (depth > MOST_NESTED) throw this.#tooDeep(sign);
    return { op, of, depth, at: of[0].at, end: of[of.length - 1].end };
  }

  #unexpected(expected: string): Error {
    const { kind, text } = this.#token;
    const found = kind === "end" ? "the end" : kind === "quoted" ? "a text" : text;
    const meant = kind === "name" ? text.toLowerCase() : "";
    return refusal(
      this.text,
      this.#token,
      `Expected ${expected}, found ${shownText(found)}.`,
      KEYWORDS.includes(meant)
        ? `Write ${meant} in small letters.`
        : `An example is "age < 30 and income >= 50000".${meant && " Names with blanks are written in backquotes."}`,
    );
  }

  #chain(): Error {
    const message = "Comparisons do not form chains.";
    return refusal(this.text, this.#token, message, 'Write "18 <= age and age < 65".');
  }

  #tooDeep(place: Place): Error {
    const message = `More than ${MOST_NESTED} operations lie in one another here.`;
    return refusal(this.text, place, message, "Split the expression, or take out brackets.");
  }
}

/** An expression as text in its usual form, which `parseExpression` reads as the same expression. */
export function expressionText(expression: Expression): string {
  const { op, of } = expression;
  if (op === "number") return String(expression.value);
  if (op === "truth") return String(expression.value);
  if (op === "text") return `'${expression.text.replaceAll("'", "''")}'`;
  if (op === "column") return columnText(expression.text);
  const level = LEVELS[op];
  if (op === "and" || op === "or") return of.map((part) => bracketed(part, level + 1)).join(` ${op} `);
  if (op === "not") return `not ${bracketed(of[0], level)}`;
  if (op === "negative") return `-${bracketed(of[0], level)}`;
  const left = bracketed(of[0], isComparison(op) ? level + 1 : level);
  if (op === "missing" || op === "not missing") return `${left} is ${op}`;
  if (op === "in" || op === "not in") return `${left} ${op} (${listText(of)})`;
  return `${left} ${op} ${bracketed(of[1], level + 1)}`;
}

/** The values of a list, which comes after what is compared with them. */
const listText = ([, ...values]: readonly Expression[]): string =>
  values.map((value) => bracketed(value, LEVELS.negative)).join(", ");

function bracketed(expression: Expression, least: number): string {
  const text = expressionText(expression);
  return levelOf(expression.op) < least ? `(${text})` : text;
}

/** A column's name as expressions write it. */
export const columnText = (name: string): string =>
  PLAIN_NAME.test(name) && !KEYWORDS.includes(name) ? name : `\`${name.replaceAll("`", "``")}\``;
