import { thousands } from "../core/thousands.js";
import type { Guarantee } from "../node.js";

/** The guarantee of a plan or release, as one sentence. */
export function promiseOf({ guarantee, noGuarantee }: { guarantee: Guarantee | null; noGuarantee?: string }): string {
  if (!guarantee) return noGuarantee ?? "NOT differentially private.";
  const { epsilon, delta, unit, neighbours } = guarantee;
  const whom = unit === "row" ? "one row" : `one person (up to ${thousands(unit.maxRows)} rows)`;
  return `ε = ${roundedUp(epsilon)}, δ = ${roundedUp(delta)} for ${whom} (${neighbours})`;
}

/** A positive number with six digits, rounded up: a guarantee must not look better than it is. */
export function roundedUp(value: number): string {
  const near = Number(value.toPrecision(6));
  const step = 10 ** (Math.floor(Math.log10(value)) - 5);
  return String(near >= value ? near : Number((near + step).toPrecision(6)));
}

/**
 * Rows of text in aligned columns; those in `right` are right-aligned. Control characters, which names may contain,
 * become spaces.
 */
export function tableText(cells: readonly (readonly string[])[], right: readonly number[]): string {
  const rows = cells.map((row) => row.map((cell) => cell.replace(/\p{Cc}+/gu, " ")));
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (right.includes(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join("  ")
      .trimEnd();
  return rows.map(line).join("\n");
}

/** A number of things, with its noun. */
export const counted = (count: number, one: string, many: string): string =>
  `${thousands(count)} ${count === 1 ? one : many}`;

/** A query as plans and comparisons state it. */
interface Asked {
  readonly columns?: readonly string[] | null;
  readonly expressions?: unknown;
}

/** The most characters of expressions that a line of a table shows. */
const MOST_SHOWN = 60;

/** What a query asks about: its expressions, or else its columns. */
export function askedText({ columns, expressions }: Asked): string {
  if (!Array.isArray(expressions)) return columns?.join(" × ") ?? "";
  const text = expressions.join("; ");
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN - 1)}…` : text;
}

/** An argument quoted for a shell, for commands that a message suggests. */
export function shellWord(argument: string): string {
  return /^[\w./:=@%+,-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

/** JSON for people to read and edit, as written to a file. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
