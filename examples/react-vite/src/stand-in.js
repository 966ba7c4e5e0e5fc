import { csvStream, parseSchema, plan, readCsv, synthesize } from "standin";
import { nonPrivateProposal } from "standin/owner";

/**
 * Makes the stand-in of a dropped table. A schema dropped beside it is what its owner declares; without one its facts
 * are read from the rows, and the stand-in is promised nothing.
 */
export async function standInOf(files, onProgress) {
  const named = (ending) => files.find(({ name }) => name.endsWith(ending));
  const csv = named(".csv");
  if (!csv) throw new Error("Drop a table as CSV.");
  const declared = await named(".json")?.text();
  const schema = parseSchema(declared ?? (await nonPrivateProposal(csv)).descriptor);
  const table = await readCsv(csv, schema);
  const planned = plan(schema, { epsilon: 1, allowUnreviewedSchema: declared === undefined });
  const release = await synthesize(table, planned, { onProgress });
  const { guarantee, noGuarantee } = release.facts;
  return {
    rows: await new Response(csvStream(release.table)).blob(),
    promise: noGuarantee ?? `ε = ${guarantee.epsilon} for one ${guarantee.unit === "row" ? "row" : "person"}.`,
  };
}
