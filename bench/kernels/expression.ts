import { cellsOf } from "../../src/queries/query.js";
import { writeQuery } from "../../src/queries/struct.js";
import { workloadQueries } from "../../src/queries/workload.js";
import { parseSchema } from "../../src/schema/schema.js";
import { expressionAnswers } from "../../test/reference/expression.js";
import { type Kernel, repeated, uniformCodes } from "./kernel.js";

const SCHEMA = parseSchema({
  fields: [
    { name: "age", type: "integer", constraints: { minimum: 0, maximum: 99 } },
    { name: "sex", type: "string", constraints: { enum: ["F", "M"] } },
    { name: "hours", type: "integer", constraints: { minimum: 0, maximum: 80 } },
    { name: "wage", type: "number", constraints: { minimum: 0, maximum: 50 }, standin: { granularity: 0.5 } },
  ],
});
/** A third of them has tables of truths only, another a product of two columns, the last both. */
const EXPRESSIONS = Array.from({ length: 30 }, (_, at) => {
  const [test, product] = [`age < ${30 + at} and sex == 'F'`, `hours * wage > ${1000 + at}`];
  return [test, product, `${test} or ${product}`][at % 3];
});
const [QUERY] = workloadQueries([{ expressions: EXPRESSIONS }], SCHEMA);
const ROWS = 10_000;
const CODES = SCHEMA.attributes.map(({ size }, column) => uniformCodes(ROWS, size, column));
const FEW = CODES.map((column) => column.slice(0, 500));
const TIMES = 5;

export default {
  element: "row and expression",
  elements: TIMES * ROWS * EXPRESSIONS.length,
  open(engine) {
    const columns = engine.place(Uint32Array.from(CODES, (column) => engine.place(column)));
    const block = engine.place(Uint32Array.of(columns, ROWS));
    const struct = writeQuery(engine, QUERY, SCHEMA.attributes);
    const counts = engine.alloc(4 * cellsOf(QUERY, SCHEMA.attributes));
    return repeated(TIMES, () => engine.exports.answerBlocks(struct, block, 1, counts));
  },
  oracle: { elements: FEW[0].length * EXPRESSIONS.length, run: () => expressionAnswers(QUERY, FEW) },
} satisfies Kernel;
