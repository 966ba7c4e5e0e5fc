// Where things lie in a NOTATION and in its scratch. The scratch belongs to the struct, so that nothing of a cell stays
// outside the arena.
import {
  MOST_DIGITS,
  NOTATION_LIMBS,
  NOTATION_OFFSET,
  NOTATION_SCRATCH,
  PIECE_DAY,
  PIECE_FRACTION,
  PIECE_HALF,
  PIECE_HOUR,
  PIECE_MINUTE,
  PIECE_MONTH,
  PIECE_MONTH_NAME,
  PIECE_OFFSET,
  PIECE_SECOND,
  PIECE_SHORT_YEAR,
  PIECE_TWELVE,
  PIECE_YEAR,
  PIECE_YEAR_DAY,
  SCRATCH_FIELDS,
  SCRATCH_NUMBERS,
  VALUE_COUNT,
  VALUE_DIGITS,
  VALUE_NEGATIVE,
  VALUE_SCALE,
} from "../layout";
import { writePadded } from "./digits";

/** The field for the number of the fraction's digits. The field of PIECE_FRACTION has their address. */
export const FRACTION_COUNT: i32 = 15;

/** The digits of a second's microseconds. */
const SECOND_DIGITS: i32 = 6;

export function numberAt(notation: usize, index: u32): usize {
  return (
    notation +
    load<u32>(notation, NOTATION_SCRATCH) +
    SCRATCH_FIELDS +
    ((<usize>(load<u32>(notation, NOTATION_LIMBS) * index)) << 2)
  );
}

export function valueOf(notation: usize): usize {
  return numberAt(notation, SCRATCH_NUMBERS);
}

// @ts-ignore: decorator
@inline
export function fieldsOf(notation: usize): usize {
  return notation + load<u32>(notation, NOTATION_SCRATCH);
}

// @ts-ignore: decorator
@inline
export function field(fields: usize, kind: i32): i32 {
  return load<i32>(fields + (<usize>kind << 2));
}

// @ts-ignore: decorator
@inline
export function setField(fields: usize, kind: i32, value: i32): void {
  store<i32>(fields + (<usize>kind << 2), value);
}

/** A field that has no value of its own where it is not stated. */
export const NOT_STATED: i32 = -1;

/** Fields as they are where nothing is stated: midnight of 1970-01-01. */
export function clearFields(notation: usize): usize {
  const fields = fieldsOf(notation);
  setField(fields, PIECE_YEAR, 1970);
  setField(fields, PIECE_SHORT_YEAR, NOT_STATED);
  setField(fields, PIECE_MONTH, 1);
  setField(fields, PIECE_MONTH_NAME, NOT_STATED);
  setField(fields, PIECE_DAY, 1);
  setField(fields, PIECE_YEAR_DAY, NOT_STATED);
  setField(fields, PIECE_HOUR, 0);
  setField(fields, PIECE_TWELVE, NOT_STATED);
  setField(fields, PIECE_HALF, 0);
  setField(fields, PIECE_MINUTE, 0);
  setField(fields, PIECE_SECOND, 0);
  setField(fields, FRACTION_COUNT, 0);
  setField(fields, PIECE_OFFSET, load<i32>(notation, NOTATION_OFFSET));
  return fields;
}

/** Sets the fields of a fraction to this many microseconds. */
export function setMicroseconds(notation: usize, microseconds: u32): void {
  const fields = clearFields(notation);
  if (!microseconds) return;
  // Where the digits of no moment reach.
  const digits = valueOf(notation) + VALUE_DIGITS + MOST_DIGITS - SECOND_DIGITS;
  writePadded(microseconds, digits, SECOND_DIGITS);
  setField(fields, PIECE_FRACTION, <i32>digits);
  setField(fields, FRACTION_COUNT, SECOND_DIGITS);
}

/** Describes the digits that a VALUE has. */
export function setValue(value: usize, negative: bool, scale: i32, count: u32): void {
  store<u32>(value, u32(negative), VALUE_NEGATIVE);
  store<i32>(value, scale, VALUE_SCALE);
  store<u32>(value, count, VALUE_COUNT);
}

// @ts-ignore: decorator
@inline
export function digitAt(value: usize, index: u32): u32 {
  return <u32>load<u8>(value + index, VALUE_DIGITS) - 0x30;
}

// 10^0 … 10^19.
const POWERS = memory.data<u64>([
  1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000,
  10000000000000, 100000000000000, 1000000000000000, 10000000000000000, 100000000000000000, 1000000000000000000,
  10000000000000000000,
]);

/** 10^exponent, for exponents up to 19. */
// @ts-ignore: decorator
@inline
export function powerOfTen(exponent: u32): u64 {
  return load<u64>(POWERS + (<usize>exponent << 3));
}
