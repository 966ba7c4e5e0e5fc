/** The largest of some numbers; 0 if there are none, or none above it. They may be more than a call has arguments. */
export const largest = (numbers: readonly number[]): number => numbers.reduce((most, one) => Math.max(most, one), 0);
