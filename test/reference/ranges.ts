import type { Attribute } from "../../src/domain/attribute.js";
import type { Ranges, Side } from "../../src/queries/ranges.js";
import { codesIn } from "./tree.js";

/**
 * Whether a code is on the side: its place c ÷ n of the values 0 … n − 1, as a multiple of 2^−32, against the bounds.
 */
export function isOn(side: Side, attribute: Attribute, code: number): boolean {
  if (side === null) return true;
  if (typeof side === "number") return code === side;
  const values = BigInt(codesIn(attribute) - Number(attribute.missing));
  const place = BigInt(code) << 32n;
  return BigInt(code) < values && BigInt(side[0]) * values <= place && place < BigInt(side[1]) * values;
}

/** The answers by definition: for each box, the rows in it with each combination of codes of the divided columns. */
export function rangesAnswers(
  { columns, boxes }: Ranges,
  attributes: readonly Attribute[],
  codes: readonly Uint16Array[],
): Int32Array {
  const divided = columns.filter((_, at) => boxes[0][at] === null);
  const cells = divided.reduce((product, column) => product * attributes[column].size, 1);
  const out = new Int32Array(boxes.length * cells);
  for (const [number, box] of boxes.entries())
    for (let row = 0; row < codes[0].length; row++) {
      if (!box.every((side, at) => isOn(side, attributes[columns[at]], codes[columns[at]][row]))) continue;
      out[number * cells + divided.reduce((cell, column) => cell * attributes[column].size + codes[column][row], 0)]++;
    }
  return out;
}
