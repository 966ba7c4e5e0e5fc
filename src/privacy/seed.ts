import { StandinError } from "../core/errors.js";

/** This many bytes are practically never all 0 by chance: a host that returns only zeros has no generator. */
const TELLING = 16;

/**
 * Fresh secret bytes from the host's cryptographic generator.
 * @throws {StandinError} `privacy/no-random` where it has none, or it fails: nothing else may take its place
 */
export function freshBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  try {
    crypto.getRandomValues(bytes);
  } catch {
    throw noRandom();
  }
  if (length >= TELLING && bytes.every((byte) => byte === 0)) throw noRandom();
  return bytes;
}

function noRandom(): StandinError {
  return new StandinError(
    "privacy/no-random",
    "The host provides no secure random bytes, from which the key of the noise is made.",
    "Run standin where the system's cryptographic generator works.",
  );
}

/** The key of one release. @throws {StandinError} `privacy/no-random` */
export const freshKey = (): Uint8Array => freshBytes(32);
