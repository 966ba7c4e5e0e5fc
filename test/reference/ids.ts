/** The text with a number's digits in its #s. More digits than #s come before the first. */
export function id(text: string, base: number, number: number): string {
  const places = text.split("#").length - 1;
  const digits = number.toString(base).padStart(places, "0");
  const extra = digits.length - places;
  const filled = [digits.slice(0, extra + 1), ...digits.slice(extra + 1)];
  return text.replaceAll("#", () => filled.shift()!);
}
