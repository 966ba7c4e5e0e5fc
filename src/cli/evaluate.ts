import { readCsv, type Schema } from "../node.js";
import { nonPrivateQueryErrors, type QueryErrors } from "../owner-node.js";
import type { Options } from "./options.js";
import { print } from "./output.js";
import { checkOneStdin, streamOrPath } from "./paths.js";
import { asSynthetic, checkReadable, readQueries, readSchema, readWorkload } from "./request.js";
import type { Run } from "./run.js";
import { say } from "./stderr.js";
import { tableText } from "./words.js";

const NOT_PRIVATE = "NOT PRIVATE: these numbers were computed from the real rows, for their owner only.";

/** `standin evaluate`: how far a synthetic table's answers are from the real one's, exactly, and so not private. */
export async function run(options: Options, run: Run): Promise<void> {
  const [real, synthetic] = (["real", "synthetic"] as const).map((what) => ({
    what,
    path: streamOrPath(options.required(what)),
  }));
  checkOneStdin([real, synthetic, { what: "schema", path: streamOrPath(options.required("schema")) }]);
  const workload = await readWorkload(options);
  const queries = await readQueries(options);
  const schema = await readSchema(options);
  for (const { path } of [real, synthetic]) checkReadable(path);
  const json = options.has("json");
  if (json) say(NOT_PRIVATE);
  else await print(`${NOT_PRIVATE}\n\n`);

  run.privateDataOpened = true;
  const read = (path: string, as: Schema) => readCsv(path === "-" ? process.stdin : path, as);
  const rows = await read(real.path, schema);
  const errors = nonPrivateQueryErrors(
    rows,
    await read(synthetic.path, asSynthetic(schema, options)),
    schema,
    workload,
    queries,
  );
  await print(json ? `${JSON.stringify(errors, null, 2)}\n` : errorsText(errors));
}

function errorsText(errors: QueryErrors): string {
  const { rows, workloads, cells, meanTv, maxTv, meanError, maxError, worst } = errors;
  const digits = (value: number) => value.toPrecision(3);
  const summary = tableText(
    [
      ["", "mean", "max"],
      [`total variation of ${workloads} column sets`, digits(meanTv), digits(maxTv)],
      [`error of ${cells} cells`, digits(meanError), digits(maxError)],
    ],
    [1, 2],
  );
  const names = worst.map(({ columns, tv }) => [columns.join(" × "), digits(tv)]);
  return `rows: ${rows.real} real, ${rows.synthetic} synthetic\n${summary}\n\n${tableText([["farthest apart", "total variation"], ...names], [1])}\n`;
}
