import { Calls } from "../engine/calls.js";
import type { Instance } from "../engine/instance.js";
import type { CalibratedTree } from "./calibrated-tree.js";
import { Contractions, cellsOver } from "./contraction.js";
import type { Resolution } from "./resolution.js";

/**
 * Rows of a distribution, column after column along the tree: for each combination of the codes that a column depends
 * on, its codes are in proportion to their expected counts, as exactly as whole rows allow (systematic sampling), and
 * in random order. So the rows' marginals vary less than those of independent draws.
 * @returns one array per column, of `rows` cells each
 */
export function treeRows(tree: CalibratedTree, rows: number, seed: number): Uint16Array[] {
  const { engine, sizes, cliques } = tree;
  return engine.scratch(() => {
    const columns = sizes.map(() => engine.alloc(2 * rows));
    const [codes, order, keys] = engine.reserve([2 * rows, 4 * rows, 4 * rows]);
    for (const { columns: own, separator, tables } of [...cliques].reverse()) {
      const drawn = [...separator];
      for (const column of own.filter((one) => !separator.includes(one))) {
        engine.scratch(() => {
          const plan = new Contractions(engine, sizes);
          const weights = plan.table([...drawn, column]);
          plan.add({ columns: own, factors: [tables[tree.current]], sums: [weights] });
          plan.run();
          const groups = cellsOver(drawn, sizes);
          const starts = engine.alloc(4 * groups);
          const calls = new Calls(engine);
          calls.add("clear", keys, 4 * rows);
          for (const [at, given] of drawn.entries())
            calls.add("addRowKeys", columns[given], rows, cellsOver(drawn.slice(at + 1), sizes), keys);
          const by = drawn.length ? keys : 0;
          calls.add("quotaCodes", weights.pointer, groups, sizes[column], by, rows, seed, column, codes, starts);
          calls.add("startColumn", columns[column], rows, by, codes, starts, order, seed, column);
          calls.run();
        });
        drawn.push(column);
      }
    }
    return columns.map((column) => engine.readU16(column, rows));
  });
}

/**
 * Codes of rows, given their cells: in each cell in proportion to their shares.
 * @param shares for each column, the part of its cell that each code has
 */
export function codesOfCells(
  engine: Instance,
  columns: readonly Uint16Array[],
  resolutions: readonly Resolution[],
  shares: readonly Float64Array[],
  seed: number,
): Uint16Array[] {
  return columns.map((column, at) => {
    const { cellOf, cells } = resolutions[at];
    if (!cellOf) return column;
    return engine.scratch(() => {
      const size = cellOf.length;
      const rows = column.length;
      const weights = new Float64Array(cells * size);
      for (const [code, cell] of cellOf.entries()) weights[cell * size + code] = shares[at][code];
      const [codes, order, keys, starts] = engine.reserve([2 * rows, 4 * rows, 4 * rows, 4 * cells]);
      const [placed, values] = [engine.place(weights), engine.place(column)];
      const stream = columns.length + at;
      const calls = new Calls(engine);
      calls.add("addRowKeys", values, rows, 1, keys);
      calls.add("quotaCodes", placed, cells, size, keys, rows, seed, stream, codes, starts);
      calls.add("startColumn", values, rows, keys, codes, starts, order, seed, stream);
      calls.run();
      return engine.readU16(values, rows);
    });
  });
}
