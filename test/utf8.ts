/** The text of bytes in UTF-8, byte order marks included. */
export const textOf = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
