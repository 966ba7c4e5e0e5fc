// How entries carry the engine's bytes, for esbuild.
import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";

/**
 * Characters that a string may hold as they are, and a page's script too: printable, but for the quote, the backslash
 * and `<`.
 */
const DIGITS = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).filter(
  (digit) => !'"\\<'.includes(digit),
);
/**
 * Numbers below this are one digit. In larger ones, one of the last two digits comes first: it adds this once or twice.
 */
const ONE_DIGIT = DIGITS.length - 2;

/** The bytes from ONE_DIGIT up that are among the most frequent, each followed by a rarer one to trade places with. */
function trades(bytes) {
  const times = new Array(256).fill(0);
  for (const byte of bytes) times[byte]++;
  const rarest = [...times.keys()].sort((a, b) => times[a] - times[b]);
  const low = rarest.slice(0, -ONE_DIGIT).filter((byte) => byte < ONE_DIGIT);
  const high = rarest.slice(-ONE_DIGIT).filter((byte) => byte >= ONE_DIGIT);
  return high.flatMap((byte, at) => [byte, low[at]]);
}

/** For pages: digits in which gzip still finds the patterns that the bytes have, 7 KB less than with base64. */
function inDigits(bytes) {
  const pairs = trades(bytes);
  const traded = new Map(pairs.map((byte, at) => [byte, pairs[at ^ 1]]));
  const digitsOf = (number) =>
    (number < ONE_DIGIT ? "" : DIGITS[ONE_DIGIT - 1 + Math.floor(number / ONE_DIGIT)]) + DIGITS[number % ONE_DIGIT];
  const text = [...pairs, ...Array.from(bytes, (byte) => traded.get(byte) ?? byte)].map(digitsOf).join("");
  return `
    const numbers = [];
    let more = 0;
    for (const character of "${text}") {
      const code = character.charCodeAt(0);
      const digit = code - 32 - (code > 34) - (code > 60) - (code > 92);
      if (digit < ${ONE_DIGIT}) {
        numbers.push(more + digit);
        more = 0;
      } else more = ${ONE_DIGIT} * (digit - ${ONE_DIGIT - 1});
    }
    const pairs = numbers.splice(0, ${pairs.length});
    const traded = new Map(pairs.map((byte, at) => [byte, pairs[at ^ 1]]));
    export default Uint8Array.from(numbers, (byte) => traded.get(byte) ?? byte);`;
}

/** For Node, which can decompress: half of what the bytes take otherwise. */
const compressed = (bytes) => `
  import { brotliDecompressSync } from "node:zlib";
  export default brotliDecompressSync(Buffer.from("${brotliCompressSync(bytes).toString("base64")}", "base64"));`;

/** Gives the importers of dist/engine.wasm its bytes, each in its own way. */
export const carriedEngine = {
  name: "engine",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/dist\/engine\.wasm$/ }, ({ importer }) => ({
      path: "dist/engine.wasm",
      namespace: importer.endsWith("browser.ts") ? "in digits" : "compressed",
    }));
    const load = (namespace, contentsOf) =>
      onLoad({ filter: /./, namespace }, ({ path }) => ({ contents: contentsOf(readFileSync(path)) }));
    load("in digits", inDigits);
    load("compressed", compressed);
  },
};
