import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

export interface Import {
  /** A file. */
  file: string;
  /** What it imports, without its ending. */
  target: string;
  /** Whether it imports types alone. */
  types: boolean;
}

/** Every relative import in the files below a folder. */
export function* imports(folder: string): Generator<Import> {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts") || name.endsWith(".d.ts")) continue;
    const file = posix.join(folder, name.replaceAll("\\", "/"));
    const text = readFileSync(join(folder, name), "utf8");
    for (const [, type, path] of text.matchAll(
      /(?:((?:import|export)\s+type\s[^;"]*)?from\s+|import\s*\(?\s*)"(\.[^"]*)"/g,
    ))
      yield { file, target: posix.join(posix.dirname(file), path).replace(/\.(js|ts)$/, ""), types: !!type };
  }
}
