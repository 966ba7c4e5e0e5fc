// A core that makes releases of test/vectors from their text, which none of those that are shipped can: private rows have
// no place in a core.
import { serve } from "../../src/core-host.js";
import type { Vector } from "../vectors/vectors.js";

declare const verbs: { textOf(bytes: Uint8Array): string; bytesOf(text: string): Uint8Array };

// What reading text asks of a runtime.
Object.assign(globalThis, {
  TextEncoder: class {
    encode = (text: string) => verbs.bytesOf(text);
  },
  TextDecoder: class {
    encoding = "utf-8";
    decode = (bytes: Uint8Array) => verbs.textOf(bytes);
  },
});

const fromHex = (digits: string) => Uint8Array.from(digits.match(/../g)!, (pair) => Number.parseInt(pair, 16));

serve({
  async vector({ json }, signal) {
    // Imported late, because the package looks for a text decoder when it is loaded.
    const { parseCsv, parseRelease, parseSchema, plan, resample, synthesize, toCsv } = await import(
      "../../src/index.js"
    );
    const {
      schema: descriptor,
      csv,
      plan: request,
      seed,
      rows,
      noiseKey,
      release,
    } = (json as { vector: Vector }).vector;
    const schema = parseSchema(descriptor);
    const options = { seed, rows, unsafeNoiseKey: fromHex(noiseKey), signal: signal as AbortSignal };
    const made = await synthesize(parseCsv(csv, schema), plan(schema, request), options);
    const again = await resample(parseRelease(JSON.stringify(release)));
    const texts = [JSON.stringify(made), toCsv(made.table), toCsv(again.table)];
    return { json: null, parts: texts.map((text) => verbs.bytesOf(text)) };
  },
});
