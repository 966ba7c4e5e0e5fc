// Which characters a regular expression with the flag i, but without u, reads as the same.

/** Code units, by the code unit that they are compared as, if it is another one; made when first needed. */
let alike: Map<number, number[]> | undefined;

/** The code points that are read as a character: none for half of a surrogate pair, which no text in UTF-8 has. */
export function readAlike(character: string): number[] {
  const point = character.codePointAt(0)!;
  if (point >= 0xd800 && point <= 0xdfff) return [];
  if (point > 0xffff) return [point];
  if (point < 0x80) return [...new Set([character, character.toLowerCase(), character.toUpperCase()])].map(codeOf);
  if (character.toLowerCase() === character.toUpperCase()) return [point];
  alike ??= groups();
  return alike.get(folded(point)) ?? [point];
}

const codeOf = (character: string): number => character.charCodeAt(0);

/** As ECMAScript's Canonicalize: the capital, if it is one code unit, and no ASCII letter for one outside ASCII. */
function folded(unit: number): number {
  const capital = String.fromCharCode(unit).toUpperCase();
  return capital.length === 1 && (unit < 0x80 || codeOf(capital) >= 0x80) ? codeOf(capital) : unit;
}

function groups(): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (let unit = 0x80; unit <= 0xffff; unit++) {
    const key = folded(unit);
    if (key !== unit) groups.set(key, [...(groups.get(key) ?? [key]), unit]);
  }
  return groups;
}
