/** The places of delimiters, line ends and quotes in some bytes. */
export const marks = (bytes: Uint8Array, delimiter: string): number[] =>
  Array.from(bytes.keys()).filter((at) => `${delimiter}\n\r"`.includes(String.fromCharCode(bytes[at])));
