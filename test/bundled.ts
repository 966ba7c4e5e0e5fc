// The package with changed sources, engine included, compiled in memory.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import asc from "assemblyscript/asc";
import { build } from "esbuild";
import { carriedCode } from "../gpu/carried.mjs";

/** A text that occurs once in a source file, and its replacement. */
export interface Change {
  readonly file: string;
  readonly text: string;
  readonly instead: string;
}

/**
 * The package with changes, as one module for Node.
 * @param entry the exports or statements of the module, as source text
 * @param added files of the engine that are read from elsewhere: a path in assembly/ → a path
 * @throws if a text to be replaced does not occur exactly once
 */
export async function bundled(
  entry: string,
  changes: readonly Change[],
  added: Readonly<Record<string, string>> = {},
): Promise<Uint8Array> {
  const read = (file: string): string => {
    let text = readFileSync(added[file] ?? file, "utf8");
    for (const change of changes.filter((change) => resolve(change.file) === resolve(file))) {
      if (text.split(change.text).length !== 2) throw new Error(`${file} does not hold once: ${change.text}`);
      text = text.replace(change.text, () => change.instead);
    }
    return text;
  };
  const engine = await compiled(read);
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: ".", loader: "ts" },
    ignoreAnnotations: true, // the command line is imported for its side effects
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    write: false,
    external: ["webgpu"],
    plugins: [
      carriedCode,
      {
        name: "changed",
        setup({ onLoad }) {
          onLoad({ filter: /\.wasm$/ }, () => ({ contents: engine, loader: "binary" }));
          onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => ({ contents: read(path), loader: "ts" }));
        },
      },
    ],
  });
  return outputFiles[0].contents;
}

/** The exports of such a module. */
export async function imported<Exports>(...what: Parameters<typeof bundled>): Promise<Exports> {
  return import(`data:text/javascript;base64,${Buffer.from(await bundled(...what)).toString("base64")}`);
}

async function compiled(read: (file: string) => string): Promise<Uint8Array> {
  let engine: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    ["assembly/index.ts", "-O1", "--noAssert", "--runtime", "stub", "--enable", "simd", "--outFile", "engine.wasm"],
    {
      readFile: (name) => (name.startsWith("assembly/") && name.endsWith(".ts") ? readIfThere(name, read) : null),
      writeFile: (_, bytes) => {
        engine = bytes as Uint8Array;
      },
      listFiles: () => [],
    },
  );
  if (error || !engine) throw new Error(`The changed engine does not compile: ${stderr}`);
  return engine;
}

function readIfThere(name: string, read: (file: string) => string): string | null {
  try {
    return read(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
