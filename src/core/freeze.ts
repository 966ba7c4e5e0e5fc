/** Deep-freezes a value made of plain objects and arrays, and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
