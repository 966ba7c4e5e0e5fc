import { StandinError } from "../core/errors.js";
import { readCsv, type Schema } from "../node.js";
import { targetPlaces } from "../owner/utility.js";
import {
  type FarQuery,
  nonPrivateQueryErrors,
  nonPrivateUtility,
  type QueryErrors,
  type Utility,
} from "../owner-node.js";
import type { Options } from "./options.js";
import { print } from "./output.js";
import { checkOneStdin, streamOrPath } from "./paths.js";
import { progressLines } from "./progress.js";
import { asSynthetic, checkReadable, columnsIn, readQueries, readSchema, readWorkload } from "./request.js";
import type { Run } from "./run.js";
import { say } from "./stderr.js";
import { askedText, jsonText, tableText } from "./words.js";

const NOT_PRIVATE = "NOT PRIVATE: these numbers were computed from the real rows, for their owner only.";

/**
 * `standin evaluate`: how far a synthetic table's answers are from the real one's, and what classifiers learn from
 * either, exactly, and so not private.
 */
export async function run(options: Options, run: Run): Promise<void> {
  const [real, synthetic] = (["real", "synthetic"] as const).map((what) => ({
    what,
    path: streamOrPath(options.required(what)),
  }));
  const lists = options.texts("target");
  const held = options.text("test");
  if (held !== undefined && !lists)
    throw new StandinError("options/refused", "--test was given without --target.", "Name the columns to predict.");
  const tables = [real, synthetic, ...(held === undefined ? [] : [{ what: "test", path: streamOrPath(held) }])];
  checkOneStdin([...tables, { what: "schema", path: streamOrPath(options.required("schema")) }]);
  const workload = await readWorkload(options);
  const queries = await readQueries(options);
  const schema = await readSchema(options);
  const targets = lists && columnsIn(lists, schema);
  if (targets) targetPlaces(schema, targets);
  for (const { path } of tables) checkReadable(path);
  const json = options.has("json");
  if (json) say(NOT_PRIVATE);
  else await print(`${NOT_PRIVATE}\n\n`);

  run.privateDataOpened = true;
  const read = (path: string, as: Schema) => readCsv(path === "-" ? process.stdin : path, as);
  const rows = await read(real.path, schema);
  const made = await read(synthetic.path, asSynthetic(schema, options));
  const errors = nonPrivateQueryErrors(rows, made, schema, workload, queries);
  if (!json) await print(errorsText(errors));
  const utility =
    targets &&
    (await nonPrivateUtility(rows, made, schema, targets, {
      test: tables[2] && (await read(tables[2].path, schema)),
      onProgress: progressLines(options.has("quiet")),
    }));
  if (json) await print(jsonText({ ...errors, utility }));
  else if (utility) await print(utilityText(utility));
}

const digits = (value: number | null) => value?.toPrecision(3) ?? "–";

function errorsText(errors: QueryErrors): string {
  const { rows, classes, worst } = errors;
  const lines = classes.flatMap(({ query, workloads, cells, meanTv, maxTv, meanError, maxError, rmse }) => [
    [`total variation of ${workloads} × ${query}`, digits(meanTv), digits(maxTv), ""],
    [`error of ${cells} cells`, digits(meanError), digits(maxError), digits(rmse)],
  ]);
  const summary = tableText([["", "mean", "max", "rmse"], ...lines], [1, 2, 3]);
  const names = worst.map((far) => [nameOf(far), digits(far.tv)]);
  return `rows: ${rows.real} real, ${rows.synthetic} synthetic\n${summary}\n\n${tableText([["farthest apart", "total variation"], ...names], [1])}\n`;
}

/** Column sets and expressions speak for themselves; of other queries, the class is named too. */
function nameOf(far: FarQuery): string {
  const isPlain = ["marginal", "tree", "expression"].includes(far.query);
  return isPlain ? askedText(far) : `${far.query} of ${askedText(far)}`;
}

function utilityText({ testRows, heldOut, targets }: Utility): string {
  const from = heldOut ? `${100 * heldOut.share} % of the real rows (seed ${heldOut.seed})` : "held-out rows";
  const table = [
    ["macro F1 of", "trained on real rows", "on synthetic rows"],
    ...targets.map(({ target, f1 }) => [target, digits(f1.real), digits(f1.synthetic)]),
  ];
  return `\nlogistic regression, tested on ${testRows} rows: ${from}\n${tableText(table, [1, 2])}\n`;
}
