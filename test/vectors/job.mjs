// The same job for every runtime: plain JavaScript that asks its host for nothing but `crypto.subtle`.

/**
 * Makes each vector's release and rows again.
 * @param standin the package, as the runtime loaded it
 * @param vectors what the files of this folder hold
 * @param threads how many threads count; no byte depends on it
 * @returns for each vector the SHA-256 of its release's JSON, of its rows as CSV, and of the rows made from the release alone
 */
export async function job(standin, vectors, threads = 1) {
  const made = {};
  for (const { name, schema: descriptor, csv, plan: request, seed, rows, noiseKey, release: measured } of vectors) {
    const schema = standin.parseSchema(descriptor);
    const options = { seed, rows, threads, unsafeNoiseKey: fromHex(noiseKey) };
    const release = await standin.synthesize(standin.parseCsv(csv, schema), standin.plan(schema, request), options);
    const again = await standin.resample(standin.parseRelease(JSON.stringify(measured)));
    made[name] = {
      release: await sha256(JSON.stringify(release)),
      rows: await sha256(standin.toCsv(release.table)),
      resampled: await sha256(standin.toCsv(again.table)),
    };
  }
  return made;
}

/**
 * Reads and measures a table that is large enough to be shared among threads.
 * @returns the SHA-256 of the release's JSON, which no number of threads changes
 */
export async function measuredBy(threads, standin) {
  const schema = standin.parseSchema({
    fields: [
      { name: "sex", type: "string", constraints: { enum: ["F", "M"] } },
      { name: "age", type: "integer", constraints: { minimum: 0, maximum: 99 } },
    ],
  });
  const lines = Array.from({ length: 250_000 }, (_, row) => `${row % 3 ? "F" : '"M"'},${(row * 7919) % 103}\n`);
  const table = await standin.readCsv(new Blob(["sex,age\n", lines.join("")]), schema, { threads });
  const options = { threads, seed: 1, unsafeNoiseKey: new Uint8Array(32).fill(1) };
  return sha256(JSON.stringify(await standin.measure(table, standin.plan(schema, { epsilon: 1 }), options)));
}

/** What `job` gives where all bytes are those of the vectors. */
export async function expected(vectors) {
  const made = {};
  for (const { name, release, output } of vectors)
    made[name] = { release: await sha256(JSON.stringify(release)), rows: output.sha256, resampled: output.sha256 };
  return made;
}

/** The SHA-256 of a text's UTF-8, as hexadecimal digits. */
export async function sha256(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The bytes that hexadecimal digits stand for. */
export function fromHex(digits) {
  return Uint8Array.from(digits.match(/../g), (pair) => Number.parseInt(pair, 16));
}
