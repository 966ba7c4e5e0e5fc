// How messages write options and calls: as the API does, or as the command line does, whose users see no API.
import { either } from "./arguments.js";

let isCommandLine = false;

/** From now on, messages are for users of the command line, which does this once. */
export function writeForCommandLine(): void {
  isCommandLine = true;
}

/** What to write for users of the API, or else for those of the command line. */
export const forUsers = (api: string, commandLine: string): string => (isCommandLine ? commandLine : api);

/** An option with a value, such as `estimate: "shrunk"` or `--estimate shrunk`. */
export const optionText = (name: string, value: string | number): string =>
  forUsers(`${name}: ${JSON.stringify(value)}`, `--${name} ${value}`);

/** The settings that name a method, such as `search: { method: "paper" }` or `--search paper`. */
export const methodTexts = (name: string, flag: string, methods: readonly string[]): string =>
  either(methods.map((method) => forUsers(`${name}: { method: ${JSON.stringify(method)} }`, `--${flag} ${method}`)));
