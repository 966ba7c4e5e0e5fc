// Standard error has two kinds of lines: those that stay and, on a terminal, one that is redrawn.

let drawn = false;
// A run does not end because nobody listens, or because the disk of a log is full.
process.stderr.on("error", () => {});

/**
 * Writes a line that stays, replacing the redrawn one. Control characters, which file and column names may contain, are
 * shown as spaces.
 */
export function say(line: string): void {
  clear();
  process.stderr.write(`${oneLine(line)}\n`);
}

/** Draws the line that the next call replaces; only for terminals. */
export function redraw(line: string): void {
  process.stderr.write(`\r\x1b[K${oneLine(line).slice(0, (process.stderr.columns || 80) - 1)}`);
  drawn = true;
}

/** Removes the redrawn line. */
export function clear(): void {
  if (drawn) process.stderr.write("\r\x1b[K");
  drawn = false;
}

function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}
