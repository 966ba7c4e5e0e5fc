import { StandinError } from "../core/errors.js";
import { Instance } from "../engine/instance.js";

/** This many bytes are practically never all 0 by chance: a host that returns only zeros has no generator. */
const TELLING = 16;

/**
 * Writes fresh secret bytes of the host's cryptographic generator into an instance's memory.
 * @throws {StandinError} `privacy/no-random` where it has none, or it fails: nothing else may take its place
 */
export function fillSecret(instance: Instance, pointer: number, length: number): void {
  try {
    instance.fillKey(pointer, length);
  } catch {
    throw noRandom();
  }
}

/** Fresh random bytes of that generator. @throws {StandinError} `privacy/no-random` */
export function freshBytes(length: number): Uint8Array<ArrayBuffer> {
  const instance = new Instance();
  const pointer = instance.alloc(length);
  fillSecret(instance, pointer, length);
  const bytes = instance.readU8(pointer, length);
  instance.drop();
  if (length >= TELLING && bytes.every((byte) => byte === 0)) throw noRandom();
  return bytes;
}

export function noRandom(): StandinError {
  return new StandinError(
    "privacy/no-random",
    "The host provides no secure random bytes, from which the key of the noise is made.",
    "Run standin where the system's cryptographic generator works.",
  );
}
