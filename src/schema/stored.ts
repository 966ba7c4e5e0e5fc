import type { Codes } from "../core/table.js";
import type { Field } from "./field.js";

// How a table stores a modelled field: category codes as u16; grid points as u32, or as f64 on grids of 2^32 − 1 points and more.

/** The stored code of a missing cell on a grid that fits u32. */
const NO_POINT = 0xffffffff;

/** Zeroed room for the stored codes of a modelled field. */
export function allocate({ domain }: Field, length: number): Codes {
  if (domain!.kind === "category") return new Uint16Array(length);
  return domain!.points < NO_POINT ? new Uint32Array(length) : new Float64Array(length);
}

/** The stored code of a missing cell, where the field may be missing: one past the last category, or no grid point. */
export function missingCode({ domain, required }: Field): number | undefined {
  if (required) return undefined;
  if (domain!.kind === "category") return domain!.labels.length;
  return domain!.points < NO_POINT ? NO_POINT : -1;
}
