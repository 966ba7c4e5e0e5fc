import { shownText } from "../core/arguments.js";
import { StandinError } from "../core/errors.js";
import { type Columns, refinedAttributes } from "../domain/columns.js";
import { KIND_EXPRESSION, MAX_ORDER } from "../engine/layout.js";
import { expressionText, parseExpression } from "./expression-parser.js";
import { programWords } from "./expression-program.js";
import { truthOf } from "./expression-terms.js";
import { expectShort, refusal } from "./expression-tokens.js";
import type { Query } from "./query.js";
import type { QueryClass, QueryJson } from "./query-class.js";

/** The user's own queries, as a workload states them. */
export type ExpressionJson =
  | /** The rows for which it is true. */ { readonly expression: string }
  | {
      readonly expressions: readonly string[];
      /**
       * Whether each row counts only for the first expression that is true for it, or as one of the rest, whose number
       * is the last answer. The default is false: a row counts for each one that is true for it.
       */
      readonly partition?: boolean;
    };

export interface Expressions extends Query {
  /** In their usual form. */
  readonly expressions: readonly string[];
  readonly partition: boolean;
  /** What the engine reads. */
  readonly program: Uint32Array;
}

/**
 * Counts of the rows for which expressions over their columns are true: one partition, in the order of the expressions,
 * with the rest last; or free predicates.
 */
export const expression: QueryClass<Expressions> = {
  kind: "expression",
  number: KIND_EXPRESSION,
  isColumnSet: false,
  states: ["expressions", "partition"],
  structure: ({ expressions, partition }) =>
    partition
      ? { partitions: [{ shape: [expressions.length + 1], isWhole: true }], free: 0 }
      : { partitions: [], free: expressions.length },
  compared: ({ columns }) => columns,
  canHave: (partitions, free) =>
    (partitions === 1 && free === 0) || (partitions === 0 && Number.isSafeInteger(free) && Number(free) >= 1),
  json: ({ expressions, partition }) => ({ expressions, ...(partition ? { partition } : {}) }),
  ask: (stated, table) => (statesExpressions(stated) ? asked(stated, table) : undefined),
  parse(stated, columns, table) {
    const { expressions, partition } = stated;
    try {
      const query = asked({ expressions, ...(partition === undefined ? {} : { partition }) }, table);
      const isUsual = query.expressions.every((text, at) => text === (expressions as string[])[at]);
      return isUsual && `${query.columns}` === `${columns}` ? query : "whose expressions are not over its columns";
    } catch (error) {
      if (error instanceof StandinError) return "whose expressions do not fit the schema";
      throw error;
    }
  },
  encode: ({ program }) => program,
};

const statesExpressions = ({ query, expression, expressions }: QueryJson): boolean =>
  query === undefined && (expression !== undefined || expressions !== undefined);

/** @throws {StandinError} `workload/expression` */
function asked(stated: QueryJson, table: Columns): Expressions {
  const { texts, partition } = textsOf(stated);
  const parsed = texts.map((text) => ({ text, expression: parseExpression(text) }));
  const checked = parsed.map(({ text, expression }) => ({ text, truth: truthOf(text, expression, table) }));
  for (const { text, truth } of checked)
    if (!truth.columns.length) throw refusal(text, truth, "This names no column.", "Compare a column with a value.");
  const axes = [...new Set(checked.flatMap(({ truth }) => truth.columns))].sort((a, b) => a - b);
  if (axes.length > MAX_ORDER)
    throw new StandinError(
      "workload/expression",
      `An entry has expressions over ${axes.length} columns; at most ${MAX_ORDER} can be counted together.`,
      "Split it into entries of fewer columns.",
    );
  const usual = parsed.map(({ expression }) => expressionText(expression));
  usual.forEach(expectShort); // a release states them in this form
  const coded = { fields: table.fields, attributes: refinedAttributes(table, new Set(axes)) };
  return {
    kind: "expression",
    columns: axes,
    expressions: usual,
    partition,
    program: programWords(checked, axes, partition, coded),
  };
}

/** The texts of an entry, and whether they are a partition. */
function textsOf(stated: QueryJson): { texts: readonly string[]; partition: boolean } {
  const { expression, expressions, partition, ...rest } = stated;
  const texts = expressions ?? [expression];
  const isOne = (expression === undefined) !== (expressions === undefined);
  const areTexts =
    Array.isArray(texts) && texts.length > 0 && Array.from(texts).every((text) => typeof text === "string");
  const isFlag = partition === undefined || (typeof partition === "boolean" && expressions !== undefined);
  if (isOne && areTexts && isFlag && !Object.keys(rest).length) return { texts, partition: partition === true };
  throw new StandinError(
    "workload/expression",
    `An entry of the workload is not one or several expressions: ${shownText(JSON.stringify(stated))}.`,
    'Write { "expression": "age < 30" } or { "expressions": ["age < 30", "age < 60"], "partition": true }.',
  );
}
