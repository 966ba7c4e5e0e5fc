// Formats assembly/ as the rest of the repository is: npm run format; with --check it only says which files are not.
// AssemblyScript puts decorators on functions, which TypeScript's grammar does not have: while biome formats a file,
// they are comments.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const biome = join(here, "../node_modules/.bin/biome");
const check = process.argv.includes("--check");

function formatted(text) {
  const readable = text.replace(/^(\s*)@(\w+)$/gm, "$1//@$2");
  const output = execFileSync(biome, ["format", "--stdin-file-path=assembly.ts"], { input: readable, encoding: "utf8" });
  // A conversion binds before a shift; biome would put each in brackets of its own.
  const shifts = /\((<\w+>\w+(?:\((?:\w|, )*\))?)\) (<<|>>>?)/g;
  return output.replace(/^(\s*)\/\/@(\w+)$/gm, "$1@$2").replace(shifts, "$1 $2");
}

const files = readdirSync(here, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
const changed = files.filter((name) => {
  const file = join(here, name);
  const [before, after] = [readFileSync(file, "utf8"), formatted(readFileSync(file, "utf8"))];
  if (before !== after && !check) writeFileSync(file, after);
  return before !== after;
});
if (check && changed.length) {
  console.error(`Not formatted: ${changed.map((name) => `assembly/${name}`).join(", ")}. Run \`npm run format\`.`);
  process.exit(1);
}
