import { StandinError } from "../core/errors.js";
import { thousands } from "../core/thousands.js";
import { nonPrivateCheck, type TableCheck } from "../owner-node.js";
import type { Options } from "./options.js";
import { print } from "./output.js";
import { checkOneStdin, streamOrPath } from "./paths.js";
import { progressLines } from "./progress.js";
import { asSynthetic, checkReadable, readSchema, tableOf } from "./request.js";
import type { Run } from "./run.js";
import { say } from "./stderr.js";
import { tableText } from "./words.js";

const NOT_PRIVATE = "NOT PRIVATE: these counts were made from the real rows, for their owner only.";

/**
 * `standin check`: what reading with this schema would change in a table, counted exactly, and so not private. A
 * synthetic table is read as standin writes it, whatever the schema says about the real table's file.
 */
export async function run(options: Options, run: Run): Promise<void> {
  const synthetic = options.text("synthetic");
  const table = synthetic === undefined ? tableOf(options) : onlyTable(synthetic, options);
  checkOneStdin([
    { what: "table", path: table },
    { what: "schema", path: streamOrPath(options.required("schema")) },
  ]);
  const publicRows = options.whole("public-rows");
  const stated = await readSchema(options);
  const schema = synthetic === undefined ? stated : asSynthetic(stated, options);
  checkReadable(table);
  const json = options.has("json");
  if (synthetic === undefined)
    if (json) say(NOT_PRIVATE);
    else await print(`${NOT_PRIVATE}\n\n`);

  run.privateDataOpened = true;
  const onProgress = progressLines(options.has("quiet"));
  const check = await nonPrivateCheck(table === "-" ? process.stdin : table, schema, { onProgress });
  await print(json ? `${JSON.stringify({ ...check, publicRows }, null, 2)}\n` : checkText(check, publicRows));
}

/** The table named as a synthetic one, if it is the only one named. */
function onlyTable(synthetic: string, { positionals: [table] }: Options): string {
  if (table === undefined) return streamOrPath(synthetic);
  throw new StandinError(
    "options/table",
    `Only one table can be checked at a time, but "${table}" was given as well as --synthetic "${synthetic}".`,
    "Leave one of them out.",
  );
}

function checkText(check: TableCheck, publicRows: number | undefined): string {
  const { rows, short, long, blank, unknownColumns, columns, constraints } = check;
  const declared =
    publicRows === undefined ? "" : `; ${thousands(publicRows)} declared${publicRows === rows ? "" : ": DIFFERENT"}`;
  const table = [
    ["column", "missing", "missing but required", "unlisted", "unparseable", "clipped"],
    ...columns.map((column) => [
      column.name,
      ...[column.missing, column.missingRequired, column.unlisted, column.unparseable, column.clipped].map(thousands),
    ]),
  ];
  const rules = constraints.length
    ? `\n${tableText([["constraint", "records that break it"], ...constraints.map(({ constraint, broken }) => [constraint, thousands(broken)])], [1])}\n`
    : "";
  return `rows: ${thousands(rows)}${declared}
records with too few cells: ${thousands(short)}, with too many: ${thousands(long)}; blank lines: ${thousands(blank)}
columns that are not in the schema: ${unknownColumns}

${tableText(table, [1, 2, 3, 4, 5])}
${rules}`;
}
