import { StandinError } from "../core/errors.js";
import { factsRead, type ReadFact } from "../domain/field.js";
import { parseSchema } from "../node.js";
import { confirmFacts } from "../owner-node.js";
import type { Options } from "./options.js";
import { print } from "./output.js";
import { streamOrPath } from "./paths.js";
import { columnsIn, readJson } from "./request.js";
import type { Run } from "./run.js";
import { say } from "./stderr.js";
import { counted, jsonText, shellWord } from "./words.js";

const NOT_PRIVATE = "NOT PRIVATE: these values were read from the real rows, for their owner only.";

/**
 * `standin confirm`: declares facts that were read from the rows, in the schema's own file. Without options it lists
 * them with their values.
 */
export async function run(options: Options, run: Run): Promise<void> {
  const path = schemaOf(options);
  const asked = options.texts("columns");
  const all = options.has("all");
  if (all && asked)
    throw new StandinError("options/confirm", "Both --all and --columns were given.", "Leave one of them out.");
  const schema = parseSchema(await readJson(path, "schema"));
  const command = `standin confirm ${path === "-" ? "SCHEMA" : shellWord(path)}`;
  if (!all && !asked) {
    const facts = factsRead(schema.toJSON());
    if (facts.length) say(NOT_PRIVATE);
    await print(facts.map((fact) => `${stated(fact)}\n`).join(""));
    say(remaining(facts));
    if (facts.length)
      say(`Compare them with a code book, then declare those that it has: ${command} --all, or --columns A,B`);
    return;
  }
  const confirmed = confirmFacts(schema, all ? undefined : columnsIn(asked!, schema));
  const place = run.open(path);
  await place.write([new TextEncoder().encode(jsonText(confirmed))]);
  place.commit();
  const left = factsRead(confirmed);
  const declared = factsRead(schema.toJSON()).length - left.length;
  say(`${counted(declared, "fact is", "facts are")} declared.`);
  if (left.length) say(NOT_PRIVATE);
  for (const fact of left) say(`read: ${stated(fact)}`);
  say(remaining(left));
  const ofTable = left.filter(({ isOfTable }) => isOfTable);
  if (ofTable.length)
    say(
      `Of no column, so not declared by --columns: ${ofTable.map(({ text }) => text).join(", ")}. ` +
        `To declare all that is left: ${command} --all`,
    );
}

/** A fact and its values, in one line. */
const stated = ({ text, values }: ReadFact) => [text, ...values.map((value) => JSON.stringify(value))].join(" = ");

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

function remaining({ length }: readonly ReadFact[]): string {
  if (length === 0) return "No fact is marked as read from the rows.";
  return `${counted(length, "fact is", "facts are")} still marked as read from the rows.`;
}
