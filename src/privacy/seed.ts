import { StandinError } from "../core/errors.js";

/**
 * Fresh secret bytes of the host's cryptographic generator.
 * @throws {StandinError} `privacy/no-random` where it has none, or it fails: nothing else may take its place
 */
export function freshBytes(length: number): Uint8Array {
  try {
    return crypto.getRandomValues(new Uint8Array(length));
  } catch {
    throw new StandinError(
      "privacy/no-random",
      "The host gives no secure random bytes, of which the key of the noise is made.",
      "Run standin where the system's cryptographic generator works.",
    );
  }
}

/** The key of one release. @throws {StandinError} `privacy/no-random` */
export const freshKey = (): Uint8Array => freshBytes(32);
