// Reads the structs LINKED and SCALE of layout.ts: the values of a column that have a number, in ascending order.
import {
  LINKED_COLUMNS,
  LINKED_SCALES,
  SCALE_BASE,
  SCALE_BYTES,
  SCALE_CODES,
  SCALE_EVEN,
  SCALE_KIND,
  SCALE_LISTED,
  SCALE_MISSING,
  SCALE_MODELLED,
  SCALE_NUMBERS,
  SCALE_ORDER,
  SCALE_PLACES,
  SCALE_STARTS,
  SCALE_STEP,
  SCALE_PLAIN,
  SCALE_STORED,
  SCALE_VALUES,
  SCALE_WIDTH,
} from "../layout";

@inline
export function columnsOf(linked: usize): u32 {
  return load<u32>(linked, LINKED_COLUMNS);
}

/** What a field of a struct points to. */
@inline
export function partOf(linked: usize, struct: usize, field: usize): usize {
  return linked + load<u32>(struct + field);
}

@inline
export function scaleOf(linked: usize, column: u32): usize {
  return partOf(linked, linked, LINKED_SCALES) + <usize>column * SCALE_BYTES;
}

/** The codes that queries see, without missing. */
@inline
export function codesOf(scale: usize): u32 {
  return load<u32>(scale, SCALE_CODES);
}

@inline
function kindOf(scale: usize): u32 {
  return load<u32>(scale, SCALE_KIND);
}

/** How many values a column has, without missing. */
@inline
function valuesOf(scale: usize): f64 {
  return load<f64>(scale, SCALE_VALUES);
}

/** How many positions there are. Missing has one only if values are not compared. */
export function lengthOf(scale: usize): f64 {
  const missing = load<f64>(scale, SCALE_MISSING);
  return kindOf(scale) == SCALE_PLAIN && missing == missing ? valuesOf(scale) + 1 : valuesOf(scale);
}

/** The number at a position; NaN where there is none. */
export function numberAt(linked: usize, scale: usize, position: f64): f64 {
  switch (kindOf(scale)) {
    case SCALE_EVEN:
      return load<f64>(scale, SCALE_BASE) + position * load<f64>(scale, SCALE_STEP);
    case SCALE_LISTED:
      if (!(position >= 0 && position < valuesOf(scale))) return NaN;
      return load<f64>(partOf(linked, scale, SCALE_NUMBERS) + (<usize>position << 3));
    default:
      return NaN;
  }
}

/** The first position whose number is `number` or more; the length if there is none, and 0 if nothing is compared. */
export function firstFrom(linked: usize, scale: usize, number: f64): f64 {
  const kind = kindOf(scale);
  if (kind == SCALE_EVEN) {
    const position = Math.ceil((number - load<f64>(scale, SCALE_BASE)) / load<f64>(scale, SCALE_STEP));
    return min(valuesOf(scale), max<f64>(0, position));
  }
  let low: u32 = 0;
  if (kind == SCALE_LISTED) {
    const numbers = partOf(linked, scale, SCALE_NUMBERS);
    for (let high = <u32>valuesOf(scale); low < high; ) {
      const middle = (low + high) >> 1;
      if (load<f64>(numbers + (<usize>middle << 3)) < number) low = middle + 1;
      else high = middle;
    }
  }
  return low;
}

/** The last position whose number is `number` or less; −1 if there is none, and the last one if nothing is compared. */
export function lastUpTo(linked: usize, scale: usize, number: f64): f64 {
  switch (kindOf(scale)) {
    case SCALE_EVEN: {
      const position = Math.floor((number - load<f64>(scale, SCALE_BASE)) / load<f64>(scale, SCALE_STEP));
      return max<f64>(-1, min(valuesOf(scale) - 1, position));
    }
    case SCALE_LISTED:
      // The numbers are whole.
      return firstFrom(linked, scale, Math.floor(number) + 1) - 1;
    default:
      return valuesOf(scale);
  }
}

