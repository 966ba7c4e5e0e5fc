import { StandinError } from "../core/errors.js";
import { type Decimal, parseDecimal } from "./decimal.js";

// Small checks shared by all parts of a schema.

/** An error about a schema. */
export function wrong(code: string, message: string, hint: string): StandinError {
  return new StandinError(`schema/${code}`, message, hint);
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Asserts an object with no members but these. @throws {StandinError} `schema/unknown-member` */
export function onlyMembers(
  value: unknown,
  where: string,
  members: readonly string[],
): asserts value is Record<string, unknown> {
  if (!isObject(value))
    throw new StandinError("schema/block", `${where} is not an object.`, `It may have ${members.join(", ")}.`);
  const stray = Object.keys(value).find((member) => !members.includes(member));
  if (stray !== undefined)
    throw new StandinError(
      "schema/unknown-member",
      `${where} has an unknown member "${stray}".`,
      `It may have ${members.join(", ")}.`,
    );
}

/**
 * The Frictionless format lets anyone add members, so unknown ones are ignored. The members listed here are known
 * mistakes, which would silently change what is protected or modelled.
 * @throws {StandinError} `schema/misplaced-member`
 */
export function noMisplaced(value: Record<string, unknown>, where: string, mistakes: readonly string[]): void {
  const stray = mistakes.find((member) => value[member] !== undefined);
  if (stray !== undefined)
    throw new StandinError(
      "schema/misplaced-member",
      `${where} has a member "${stray}", which has no effect there.`,
      "standin's own members go into a \"standin\" block; the format's are spelled missingValues, minimum, maximum, constraints.",
    );
}

/** A value of the schema, for messages. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  return typeof value === "bigint" ? String(value) : (JSON.stringify(value) ?? String(value));
}

/** A list of different strings. @throws {StandinError} `schema/list` */
export function strings(value: unknown, where: string): string[] {
  if (!Array.isArray(value))
    throw wrong("list", `The ${where} are not a list of strings.`, 'Write them as ["", "NA"].');
  const stray = value.findIndex((entry) => typeof entry !== "string");
  if (stray >= 0)
    throw wrong(
      "list",
      `The ${where} have ${shown(value[stray])}, which is not text.`,
      'Write it in quotes, as "-99".',
    );
  return [...new Set<string>(value)];
}

/** One of a few words. @throws {StandinError} with this code */
export function choice<T extends string>(value: unknown, allowed: readonly T[], sentence: string, code: string): T {
  if (allowed.includes(value as T)) return value as T;
  throw new StandinError(
    code,
    `${sentence} ${JSON.stringify(value)}, which is not known.`,
    `Known: ${allowed.join(", ")}.`,
  );
}

/**
 * A number in a schema. A number in quotes keeps its trailing zeros.
 * @param whole whether every digit matters: then it is refused if JSON readers have rounded it
 * @throws {StandinError} `schema/number`
 */
export function decimal(value: unknown, sentence: string, whole: boolean): Decimal {
  const parsed = typeof value === "number" || typeof value === "string" ? parseDecimal(String(value)) : undefined;
  if (!parsed) throw wrong("number", `${sentence} that is not a number: ${shown(value)}.`, "Give a number.");
  if (whole && typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw wrong(
      "number",
      `${sentence} beyond 2^53, which JSON readers round: ${value}.`,
      "Write it in quotes, digit by digit.",
    );
  return parsed;
}
