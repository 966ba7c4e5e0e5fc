/** This host's own functions, which may differ in their last bits. */
export const cubeRoot = Math.cbrt;
export const exponential = Math.exp;
export const logarithm = Math.log;
