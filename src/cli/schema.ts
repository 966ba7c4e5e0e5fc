import { nonPrivateProposal, type Proposal } from "../owner-node.js";
import type { Options } from "./options.js";
import { checkOutput } from "./output.js";
import { checkDistinct, streamOrPath } from "./paths.js";
import { progressLines } from "./progress.js";
import { checkReadable, dialectOf, tableOf } from "./request.js";
import type { Run } from "./run.js";
import { say } from "./stderr.js";
import { jsonText, shellWord } from "./words.js";

/** `standin schema`: proposes a schema from a table's own rows, each fact marked, for the table's owner. */
export async function run(options: Options, run: Run): Promise<void> {
  const table = tableOf(options);
  const output = streamOrPath(options.text("output") ?? "-");
  const request = {
    maxCategories: options.whole("max-categories"),
    dialect: dialectOf(options),
    missingValues: options.texts("missing"),
    onProgress: progressLines(options.has("quiet")),
  };
  checkDistinct([{ what: "table", path: table }], [{ what: "output", path: output }]);
  checkReadable(table);
  checkOutput(output);

  run.privateDataOpened = true;
  const proposal = await nonPrivateProposal(table === "-" ? process.stdin : table, request);
  const place = run.open(output);
  await place.write([new TextEncoder().encode(jsonText(proposal.descriptor))]);
  place.commit();
  tell(proposal, output);
}

function tell({ notes, readFacts }: Proposal, output: string): void {
  say("NOT PRIVATE: this schema was read from the real rows, for their owner only.");
  for (const note of notes) say(note);
  if (!readFacts.length) return;
  const file = output === "-" ? "SCHEMA" : shellWord(output);
  say(
    `Facts that were read from the rows: ${readFacts.length}. A release that depends on them has no guarantee. ` +
      "Compare them with a code book, a law or a form, correct them, " +
      `then declare those known independently of this table: standin confirm ${file} --columns A,B or --all`,
  );
}
