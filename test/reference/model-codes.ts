/** The points of a column: the first of each code, ascending, and what is stored where a cell is missing. */
export interface Points {
  readonly starts: ArrayLike<number>;
  readonly missing: number | undefined;
}

/** The codes that queries see: the last one that starts at or before a point, and one more for missing. */
export function modelCodes({ starts, missing }: Points, stored: ArrayLike<number>, last: number): number[] {
  const codeOf = (point: number) => Array.from(starts).findLastIndex((start) => start <= point);
  return Array.from(stored, (point) => Math.min(last, point === missing ? starts.length : codeOf(point)));
}
