import asc from "assemblyscript/asc";
import { beforeAll, describe, expect, it } from "vitest";

import { type Engine, instance } from "../engine.js";
import { keyBytes } from "../privacy/vault.js";
import { chachaBlock } from "../reference/chacha20.js";

const RFC_KEY = Uint8Array.from({ length: 32 }, (_, i) => i);
const RFC_BLOCK =
  "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4ed2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e";

const KEY_AT = 60 * 1024;
const OUT_AT = 61 * 1024;

/** The generator alone, compiled without SIMD from the same source. */
async function scalarModule(): Promise<WebAssembly.Module> {
  let binary = new Uint8Array();
  const { error } = await asc.main(
    ["assembly/privacy/chacha20.ts", "-O3", "--noAssert", "--runtime", "stub", "--outFile", "scalar.wasm"],
    {
      writeFile: (_name, contents) => {
        binary = Uint8Array.from(contents as Uint8Array);
      },
    },
  );
  if (error) throw error;
  return new WebAssembly.Module(binary);
}

function blocks(
  engine: Pick<Engine["exports"], "memory" | "chachaBlocks">,
  key: Uint8Array,
  nonce: [number, number],
  counter: number,
  count: number,
) {
  new Uint8Array(engine.memory.buffer, KEY_AT, 32).set(key);
  engine.chachaBlocks(KEY_AT, nonce[0], nonce[1], counter, count, OUT_AT);
  return new Uint32Array(engine.memory.buffer, OUT_AT, 16 * count).slice();
}

const hex = (words: ArrayLike<number>) => Buffer.from(Uint32Array.from(words).buffer).toString("hex");

it("RFC 8439, 2.3.2: the oracle gives the printed block", () => {
  expect(hex(chachaBlock(RFC_KEY, 1, [0x09000000, 0x4a000000, 0]))).toBe(RFC_BLOCK);
});

describe.each(["simd", "scalar"])("%s build", (build) => {
  let engine: Pick<Engine["exports"], "memory" | "chachaBlocks">;
  beforeAll(async () => {
    engine =
      build === "simd"
        ? instance().exports
        : (new WebAssembly.Instance(await scalarModule(), { env: {} }).exports as never);
    engine.memory.grow(2);
  });

  it("gives the block that RFC 8439, 2.3.2 prints", () => {
    const words = blocks(engine, RFC_KEY, [0x09000000, 0x4a000000], 1, 4);
    expect(hex(words.subarray(0, 16))).toBe(RFC_BLOCK);
  });

  it("agrees with the oracle on every block of many keys, nonces and counters", () => {
    for (let trial = 0; trial < 20; trial++) {
      const key = keyBytes(trial);
      const [purpose, item, counter] = [trial, 2 ** 32 - 1 - trial * 999, trial % 2 ? 2 ** 32 - 8 : trial * 77];
      const words = blocks(engine, key, [purpose, item], counter, 8);
      for (let block = 0; block < 8; block++)
        expect([...words.subarray(16 * block, 16 * block + 16)]).toEqual(
          chachaBlock(key, counter + block, [purpose, item, 0]),
        );
    }
  });
});
