// A notation as the engine's struct NOTATION.
import { utf8 } from "../core/utf8.js";
import {
  DIGITS_A_LIMB,
  EXPONENT_ALWAYS,
  EXPONENT_NEVER,
  EXPONENT_OUTSIDE,
  MOST_DIGITS,
  NO_UNIT,
  NOTATION_BARE,
  NOTATION_BLANKS,
  NOTATION_BYTES,
  NOTATION_DECIMAL,
  NOTATION_DECIMAL_TEXT,
  NOTATION_EXPONENT,
  NOTATION_EXPONENT_WIDTH,
  NOTATION_GROUP,
  NOTATION_GROUP_TEXT,
  NOTATION_HEAD,
  NOTATION_KIND,
  NOTATION_LETTER,
  NOTATION_LIMBS,
  NOTATION_MINIMUM,
  NOTATION_OFFSET,
  NOTATION_OFFSET_TEXT,
  NOTATION_PIECE_COUNT,
  NOTATION_PIECES,
  NOTATION_PLACES,
  NOTATION_PLAIN_BELOW,
  NOTATION_PLAIN_FROM,
  NOTATION_PLUS,
  NOTATION_POINTS,
  NOTATION_PREFIX,
  NOTATION_SCALE,
  NOTATION_SCRATCH,
  NOTATION_STEP,
  NOTATION_SUFFIX,
  NOTATION_WIDEST,
  NOTATION_WIDTH,
  PIECE_BYTES,
  PIECE_DATA,
  PIECE_KIND,
  PIECE_LEAST,
  PIECE_MOST,
  PIECE_OFFSET,
  PIECE_POINT,
  PIECE_SURE,
  PIECE_TEXT,
  PIECE_WIDTH,
  SCRATCH_FIELDS,
  SCRATCH_NUMBERS,
  SPELLS_DAYS,
  SPELLS_NUMBER,
  SPELLS_SECONDS,
  VALUE_DIGITS,
} from "../engine/layout.js";
import { Struct } from "../engine/struct.js";
import { type Decimal, floorDivide, magnitudeOf } from "./decimal.js";
import type { PieceFacts } from "./directives.js";
import { isMixed } from "./exponent.js";
import { readAlike } from "./letters.js";
import type { Spelling } from "./notation.js";

/** The points of a grid: minimum + i·step in units of 10^−scale. */
interface Points {
  readonly minimum: bigint;
  readonly step: bigint;
  readonly scale: number;
  readonly points: number;
}

const NO_POINTS: Points = { minimum: 0n, step: 1n, scale: 0, points: 0 };

/** The engine keeps integers in 64 bits where it can double all of a grid's, and half a step more, below 2^62. */
const MOST_TWICE = 1n << 62n;
const MOST_STEP = 1n << 60n;
/** The most decimals of such a grid's seconds: powers of ten up to this one fit as well. */
const MOST_PLACES = 18;
/** A step times one and a half times the most points of a grid takes this many bits more than the step. */
const POINT_BITS = 54n;
const LIMB_BITS = 32;

const bytesOf = (text: string) => utf8(text).length;

/** The struct NOTATION of values in this spelling, with the grid that they have unless they are categories. */
export function notationStruct(spelling: Spelling, grid: Points = NO_POINTS): Uint8Array<ArrayBuffer> {
  const struct = new Struct(NOTATION_HEAD);
  const limbs = limbsOf(spelling, grid);
  struct.u32(NOTATION_LIMBS, limbs);
  struct.u32(NOTATION_SCALE, grid.scale);
  struct.f64(NOTATION_POINTS, grid.points);
  setInteger(struct, NOTATION_MINIMUM, grid.minimum, limbs);
  setInteger(struct, NOTATION_STEP, grid.step, limbs);
  if (spelling.unit === "") describeNumber(struct, spelling, grid, limbs);
  else describeMoment(struct, spelling, grid.scale);
  const scratch = SCRATCH_FIELDS + SCRATCH_NUMBERS * 4 * limbs + VALUE_DIGITS + MOST_DIGITS + DIGITS_A_LIMB * limbs;
  const start = struct.reserve(scratch);
  struct.u32(NOTATION_SCRATCH, start);
  struct.u32(NOTATION_BYTES, start + scratch);
  return struct.bytes;
}

type Numbers = Extract<Spelling, { unit: "" }>;
type Moments = Exclude<Spelling, Numbers>;

function describeNumber(struct: Struct, { marks, bare, exponent }: Numbers, grid: Points, limbs: number): void {
  const { decimalChar, groupChar, width, prefix, suffix } = marks;
  const most = sizeOf(grid);
  struct.u32(NOTATION_KIND, SPELLS_NUMBER);
  struct.u32(NOTATION_DECIMAL, decimalChar.charCodeAt(0));
  struct.u32(NOTATION_GROUP, groupChar ? groupChar.charCodeAt(0) : NO_UNIT);
  struct.u32(NOTATION_BARE, bare ? 1 : 0);
  struct.u32(NOTATION_WIDTH, width);
  setText(struct, NOTATION_DECIMAL_TEXT, decimalChar);
  setText(struct, NOTATION_GROUP_TEXT, groupChar);
  setText(struct, NOTATION_PREFIX, prefix);
  setText(struct, NOTATION_SUFFIX, suffix);
  const digits = Math.max(most.toString().length, grid.scale + width);
  let widest = digits + Math.floor(digits / 3) * bytesOf(groupChar) + bytesOf(decimalChar);
  if (exponent) {
    const { places, letter, plus, plainFrom, plainBelow } = exponent;
    struct.u32(NOTATION_EXPONENT, isMixed(exponent) ? EXPONENT_OUTSIDE : EXPONENT_ALWAYS);
    struct.u32(NOTATION_PLACES, places);
    struct.u32(NOTATION_LETTER, letter.charCodeAt(0));
    struct.u32(NOTATION_PLUS, plus ? 1 : 0);
    struct.u32(NOTATION_EXPONENT_WIDTH, exponent.width);
    setInteger(struct, NOTATION_PLAIN_FROM, plainFrom ? unitsFrom(plainFrom, grid.scale, most) : 0n, limbs);
    setInteger(struct, NOTATION_PLAIN_BELOW, plainBelow ? unitsFrom(plainBelow, grid.scale, most) : most, limbs);
    widest = Math.max(widest, Math.max(digits, 1 + places) + bytesOf(decimalChar) + "e+0000".length);
  } else struct.u32(NOTATION_EXPONENT, EXPONENT_NEVER);
  struct.u32(NOTATION_WIDEST, "-".length + bytesOf(prefix) + widest + bytesOf(suffix));
}