/** The position of a stored code; −1 if it has none. */
export function positionOf(linked: usize, scale: usize, stored: f64): f64 {
  const missing = stored == load<f64>(scale, SCALE_MISSING);
  switch (kindOf(scale)) {
    case SCALE_EVEN:
      return missing ? -1 : stored;
    case SCALE_LISTED:
      if (!(stored >= 0 && stored < codesOf(scale))) return -1;
      return load<u32>(partOf(linked, scale, SCALE_PLACES) + (<usize>stored << 2));
    default:
      return missing ? valuesOf(scale) : stored;
  }
}

/** The stored code at a position. */
export function storedAt(linked: usize, scale: usize, position: f64): f64 {
  switch (kindOf(scale)) {
    case SCALE_EVEN:
      return position;
    case SCALE_LISTED:
      return load<u32>(partOf(linked, scale, SCALE_ORDER) + (<usize>position << 2));
    default:
      return position == valuesOf(scale) ? load<f64>(scale, SCALE_MISSING) : position;
  }
}

/** The first position of the values that queries see as a code; 0 for the code of missing numbers. */
export function firstOf(linked: usize, scale: usize, code: u32): f64 {
  const kind = kindOf(scale);
  if (code >= codesOf(scale)) return kind == SCALE_PLAIN ? valuesOf(scale) : 0;
  if (kind == SCALE_LISTED) return load<u32>(partOf(linked, scale, SCALE_PLACES) + (<usize>code << 2));
  if (!load<u32>(scale, SCALE_STARTS)) return code;
  return min(valuesOf(scale) - 1, load<f64>(partOf(linked, scale, SCALE_STARTS) + (<usize>code << 3)));
}

/** The last of these positions; −1 for the code of missing numbers. */
export function lastOf(linked: usize, scale: usize, code: u32): f64 {
  if (code >= codesOf(scale)) return kindOf(scale) == SCALE_PLAIN ? valuesOf(scale) : -1;
  const first = firstOf(linked, scale, code);
  if (!load<u32>(scale, SCALE_STARTS)) return first;
  const next = partOf(linked, scale, SCALE_STARTS) + ((<usize>code + 1) << 3);
  const end = code + 1 < codesOf(scale) ? load<f64>(next) : valuesOf(scale);
  return max(first, end - 1);
}

/** The code that queries see for a stored code. */
export function codeAt(linked: usize, scale: usize, stored: f64): u32 {
  if (stored == load<f64>(scale, SCALE_MISSING)) return codesOf(scale);
  if (!load<u32>(scale, SCALE_STARTS)) return <u32>stored;
  const starts = partOf(linked, scale, SCALE_STARTS);
  let low: u32 = 0;
  for (let high = codesOf(scale) - 1; low < high; ) {
    const middle = (low + high + 1) >> 1;
    if (load<f64>(starts + (<usize>middle << 3)) <= stored) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The stored code of a row. */
@inline
export function storedIn(scale: usize, row: u32): f64 {
  const codes = load<usize>(scale, SCALE_STORED);
  switch (load<u32>(scale, SCALE_WIDTH)) {
    case 2:
      return load<u16>(codes + (<usize>row << 1));
    case 4:
      return load<u32>(codes + (<usize>row << 2));
    default:
      return load<f64>(codes + (<usize>row << 3));
  }
}

/** Changes the stored code of a row. */
export function setStored(scale: usize, row: u32, stored: f64): void {
  const codes = load<usize>(scale, SCALE_STORED);
  switch (load<u32>(scale, SCALE_WIDTH)) {
    case 2:
      store<u16>(codes + (<usize>row << 1), <u16>(<u32>stored));
      break;
    case 4:
      store<u32>(codes + (<usize>row << 2), <u32>stored);
      break;
    default:
      store<f64>(codes + (<usize>row << 3), stored);
  }
}

/** The code that queries see in a row. */
@inline
export function codeIn(scale: usize, row: u32): u32 {
  return load<u16>(load<usize>(scale, SCALE_MODELLED) + (<usize>row << 1));
}

@inline
export function setCode(scale: usize, row: u32, code: u32): void {
  store<u16>(load<usize>(scale, SCALE_MODELLED) + (<usize>row << 1), code);
}
