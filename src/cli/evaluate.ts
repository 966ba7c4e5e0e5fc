import { StandinError } from "../core/errors.js";
import { thousands } from "../core/thousands.js";
import { readCsv, type Schema } from "../node.js";
import { targetPlaces } from "../owner/target-places.js";
import {
  type FarQuery,
  nonPrivateQueryErrors,
  nonPrivateUtility,
  type QueryErrors,
  type TrainedF1,
  type Utility,
} from "../owner-node.js";
import type { Options } from "./options.js";
import { print } from "./output.js";
import { checkOneStdin, streamOrPath } from "./paths.js";
import { progressLines } from "./progress.js";
import { asSynthetic, checkReadable, columnsIn, readQueries, readSchema, readWorkload } from "./request.js";
import type { Run } from "./run.js";
import { say } from "./stderr.js";
import { askedText, counted, jsonText, tableText } from "./words.js";

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
  const errors = nonPrivateQueryErrors(rows, made, schema, workload, queries, targets);
  if (!json) await print(errorsText(errors, options));
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

function errorsText(errors: QueryErrors, options: Options): string {
  const { rows, classes, worst } = errors;
  const lines = classes.flatMap(({ query, order, workloads, cells, meanTv, maxTv, meanError, maxError, rmse }) => [
    [
      `total variation of ${thousands(workloads)} × ${query}${order ? ` of ${counted(order, "column", "columns")}` : ""}`,
      digits(meanTv),
      digits(maxTv),
      "",
    ],
    [`error of ${thousands(cells)} cells`, digits(meanError), digits(maxError), digits(rmse)],
  ]);
  const summary = tableText([["", "mean", "max", "rmse"], ...lines], [1, 2, 3]);
  const names = worst.map((far) => [nameOf(far), digits(far.tv)]);
  return `${comparedText(errors, options)}\nrows: ${thousands(rows.real)} real, ${thousands(rows.synthetic)} synthetic\n${summary}\n\n${tableText([["farthest apart", "total variation"], ...names], [1])}\n`;
}

/** What is compared, as a sentence. */
function comparedText({ workload, targets }: QueryErrors, options: Options): string {
  const order = typeof workload === "string" ? Number.parseInt(workload, 10) : undefined;
  const asked =
    order === undefined
      ? `the workload ${options.text("workload")}`
      : order === 1
        ? "every column on its own"
        : `all sets of ${order} columns (${workload})`;
  const more = options.has("queries") ? `, and the queries ${options.text("queries")}` : "";
  const added = targets ? `; and its column sets with ${targets.join(", or with ")} added` : "";
  const larger = order !== undefined && order < 3 && !targets ? ". --workload 3-way compares larger sets" : "";
  return `compared: ${asked}${more}${added}${larger}`;
}

/** Column sets and expressions speak for themselves; of other queries, the class is named too. */
function nameOf(far: FarQuery): string {
  const isPlain = ["marginal", "tree", "expression"].includes(far.query);
  return isPlain ? askedText(far) : `${far.query} of ${askedText(far)}`;
}

function utilityText({ testRows, heldOut, targets }: Utility): string {
  const from = heldOut ? `${100 * heldOut.share} % of the real rows (seed ${heldOut.seed})` : "held-out rows";
  const line = (target: string, which: string, { real, synthetic }: TrainedF1) => [
    `${target}, ${which}`,
    digits(real),
    digits(synthetic),
  ];
  const table = [
    ["macro F1 of", "trained on real rows", "on synthetic rows"],
    ...targets.flatMap(({ target, f1, f1WithPairs, f1MostFrequent }) => [
      line(target, "by single columns", f1),
      ...(f1WithPairs ? [line(target, "by pairs of columns", f1WithPairs)] : []),
      [`${target}, always the most frequent class`, digits(f1MostFrequent), ""],
    ]),
  ];
  const unseen = targets.some(({ f1WithPairs }) => !f1WithPairs)
    ? "Where pairs are left out, because they are too many, what only two columns together say is not seen.\n"
    : "";
  return `\nlogistic regression, tested on ${counted(testRows, "row", "rows")}: ${from}\n${tableText(table, [1, 2])}\n${unseen}`;
}
