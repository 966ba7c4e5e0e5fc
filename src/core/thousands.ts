/** A whole number with commas between its thousands, for messages: `1,234,567`. */
export const thousands = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
