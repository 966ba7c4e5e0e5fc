import { StandinError } from "../core/errors.js";
import { parseSchema, type Schema } from "../node.js";
import { confirmFacts } from "../owner-node.js";
import type { Options } from "./options.js";
import { print } from "./output.js";
import { streamOrPath } from "./paths.js";
import { columnsIn, readJson } from "./request.js";
import type { Run } from "./run.js";
import { say } from "./stderr.js";
import { jsonText, shellWord } from "./words.js";

/**
 * `standin confirm`: declares facts that were read from the rows, in the schema's own file. Without options it lists
 * them.
 */
export async function run(options: Options, run: Run): Promise<void> {
  const path = schemaOf(options);
  const asked = options.texts("columns");
  const all = options.has("all");
  if (all && asked)
    throw new StandinError("options/confirm", "Both --all and --columns were given.", "Leave one of them out.");
  const schema = parseSchema(await readJson(path, "schema"));
  if (!all && !asked) {
    await print(schema.readFacts.map((fact) => `${fact}\n`).join(""));
    say(
      `${remaining(schema)}${schema.readFacts.length ? ` Declare them with: standin confirm ${shellWord(path)} --all` : ""}`,
    );
    return;
  }
  const confirmed = confirmFacts(schema.toJSON(), all ? undefined : columnsIn(asked!, schema));
  const place = run.open(path);
  await place.write([new TextEncoder().encode(jsonText(confirmed))]);
  place.commit();
  const left = parseSchema(confirmed);
  for (const fact of left.readFacts) say(`read: ${fact}`);
  say(remaining(left));
}

function schemaOf(options: Options): string {
  const [schema, ...more] = options.positionals;
  if (schema !== undefined && !more.length) return streamOrPath(schema);
  throw new StandinError(
    "options/schema",
    schema === undefined
      ? "No schema was given."
      : `Only one schema can be confirmed at a time, but "${more[0]}" was given too.`,
    "See standin confirm --help.",
  );
}

function remaining({ readFacts: { length } }: Schema): string {
  if (length === 0) return "No fact is marked as read from the rows.";
  return length === 1
    ? "1 fact is still marked as read from the rows."
    : `${length} facts are still marked as read from the rows.`;
}
