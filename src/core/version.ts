/** The version of this package, as plans and releases record it (a test compares it with package.json). */
export const VERSION = "0.1.0";