function describeMoment(struct: Struct, { unit, pieces, offset }: Moments, scale: number): void {
  struct.u32(NOTATION_KIND, unit === "d" ? SPELLS_DAYS : SPELLS_SECONDS);
  struct.u32(NOTATION_BLANKS, /^\s*/.exec(pieces[0].text ?? "")![0].length);
  struct.u32(NOTATION_OFFSET, offset?.seconds ?? 0);
  setText(struct, NOTATION_OFFSET_TEXT, offset?.text ?? "");
  const first = struct.reserve(PIECE_BYTES * pieces.length);
  struct.u32(NOTATION_PIECES, first);
  struct.u32(NOTATION_PIECE_COUNT, pieces.length);
  let widest = 0;
  for (const [at, piece] of pieces.entries()) {
    const { kind, least, most, width, words, text } = piece;
    const place = first + PIECE_BYTES * at;
    struct.u32(place + PIECE_KIND, kind);
    struct.u32(place + PIECE_LEAST, least);
    struct.u32(place + PIECE_MOST, most);
    struct.u32(place + PIECE_WIDTH, width);
    struct.u32(place + PIECE_SURE, mayBeginWithDigit(pieces.slice(at + 1)) ? 0 : 1);
    if (words) struct.u32(place + PIECE_DATA, struct.append(Uint8Array.from(words.flatMap(wordBytes))));
    if (text !== undefined) {
      struct.u32(place + PIECE_DATA, struct.append(Uint32Array.from(spellingsOf(piece))));
      setText(struct, place + PIECE_TEXT, text);
    }
    widest += kind === PIECE_OFFSET ? bytesOf(offset?.text ?? "") : widestOf(piece, scale);
  }
  struct.u32(NOTATION_WIDEST, widest);
}

/** The most bytes that are written for a piece. Years may have a digit more than stated. */
function widestOf({ most, words, text }: PieceFacts, scale: number): number {
  if (text !== undefined) return bytesOf(text);
  return words ? LONGEST_WORD : 1 + Math.max(most, scale);
}

/** Whether a text of these pieces, or what comes before its first letter or sign, may begin with a digit. */
function mayBeginWithDigit([first, ...rest]: readonly PieceFacts[]): boolean {
  if (!first) return false;
  const { kind, least, words, text } = first;
  if (text !== undefined) return /^\d/.test(text);
  if (kind === PIECE_POINT || (kind === PIECE_OFFSET && !least)) return mayBeginWithDigit(rest);
  return !words && kind !== PIECE_OFFSET;
}

/** For each character of a literal, the number of characters that are read as it, and these. */
function spellingsOf({ text, also }: PieceFacts): number[] {
  return Array.from(text!).flatMap((character) => {
    const points = [...readAlike(character), ...(also ? readAlike(also) : [])];
    return [points.length, ...points];
  });
}

/** The letters of the longest month. */
const LONGEST_WORD = 9;

const wordBytes = (word: string): number[] => [word.length, ...utf8(word.padEnd(LONGEST_WORD, "\0"))];

/** A magnitude that no value of a grid reaches. */
const sizeOf = ({ minimum, step, points }: Points) => magnitudeOf(minimum) + step * BigInt(points) + 1n;

/** The smallest integer of the grid that is not below a magnitude, or `most`. */
function unitsFrom({ units, scale }: Decimal, gridScale: number, most: bigint): bigint {
  const least = -floorDivide(-units * 10n ** BigInt(gridScale), 10n ** BigInt(scale));
  return least < most ? least : most;
}

/** The limbs that the grid's integers need in the engine, with two that stay free; 0 if they fit in 64 bits. */
function limbsOf({ unit }: Spelling, grid: Points): number {
  const { minimum, step, scale, points } = grid;
  const base = 2n * minimum - step;
  const end = base + 2n * step * BigInt(points);
  const short = base > -MOST_TWICE && end <= MOST_TWICE && step <= MOST_STEP;
  if (short && (unit === "" || scale <= MOST_PLACES)) return 0;
  const bits = Math.max((2n * sizeOf(grid)).toString(2).length, (step << POINT_BITS).toString(2).length);
  return Math.ceil(bits / LIMB_BITS) + 2;
}

/** Writes an integer of 64 bits, or the offset of one with `limbs` limbs. */
function setInteger(struct: Struct, place: number, integer: bigint, limbs: number): void {
  const words = Uint32Array.from({ length: limbs || 2 }, (_, at) => Number((integer >> BigInt(32 * at)) & 0xffffffffn));
  if (limbs) struct.u32(place, struct.append(words));
  else for (const [at, word] of words.entries()) struct.u32(place + 4 * at, word);
}

/** Writes the offset of a text, and its length in bytes. */
function setText(struct: Struct, place: number, text: string): void {
  const bytes = utf8(text);
  struct.u32(place, struct.append(bytes));
  struct.u32(place + 4, bytes.length);
}
