import type { Codec, CodeTexts } from "../core/table.js";
import { checkWidth } from "./numbers.js";
import { onlyMembers, wrong } from "./validate.js";

/** How ids are made from the rows' numbers: a text with a # in the place of each digit. */
type Ids = Extract<CodeTexts, { kind: "id" }>;

const decimalIds = (pattern: string): Ids => ({ kind: "id", pattern, base: 10 });

/**
 * Ids by the Frictionless string format, made from the row's number, starting at 1. Names under example.com belong to
 * nobody (RFC 2606).
 */
const MADE: Readonly<Record<string, Ids>> = {
  default: decimalIds("#"),
  // In the form of version 4 (RFC 9562), which every checker accepts, with the row's number as its last twelve digits.
  uuid: { kind: "id", pattern: "00000000-0000-4000-8000-############", base: 16 },
  email: decimalIds("person#@example.com"),
  uri: decimalIds("https://example.com/#"),
};

/**
 * How the ids of rows read: 1, 2, 3, … from the row's number alone, so they are unique and reveal nothing. Strings may
 * have a `format` (uuid, email, uri), or in `standin.format` a `pattern` such as `P-#####`, whose #s are the number's
 * digits. Strings and numbers may have a `width`, which is filled with zeros. Numbers with more digits than that are
 * written in full, not cut.
 * @param format `standin.format`
 * @throws {StandinError} `schema/id` for types that ids cannot have; `schema/format`
 */
export function idCodec(where: string, type: string, given: Record<string, unknown>, format: unknown = {}): Codec {
  if (type === "integer" || type === "number") {
    onlyMembers(format, `${where}, in its standin.format,`, ["width"]);
    const ids = zeroFilled(where, format.width ?? 1);
    return { value: (row) => row + 1, text: (row) => idText(ids, row + 1), texts: ids };
  }
  if (type !== "string")
    throw wrong(
      "id",
      `${where} has the role id and the type ${type}: ids are strings or integers.`,
      'Give it the role "drop", or model it.',
    );
  const ids = stringIds(where, given.format ?? "default", format);
  const text = (row: number) => idText(ids, row + 1);
  return { value: text, text, texts: ids };
}

function stringIds(where: string, stated: unknown, format: unknown): Ids {
  const made = typeof stated === "string" && Object.hasOwn(MADE, stated) ? MADE[stated] : undefined;
  if (!made)
    throw wrong(
      "format",
      `${where} has the format ${JSON.stringify(stated)}, in which ids cannot be made.`,
      `Known: ${Object.keys(MADE).join(", ")}.`,
    );
  onlyMembers(format, `${where}, in its standin.format,`, ["width", "pattern"]);
  const { width, pattern } = format;
  if ([stated !== "default", width !== undefined, pattern !== undefined].filter(Boolean).length > 1)
    throw wrong("format", `${where} has more than one of format, width and pattern.`, "Keep one of them.");
  if (width !== undefined) return zeroFilled(where, width);
  return pattern === undefined ? made : patterned(where, pattern);
}

function zeroFilled(where: string, width: unknown): Ids {
  checkWidth(where, width, 1);
  return decimalIds("#".repeat(width));
}

function patterned(where: string, pattern: unknown): Ids {
  if (typeof pattern === "string" && pattern.includes("#")) return decimalIds(pattern);
  throw wrong(
    "format",
    `${where} has a pattern without a place for the number: ${JSON.stringify(pattern)}.`,
    'Mark its digits with #, as in "P-#####".',
  );
}

/** Digits replace the #s from the right. Any extra digits come before the first #. */
function idText({ pattern, base }: Ids, number: number): string {
  const places = pattern.split("#").length - 1;
  const digits = number.toString(base).padStart(places, "0");
  let at = digits.length - places;
  const first = pattern.indexOf("#");
  return pattern.slice(0, first) + digits.slice(0, at) + pattern.slice(first).replaceAll("#", () => digits[at++]);
}
