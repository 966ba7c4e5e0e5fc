// Counts all 190 pairs of 20 columns over a million rows, as the vault does: query by query, block by block.
import { BLOCK_ROWS } from "../src/engine/layout.js";
import { cellsOf, queryOf } from "../src/queries/query.js";
import { writeQuery } from "../src/queries/struct.js";
import { Engine } from "../test/engine.js";
import { best, type Report } from "./bench.js";

const ROWS = 1_000_000;
const SIZES = [2, 2, 2, 3, 4, 5, 5, 6, 7, 9, 10, 12, 16, 20, 25, 33, 42, 64, 85, 100];
const SEED = 1;

export default async function counts(report: Report): Promise<void> {
  const instance = new Engine();
  const engine = instance.exports;
  const attributes = SIZES.map((size) => ({ name: `${size} codes`, size, tree: false, missing: false }));
  const pairs = attributes.flatMap((_, a) =>
    attributes.slice(a + 1).map((_, b) => queryOf([a, a + 1 + b], attributes)),
  );
  const queries = pairs.map((query) => writeQuery(instance, query, attributes));
  const answers = pairs.map((query) => instance.alloc(4 * cellsOf(query, attributes)));
  const blocks = Array.from({ length: Math.ceil(ROWS / BLOCK_ROWS) }, (_, block) => {
    const rows = Math.min(BLOCK_ROWS, ROWS - block * BLOCK_ROWS);
    const columns = SIZES.map((size, column) => skewedCodes(instance, rows, size, block * SIZES.length + column));
    return [instance.place(Uint32Array.from(columns)), rows];
  });
  const placed = instance.place(Uint32Array.from(blocks.flat()));
  const seconds = await best(5, () => {
    queries.forEach((query, index) => {
      engine.answerBlocks(query, placed, blocks.length, answers[index]);
    });
  });
  report({ metric: "pairs_s", value: seconds, target: 1 });
}

/** Codes whose frequency falls with the code: the product of two uniform numbers. */
function skewedCodes(instance: Engine, rows: number, size: number, stream: number): number {
  const { exports: engine } = instance;
  const codes = instance.alloc(2 * rows);
  const mark = engine.mark();
  const words = instance.alloc(8 * rows);
  engine.philoxWords(words, 2 * rows, SEED, 0, stream);
  const random = instance.u32(words, 2 * rows);
  instance.u16(codes, rows).forEach((_, row, out) => {
    out[row] = Math.floor((random[2 * row] / 2 ** 32) * (random[2 * row + 1] / 2 ** 32) * size);
  });
  engine.rewind(mark);
  return codes;
}
