import type { Attribute } from "../../src/domain/attribute.js";
import type { Query } from "../../src/queries/query.js";
import { haarBasis } from "./haar.js";
import { levelsOf, part, shapeAt } from "./tree.js";

/**
 * The basis vectors along one column: for a tree, Haar's on its leaves and "missing" separately; otherwise one per
 * code.
 */
export function treeBasis({ size, tree }: Attribute): number[][] {
  const alone = (code: number) => Array.from({ length: size }, (_, at) => +(at === code));
  if (!tree) return Array.from({ length: size }, (_, code) => alone(code));
  return [...haarBasis(32).map((vector) => (size > 32 ? [...vector, 0] : vector)), ...(size > 32 ? [alone(32)] : [])];
}

/**
 * The products of basis vectors, one for each cell of the finest table, row-major. Each is a table of the same cells.
 */
export function productBasis(axes: readonly Attribute[]): number[][] {
  return axes.reduce<number[][]>(
    (products, axis) =>
      products.flatMap((product) => treeBasis(axis).map((vector) => product.flatMap((x) => vector.map((y) => x * y)))),
    [[1]],
  );
}

/**
 * For each level of a query: the cell of each combination of the codes of some of its columns, and the sum of a level's
 * noise there.
 */
function seenLevels(query: Query, columns: readonly number[], attributes: readonly Attribute[]) {
  const axes = columns.map((column) => attributes[column]);
  const combinations = axes.reduce<number[][]>(
    (all, { size }) => all.flatMap((codes) => Array.from({ length: size }, (_, code) => [...codes, code])),
    [[]],
  );
  return levelsOf(query, attributes).map((level) => {
    const shape = shapeAt(query, attributes, level);
    const widths = columns.map((column) => shape[query.columns.indexOf(column)]);
    const cells = combinations.map((codes) =>
      codes.reduce((cell, code, axis) => cell * widths[axis] + part(axes[axis], code, level), 0),
    );
    const kept = widths.reduce((product, width) => product * width, 1);
    return { shape, cells, kept, summed: shape.reduce((product, width) => product * width, 1) / kept };
  });
}

/**
 * What noisy answers reveal about each coefficient of the table of some of the query's columns, by weighted least
 * squares, coefficient by coefficient. Every level sees a basis vector as its own sums of it.
 */
export function margin(
  query: Query,
  columns: readonly number[],
  attributes: readonly Attribute[],
  answers: Int32Array,
  sigma2: number,
): { sums: number[]; precisions: number[] } {
  const basis = productBasis(columns.map((column) => attributes[column]));
  const sums = basis.map(() => 0);
  const precisions = basis.map(() => 0);
  let start = 0;
  for (const { shape, cells, kept, summed } of seenLevels(query, columns, attributes)) {
    const measured = new Array(kept).fill(0);
    for (let cell = 0; cell < kept * summed; cell++) {
      let rest = cell;
      const place = shape.map(() => 0);
      for (let axis = shape.length - 1; axis >= 0; axis--) {
        place[axis] = rest % shape[axis];
        rest = Math.floor(rest / shape[axis]);
      }
      const at = query.columns.reduce(
        (index, column, axis) => (columns.includes(column) ? index * shape[axis] + place[axis] : index),
        0,
      );
      measured[at] += answers[start + cell];
    }
    basis.forEach((vector, index) => {
      const seen = new Array(kept).fill(0);
      for (const [at, weight] of vector.entries()) seen[cells[at]] += weight;
      for (const [at, weight] of seen.entries()) {
        sums[index] += (weight * measured[at]) / (sigma2 * summed);
        precisions[index] += weight ** 2 / (sigma2 * summed);
      }
    });
    start += kept * summed;
  }
  return { sums, precisions };
}
