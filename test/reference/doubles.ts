/** The text of a number as JavaScript writes it, but without an exponent, and with this decimal mark. */
export function plainText(number: number, mark = "."): string {
  if (!Number.isFinite(number)) return number < 0 ? "-inf" : "inf";
  const [mantissa, exponent = "0"] = String(Math.abs(number)).split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  const places = fraction.length - Number(exponent);
  const digits = `${whole}${fraction}${"0".repeat(Math.max(0, -places))}`.padStart(places + 1, "0");
  const end = digits.length - Math.max(0, places);
  const before = digits.slice(0, end).replace(/^0+(?=\d)/, "");
  return (number < 0 ? "-" : "") + before + (end < digits.length ? mark + digits.slice(end) : "");
}
