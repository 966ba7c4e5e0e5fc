// The package as it would be with some lines changed: built in memory, with an engine of its own.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import asc from "assemblyscript/asc";
import { build } from "esbuild";

/** In a source file, text that stands there once, and what stands there instead. */
export interface Change {
  readonly file: string;
  readonly text: string;
  readonly instead: string;
}

/** An entry of the package as one module for Node. @throws where a text that is changed is not there once */
export async function bundled(entry: string, changes: readonly Change[]): Promise<Uint8Array> {
  const read = (file: string): string => {
    let text = readFileSync(file, "utf8");
    for (const change of changes.filter((change) => resolve(change.file) === resolve(file))) {
      if (text.split(change.text).length !== 2) throw new Error(`${file} does not hold once: ${change.text}`);
      text = text.replace(change.text, () => change.instead);
    }
    return text;
  };
  const engine = await compiled(read);
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    write: false,
    loader: { ".txt": "text" },
    plugins: [
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
