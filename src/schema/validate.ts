import { StandinError } from "../core/errors.js";

// Small checks that every part of a schema goes through.

/** The error about a schema. */
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
    throw new StandinError("schema/block", `${where} is no object.`, `It may have ${members.join(", ")}.`);
  const stray = Object.keys(value).find((member) => !members.includes(member));
  if (stray !== undefined)
    throw new StandinError(
      "schema/unknown-member",
      `${where} has a member "${stray}" that means nothing.`,
      `It may have ${members.join(", ")}.`,
    );
}

/** A list of different strings. @throws {StandinError} `schema/list` */
export function strings(value: unknown, where: string): string[] {
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === "string"))
    throw new StandinError("schema/list", `The ${where} are no list of strings.`, 'Write them as ["", "NA"].');
  return [...new Set(value)];
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
