/** The version of this package, as plans and releases record it (a test holds it against package.json). */
export const VERSION = "0.1.0";
