/** 32 fresh secret bytes from the host's cryptographic generator: the key of one release. */
export function freshKey(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(32));
}
