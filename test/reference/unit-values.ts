/** The positions of grid points between the first and the last one; a missing cell has the code 1 and the value 1. */
export const unitValues = (stored: ArrayLike<number>, last: number, missing: number | undefined) =>
  Array.from(stored, (point) =>
    point === missing ? { code: 1, value: 1 } : { code: 0, value: last ? point / last : 0 },
  );
