import { fstatSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { StandinError } from "../core/errors.js";
import { statsIfThere } from "../files/path.js";

/** A path on the command line, and what messages call it. */
export interface PathArgument {
  readonly what: string;
  readonly path: string;
}

/**
 * The path that an argument means. The system's names of the standard streams stand for those streams, which need not
 * be files.
 */
export function streamOrPath(argument: string): string {
  return /^\/dev\/(stdin|stdout|fd\/[01])$/.test(argument) ? "-" : argument;
}

/** Rejects two inputs from standard input. @throws {StandinError} `files/stdin` */
export function checkOneStdin(inputs: readonly PathArgument[]): void {
  const [first, second] = inputs.filter(({ path }) => path === "-");
  if (second)
    throw new StandinError(
      "files/stdin",
      `The ${first.what} and the ${second.what} cannot both come from standard input.`,
      "Name a file for one of them.",
    );
}

/** Rejects an output that is an input or another output, under any name. @throws {StandinError} `files/same` */
export function checkDistinct(inputs: readonly PathArgument[], outputs: readonly PathArgument[]): void {
  const taken = new Map<string, PathArgument>();
  for (const input of inputs) {
    const identity = identityOf(input.path, 0);
    if (identity) taken.set(identity, input);
  }
  for (const output of outputs) {
    const identity = identityOf(output.path, 1);
    const other = identity && taken.get(identity);
    if (other)
      throw new StandinError(
        "files/same",
        `The ${output.what} ${output.path} is the same as the ${other.what} ${other.path}, which would be overwritten.`,
        "Name another file.",
      );
    if (identity) taken.set(identity, output);
  }
}

/**
 * Refuses to take the private rows for public ones, under whatever name.
 * @throws {StandinError} `public/private-table`
 */
export function checkPublicIsAnother(table: string, publicTable: string | undefined): void {
  const identity = identityOf(table, 0);
  if (identity && publicTable !== undefined && identityOf(publicTable, 0) === identity)
    throw new StandinError(
      "public/private-table",
      `The public table ${publicTable} is the private table itself.`,
      "Name a table that everyone may see.",
    );
}

/**
 * One text for each file, pipe or place for a new file; `undefined` for devices, which may be read and written at once.
 */
function identityOf(path: string, stream: 0 | 1): string | undefined {
  if (path !== "-") {
    const stats = statsIfThere(path);
    return stats ? identityIn(stats) : join(realFolder(dirname(path)), basename(path));
  }
  const stats = fstatSync(stream);
  return identityIn(stats) ?? `standard stream ${stream}`;
}

function identityIn(stats: Stats): string | undefined {
  return stats.isFile() || stats.isFIFO() ? `${stats.dev}:${stats.ino}` : undefined;
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
