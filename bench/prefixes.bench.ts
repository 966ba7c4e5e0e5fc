import type { Attribute } from "../src/domain/attribute.js";
import { cellsOf } from "../src/queries/query.js";
import { writeQuery } from "../src/queries/struct.js";
import { workloadQueries } from "../src/queries/workload.js";
import { Engine } from "../test/engine.js";
import { best, type Report } from "./bench.js";
import { categories, tree, uniformCodes } from "./kernels/kernel.js";
const ROWS = 32132;
export default async function prefixes(report: Report): Promise<void> {
  const numbers = Array.from({ length: 4 }, (_, at): Attribute => ({ ...tree, name: `n${at}`, ordered: true, fine: 65_534 }));
  const attributes = [{ ...categories(5), name: "category" }, ...numbers];
  const columns = attributes.map(({ name }) => name);
  const codes = attributes.map(({ size, fine }, column) => uniformCodes(ROWS, fine ?? size, column));
  for (const count of [200_000, 10_000, 1000, 300, 100, 30, 10, 1]) {
    const [query] = workloadQueries([{ query: "random-prefixes", columns, count, seed: 1 }], { attributes, fields: [] });
    const engine = new Engine();
    const struct = writeQuery(engine, query, attributes);
    const blocks: number[] = [];
    for (let first = 0; first < ROWS; first += 16384) {
      const part = codes.map((c) => engine.place(c.slice(first, first + 16384)));
      blocks.push(engine.place(Uint32Array.from(part)), Math.min(16384, ROWS - first));
    }
    const placed = engine.place(Uint32Array.from(blocks));
    const out = engine.alloc(4 * cellsOf(query, attributes));
    const seconds = await best(count > 1000 ? 3 : 20, () => engine.exports.answerBlocks(struct, placed, 2, out));
    report({ metric: `${count}_s`, value: seconds });
    report({ metric: `${count}_G/s`, value: (count * ROWS) / seconds / 1e9 });
  }
}
