// Values made of plain objects and arrays.

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
