import type { Codec } from "../core/table.js";
import { formatDecimal, PLAIN } from "./decimal.js";
import { checkWidth } from "./numbers.js";
import { onlyMembers, wrong } from "./validate.js";

/**
 * Ids by the Frictionless string format, made from the row's number, starting at 1. Names under example.com belong to
 * nobody (RFC 2606).
 */
const MADE: Readonly<Record<string, (number: number) => string>> = {
  default: String,
  // In the form of version 4 (RFC 9562), which every checker accepts, with the row's number as its last twelve digits.
  uuid: (number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`,
  email: (number) => `person${number}@example.com`,
  uri: (number) => `https://example.com/${number}`,
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
    const text = zeroFilled(where, format.width ?? 1);
    return { value: (row) => row + 1, text: (row) => text(row + 1) };
  }
  if (type !== "string")
    throw wrong(
      "id",
      `${where} has the role id and the type ${type}: ids are strings or integers.`,
      'Give it the role "drop", or model it.',
    );
  const text = idText(where, given.format ?? "default", format);
  return { value: (row) => text(row + 1), text: (row) => text(row + 1) };
}

function idText(where: string, stated: unknown, format: unknown): (number: number) => string {
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

function zeroFilled(where: string, width: unknown): (number: number) => string {
  checkWidth(where, width, 1);
  return (number) => formatDecimal({ units: BigInt(number), scale: 0 }, { ...PLAIN, width });
}

/** Digits replace the #s from the right. Any extra digits come before the first #. */
function patterned(where: string, pattern: unknown): (number: number) => string {
  if (typeof pattern !== "string" || !pattern.includes("#"))
    throw wrong(
      "format",
      `${where} has a pattern without a place for the number: ${JSON.stringify(pattern)}.`,
      'Mark its digits with #, as in "P-#####".',
    );
  const places = pattern.split("#").length - 1;
  return (number) => {
    const digits = String(number).padStart(places, "0");
    let at = digits.length - places;
    const first = pattern.indexOf("#");
    return pattern.slice(0, first) + digits.slice(0, at) + pattern.slice(first).replaceAll("#", () => digits[at++]);
  };
}
