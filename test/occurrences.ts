/** Where each line occurs in a list of lines: line l at `places[starts[l]]` to below `places[starts[l + 1]]`. */
export function occurrences(lines: readonly number[], width: number): { starts: number[]; places: number[] } {
  const each = Array.from({ length: width }, (_, line) => [...lines.keys()].filter((at) => lines[at] === line));
  const starts = [0];
  for (const found of each) starts.push(starts[starts.length - 1] + found.length);
  return { starts, places: each.flat() };
}
