/** How often a code occurs. */
export const times = (stored: ArrayLike<number>, code: number): number =>
  Array.from(stored).filter((one) => one === code).length;
