// The package as it would be with a fault: the audits have to find each of them.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import asc from "assemblyscript/asc";
import { build } from "esbuild";

/** What a program that uses the package has of it. */
export type Package = typeof import("../../src/node.js");

/** In a source file, text that stands there once, and what a fault would have in its place. */
export interface Change {
  readonly file: string;
  readonly text: string;
  readonly fault: string;
}

export type FaultName = keyof typeof FAULTS;

/** Faults of the door, of its sensitivities, and of reading. */
export const FAULTS = {
  "noise of half the scale": [
    {
      file: "assembly/privacy/vault.ts",
      text: "load<i32>(SIGMA2, SIGMA2_K))",
      fault: "load<i32>(SIGMA2, SIGMA2_K) + 2)",
    },
  ],
  "every sensitivity halved": [
    {
      file: "assembly/privacy/accounting.ts",
      text: "if (delta2 == 0 || delta2 > units >> 5) return NOISE_TOO_LARGE;",
      fault: "if (delta2 == 0 || delta2 > units >> 5) return NOISE_TOO_LARGE;\n  units <<= 2;",
    },
    {
      file: "assembly/privacy/accounting.ts",
      text: "scaledCeiling(delta2, shift, p), SIGMA2_CHARGE",
      fault: "scaledCeiling(delta2, shift - 2, p), SIGMA2_CHARGE",
    },
    {
      file: "src/privacy/accounting.ts",
      text: "BigInt(51 + VARIANCE_BITS)",
      fault: "BigInt(49 + VARIANCE_BITS)",
    },
    {
      file: "assembly/privacy/accounting.ts",
      text: "<u32>(half + bits), RATE_B",
      fault: "<u32>(half + bits - 1), RATE_B",
    },
  ],
  "a replaced row counted once": [
    {
      file: "assembly/privacy/sensitivity.ts",
      text: "(relation == REPLACE ? 2 : 1) * <u64>partitions",
      fault: "<u64>partitions",
    },
  ],
  "a tree counted as one partition": [
    {
      file: "assembly/privacy/sensitivity.ts",
      text: "(relation == REPLACE ? 2 : 1) * <u64>partitions",
      fault: "(relation == REPLACE ? 2 : 1)",
    },
  ],
  "a person counted as one row": [
    {
      file: "assembly/privacy/sensitivity.ts",
      text: "saturatingProduct(rowChange(partitions, free, relation), <u64>maxRows * <u64>maxRows)",
      fault: "rowChange(partitions, free, relation)",
    },
  ],
  "all rows of a person kept": [
    {
      file: "assembly/privacy/reservoir.ts",
      text: "if (below(rowsLeft) >= slotsLeft) return false;",
      fault: "below(rowsLeft);",
    },
  ],
  "a missing cell lost where room grows": [
    {
      file: "src/files/table-columns.ts",
      text: "const row = this.#add(1);\n    this.#codes[row] = this.#missing;",
      fault: "this.#codes[this.#add(1)] = this.#missing;",
    },
  ],
} as const satisfies Record<string, readonly Change[]>;

/** The package with a fault. @throws where the text that it replaces is not there once */
export async function faulty(name: FaultName): Promise<Package> {
  const changes: readonly Change[] = FAULTS[name];
  const read = (file: string): string => {
    let text = readFileSync(file, "utf8");
    for (const change of changes.filter((change) => resolve(change.file) === resolve(file))) {
      if (text.split(change.text).length !== 2) throw new Error(`${file} does not hold once: ${change.text}`);
      text = text.replace(change.text, change.fault);
    }
    return text;
  };
  const engine = await compiled(read);
  const { outputFiles } = await build({
    entryPoints: ["src/node.ts"],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    write: false,
    loader: { ".txt": "text" },
    plugins: [
      {
        name: "faulty",
        setup({ onLoad }) {
          onLoad({ filter: /\.wasm$/ }, () => ({ contents: engine, loader: "binary" }));
          onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => ({ contents: read(path), loader: "ts" }));
        },
      },
    ],
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
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
  if (error || !engine) throw new Error(`The engine with a fault does not compile: ${stderr}`);
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
