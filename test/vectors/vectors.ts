import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A release from beginning to end; make.mjs says what the members are. */
export interface Vector {
  readonly name: string;
  readonly schema: object;
  readonly csv: string;
  readonly plan: object;
  readonly seed: number;
  readonly rows?: number;
  readonly noiseKey: string;
  readonly release: {
    readonly items: readonly Item[];
    readonly estimate: string;
    readonly search: { readonly method: string };
  };
  readonly output: { readonly csv: string; readonly sha256: string };
}

interface Item {
  readonly query?: string;
  readonly columns?: readonly string[];
  readonly groups?: readonly unknown[];
  readonly score?: string;
  readonly chosen?: readonly number[];
  readonly sensitivity: number;
}

const FOLDER = "test/vectors";

/** All vectors, by their files' names. */
export const VECTORS: readonly Vector[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".json"))
  .sort()
  .map((name) => JSON.parse(readFileSync(join(FOLDER, name), "utf8")));
