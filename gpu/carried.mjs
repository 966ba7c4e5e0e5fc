// What the package carries of a file of gpu/: the files that it uses, the numbers that it shares with the engine, short
// names, no comments. A file names what it uses in its first comment: "Uses NAME.wgsl." (once for each).
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const LAYOUTS = join(HERE, "../assembly");

/** @param path of a WGSL file */
export function carriedWgsl(path) {
  const text = withUsed(path, new Set());
  const own = new Set([...text.matchAll(/\bconst\s+([A-Z0-9_]+)/g)].map(([, name]) => name));
  const dense = text
    .replace(/\/\/[^\n]*/g, "")
    .replace(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g, (name) => (own.has(name) ? name : `${numberOf(name, path)}u`))
    .replace(/\s+/g, " ")
    .replace(/ ?([{}()<>;:,=+\-*/|&^%!?]) ?/g, "$1")
    .replace(/,([)}])/g, "$1")
    .trim();
  return shortened(dense);
}

/** The same code with short names for all that it declares, but for the entry points, which hosts name. */
function shortened(text) {
  const entries = new Set([...text.matchAll(/@compute[^{]*?\bfn (\w+)/g)].map(([, name]) => name));
  // A name before a colon is that of a parameter or a member. Those of letters that select components may be both.
  const found = text.matchAll(/\b(?:fn|struct|let|const|var(?:<[^>]*>)?) ?(\w+)|([A-Za-z_]\w*):/g);
  const declared = new Set([...found].map(([, name, member]) => name ?? member));
  const isFree = (name) => !entries.has(name) && name !== "default" && !/^[rgbaxyzw]{1,4}$/.test(name);
  const times = new Map();
  for (const [name] of text.matchAll(NAME)) times.set(name, (times.get(name) ?? 0) + 1);
  const names = [...declared].filter(isFree).sort((a, b) => times.get(b) - times.get(a) || (a < b ? -1 : 1));
  const short = SHORT.filter((name) => !times.has(name));
  const shortOf = new Map(names.map((name, at) => [name, short[at] ?? name]));
  return text.replace(NAME, (name) => shortOf.get(name) ?? name);
}

/** Names, but for those of attributes. */
const NAME = /(?<![@\w])[A-Za-z_]\w*/g;

/** A, B … Z, A0, A1 … Z9. */
const LETTERS = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
const SHORT = [...LETTERS, ...LETTERS.flatMap((letter) => Array.from({ length: 10 }, (_, digit) => letter + digit))];

function withUsed(path, seen) {
  if (seen.has(path)) return "";
  seen.add(path);
  const text = readFileSync(path, "utf8");
  const used = [...text.matchAll(/^\/\/.*?\bUses ([a-z-]+\.wgsl)\./gm)].map(([, name]) => join(HERE, name));
  return [...used.map((file) => withUsed(file, seen)), text].join("\n");
}

let shared;

/** A constant of the engine's layout. */
function numberOf(name, path) {
  shared ??= new Map(
    readdirSync(LAYOUTS)
      .filter((file) => /layout\.ts$|^instructions\.ts$/.test(file))
      .flatMap((file) => [
        ...readFileSync(join(LAYOUTS, file), "utf8").matchAll(/export const (\w+)(?:: \w+)? = (-?\w+);/g),
      ])
      .map(([, constant, value]) => [constant, Number(value)]),
  );
  if (!shared.has(name)) throw new Error(`${path} uses ${name}, which no layout of the engine has.`);
  return shared.get(name);
}

/** For esbuild: imports of WGSL files give their text. */
export const carriedCode = {
  name: "wgsl",
  setup({ onLoad }) {
    onLoad({ filter: /\.wgsl$/ }, ({ path }) => ({ contents: carriedWgsl(path), loader: "text" }));
  },
};
