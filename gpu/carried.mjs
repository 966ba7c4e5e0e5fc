// What the package carries of a file of gpu/: the files that it uses, the numbers that it shares with the engine, no
// comments. A file names what it uses in its first comment: "Uses NAME.wgsl." (once for each).
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const LAYOUTS = join(HERE, "../assembly");

/** @param path of a WGSL file */
export function carriedWgsl(path) {
  const text = withUsed(path, new Set());
  const own = new Set([...text.matchAll(/\bconst\s+([A-Z0-9_]+)/g)].map(([, name]) => name));
  return text
    .replace(/\/\/[^\n]*/g, "")
    .replace(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g, (name) => (own.has(name) ? name : `${numberOf(name, path)}u`))
    .replace(/\s+/g, " ")
    .replace(/ ?([{}()<>;:,=+\-*/|&^%!?]) ?/g, "$1")
    .trim();
}

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
