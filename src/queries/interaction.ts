import { KIND_TABLE, MOST_CENTRED } from "../engine/layout.js";
import { marginal } from "./marginal.js";
import type { Query } from "./query.js";
import type { QueryClass } from "./query-class.js";

const NOT_CENTRED = "that is not centred along some of its columns, of few codes together";

/**
 * An interaction is what a marginal says of its columns together, and marginals of fewer columns do not: its counts,
 * centred along every axis, or along some of them (`Query.centred`). Along an axis with r codes, a count becomes r
 * times itself less the sum over the codes. So a row is as much as all these codes together (`scaleOf`), and the
 * squared sensitivity is less than that of a marginal by the factor 1 − 1/r for each axis.
 */
export const interaction: QueryClass = {
  kind: "interaction",
  number: KIND_TABLE,
  isColumnSet: true,
  structure(query, attributes) {
    const [{ shape }] = marginal.structure(query, attributes).partitions;
    return { partitions: [{ shape, isWhole: false }], free: 0, centred: centredSizes(query.centred, shape) };
  },
  canHave: () => false, // candidates are compared as tables
  json: ({ groups, centred }) => ({ ...(groups && { groups }), ...(centred && { centred }) }),
  parse({ groups, centred }, columns, { attributes }) {
    const table = marginal.parse(groups === undefined ? {} : { groups }, columns, { attributes, fields: [] });
    if (typeof table === "string") return table;
    const areAxes =
      Array.isArray(centred) && centred.length === columns.length && centred.every((of) => typeof of === "boolean");
    if (centred !== undefined && !(areAxes && centred.includes(false))) return NOT_CENTRED;
    const query = { ...table, kind: "interaction", ...(areAxes && { centred }) };
    return isCentrable(interaction.structure(query, attributes).centred!) ? query : NOT_CENTRED;
  },
  encode: () => [],
};

const centredSizes = (centred: Query["centred"], shape: readonly number[]): number[] =>
  shape.map((size, axis) => (centred?.[axis] === false ? 0 : size));

/** Whether tables can be centred along axes of these sizes, 0 for axes along which they are not. */
function isCentrable(sizes: readonly number[]): boolean {
  const along = sizes.filter((size) => size !== 0);
  return along.length > 0 && along.every((size) => size > 1) && product(along) <= MOST_CENTRED;
}

const product = (sizes: readonly number[]): number => sizes.reduce((product, size) => product * size, 1);

/** How much a row is in the units of a table's answers: as many as the axes along which it is centred have cells. */
export const scaleOf = ({ centred = [] }: { readonly centred?: readonly number[] }): number =>
  product(centred.filter((size) => size !== 0));
