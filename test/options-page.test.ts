// docs/options.md derives from the option tables: `npx vitest run --project sources test/options-page.test.ts -u`
// writes it anew.
import { expect, it } from "vitest";
import { OPTIONS } from "../src/cli/options.js";
import type { OptionSpec } from "../src/core/option-table.js";
import { ALL_OPTIONS, DEFAULT_MECHANISM, MECHANISM_OPTIONS } from "../src/mechanisms/options.js";

const code = (text: string) => `\`${text}\``;
const cell = (text: string) => text.replaceAll("|", "\\|");
const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n");

function valuesOf(spec: OptionSpec): string {
  if (spec.type === "settings") return `\`{ method }\`: ${spec.methods.map(code).join(", ")}; or with more settings`;
  if (spec.choices) return spec.choices.map((choice) => code(JSON.stringify(choice))).join(", ");
  return "a whole number from 1";
}

const flagOf = ({ flag, value }: Pick<OptionSpec, "flag" | "value">) => code(`--${flag} ${value}`);
const mechanismFlags = Object.values(ALL_OPTIONS).map(({ flag }) => flag);
const others = Object.entries<{ value?: string; help: string }>(OPTIONS).filter(
  ([name]) => !mechanismFlags.includes(name),
);

const PAGE = `# Options

This page is generated from the tables behind the command line and the API's types. [The command line](cli.md) and
[the API](api.md) explain how the options work together.

## Options of mechanisms

${Object.entries(MECHANISM_OPTIONS)
  .map(([name, options]) => {
    const rows = Object.entries<OptionSpec>(options).map(([option, spec]) => [
      ...[flagOf(spec), code(option), valuesOf(spec)],
      spec.help,
    ]);
    const title = name === DEFAULT_MECHANISM ? `${name} (default)` : name;
    return `### ${title}\n\n${table(["command line", "API", "values in the API", ""], rows)}`;
  })
  .join("\n\n")}

## Options of the command line

\`standin COMMAND --help\` lists the options that a command takes.

${table(
  ["option", ""],
  others.map(([name, { value, help }]) => [code(value ? `--${name} ${value}` : `--${name}`), help]),
)}
`;

it("docs/options.md is what the option tables say", async () => {
  await expect(PAGE).toMatchFileSnapshot("../docs/options.md");
});
