import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A built script, and all that it imports before it runs. */
export function loadedBy(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const [, other] of readFileSync(path, "utf8").matchAll(/\b(?:from|import)\s*"(\.[^"]*\.js)"/g))
    loadedBy(join(dirname(path), other), found);
  return found;
}
