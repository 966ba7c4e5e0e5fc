import type { Codes } from "../core/table.js";
import type { Field } from "./field.js";

// How a table stores a modelled field: category codes as u16; grid points as the first of u16, u32 and f64 that leaves
// a code for a missing cell.

/** The stored codes of missing cells on grids that fit u16 and u32: the largest ones. */
const NO_POINT_16 = 0xffff;
const NO_POINT_32 = 0xffffffff;

/** The bytes of a stored code of a modelled field: of u16, u32 or f64. */
export function bytesPerCode({ domain }: Pick<Field, "domain">): 2 | 4 | 8 {
  if (domain!.kind === "category" || domain!.points <= NO_POINT_16) return 2;
  return domain!.points <= NO_POINT_32 ? 4 : 8;
}

/** A zeroed array for the stored codes of a modelled field. */
export function allocate(field: Field, length: number): Codes {
  const bytes = bytesPerCode(field);
  return bytes === 2 ? new Uint16Array(length) : bytes === 4 ? new Uint32Array(length) : new Float64Array(length);
}

/**
 * The stored code of a missing cell, if the field may be missing: one past the last category, or a value that is not a
 * grid point.
 */
export function missingCode({ domain, required }: Pick<Field, "domain" | "required">): number | undefined {
  if (required) return undefined;
  if (domain!.kind === "category") return domain!.labels.length;
  if (domain!.points <= NO_POINT_16) return NO_POINT_16;
  return domain!.points <= NO_POINT_32 ? NO_POINT_32 : -1;
}
