/** How many bytes a text's first line has, its end included. */
export function lineLength(bytes: readonly number[]): number {
  const line = /^[^\r\n]*[\r\n]?/.exec(String.fromCharCode(...bytes))!;
  return line[0].length;
}
