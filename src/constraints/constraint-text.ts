import { wrong } from "../notation/validate.js";

/** A constraint stated as text, by the columns' names. */
export interface NamedConstraint {
  readonly kind: "order" | "sum";
  /** The lower and the upper column; or the total and its parts, two or more. */
  readonly names: readonly string[];
}

const TOKEN = /\s*(?:"((?:[^"]|"")*)"|(<=|=|\+)|([^\s"<>=+]+))\s*/y;
const HINT =
  'Write "opened <= closed" or "total = net + tax"; a name with blanks or signs needs double quotes: "\\"start date\\" <= end".';

/**
 * Reads `a <= b` or `total = a + b + …`.
 * @throws {StandinError} `schema/constraint`
 */
export function parseConstraintText(text: string): NamedConstraint {
  const tokens = tokensOf(text);
  const names = tokens.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const signs = tokens.map(({ sign }) => sign ?? "name").join(" ");
  if (signs === "name <= name") return { kind: "order", names };
  if (/^name = name( \+ name)+$/.test(signs)) return { kind: "sum", names };
  throw wrong("constraint", `The constraint ${JSON.stringify(text)} is neither "a <= b" nor "a = b + c".`, HINT);
}

function tokensOf(text: string): { name?: string; sign?: string }[] {
  const tokens: { name?: string; sign?: string }[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length; ) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match)
      throw wrong(
        "constraint",
        `The constraint ${JSON.stringify(text)} cannot be read from ${JSON.stringify(text.slice(at).trim())} onwards.`,
        HINT,
      );
    const [, quoted, sign, plain] = match;
    tokens.push(sign ? { sign } : { name: plain ?? quoted.replaceAll('""', '"') });
  }
  return tokens;
}
