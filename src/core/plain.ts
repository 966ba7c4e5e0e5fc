// Values made of plain objects and arrays.
import { expectArgument } from "./arguments.js";

/** Deep-freezes a value made of plain objects and arrays, and returns it. Typed arrays cannot be frozen. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value))
    Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

/** A copy of a value made of plain objects and arrays. */
export function deepCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(deepCopy) as T;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, deepCopy(member)])) as T;
}

/** How deep lists and objects may lie in one another. */
const MOST_NESTED = 16;

/**
 * A copy of what a caller states as data, which does not change with the caller's own.
 * @param what it is, worded to follow "Expected"
 * @throws {StandinError} `options/argument` if it has something that JSON cannot state, or is nested deeper than 16
 */
export function copyOfData<T>(value: T, what: string, left = MOST_NESTED): T {
  const isNested = typeof value === "object" && value !== null;
  const isData = isNested ? left > 0 : !["bigint", "symbol", "function"].includes(typeof value);
  expectArgument(isData, what);
  if (!isNested) return value;
  if (Array.isArray(value)) return Array.from(value, (entry) => copyOfData(entry, what, left - 1)) as T;
  const entries = Object.entries(value).map(([key, member]) => [key, copyOfData(member, what, left - 1)]);
  return Object.fromEntries(entries) as T;
}
