import { cell } from "./quotes.js";

/** Rows of texts as lines of a file. */
export const lines = (rows: readonly (readonly string[])[], delimiter: string): string[] =>
  rows.map((texts) => `${texts.map((text) => cell(text, delimiter, texts.length === 1)).join(delimiter)}\n`);
