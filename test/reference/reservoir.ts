import { NO_PERSON } from "../../src/engine/layout.js";
import type { Stream } from "./stream.js";

/**
 * Whether each row stays (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S): a person's next row does with
 * probability slots left ÷ rows left, by one draw per row; a row without a person does without a draw.
 */
export function keptRows(persons: Uint32Array, maxRows: number, stream: Stream): boolean[] {
  const rows = new Map<number, number>();
  for (const person of persons) rows.set(person, (rows.get(person) ?? 0) + 1);
  const kept = new Map<number, number>();
  return Array.from(persons, (person) => {
    if (person === NO_PERSON) return true;
    const [left, stay] = [rows.get(person)!, kept.get(person) ?? 0];
    rows.set(person, left - 1);
    if (stream.below(BigInt(left)) >= maxRows - stay) return false;
    kept.set(person, stay + 1);
    return true;
  });
}
