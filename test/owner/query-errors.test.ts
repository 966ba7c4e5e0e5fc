import { expect, it } from "vitest";
import { parseCsv } from "../../src/files/csv.js";
import { nonPrivateQueryErrors } from "../../src/owner/query-errors.js";
import { parseSchema } from "../../src/schema/schema.js";

const category = (name: string, ...values: string[]) => ({
  name,
  type: "string",
  constraints: { enum: values, required: true },
});

const schema = parseSchema({ fields: [category("x", "a", "b"), category("y", "c", "d"), category("z", "e")] });
const table = (...rows: string[]) => parseCsv(`x,y,z\n${rows.join("\n")}\n`, schema);

it("total variation and errors of pairs, by hand", () => {
  // x × y, real: ac ¾, bd ¼; synthetic: ac ½, ad ½: ½(¼ + ½ + ¼) = ½. x × z: a ¾, b ¼ against a 1: ¼. y × z: c ¾, d ¼
  // against ½, ½: ¼.
  const real = table("a,c,e", "a,c,e", "a,c,e", "b,d,e");
  const synthetic = table("a,c,e", "a,d,e");
  // Six cells differ by ¼, one by ½.
  const rmse = Math.sqrt((6 / 16 + 1 / 4) / 8);
  const errors = { workloads: 3, cells: 8, meanTv: 1 / 3, maxTv: 0.5, meanError: 2 / 8, maxError: 0.5, rmse };
  expect(nonPrivateQueryErrors(real, synthetic, schema)).toEqual({
    private: false,
    workload: "2-way",
    rows: { real: 4, synthetic: 2 },
    ...errors,
    classes: [{ query: "marginal", order: 2, ...errors }],
    worst: [
      { query: "marginal", columns: ["x", "y"], tv: 0.5 },
      { query: "marginal", columns: ["x", "z"], tv: 0.25 },
      { query: "marginal", columns: ["y", "z"], tv: 0.25 },
    ],
  });
});

it("compares column sets with each target added too, in which more than pairs can show", () => {
  const letters = ["a", "b", "y", "z"];
  const wide = parseSchema({ fields: letters.map((name) => category(name, "0", "1")) });
  const read = (...rows: string[]) => parseCsv(`${letters}\n${rows.map((row) => [...row].join()).join("\n")}\n`, wide);
  const real = read("0000", "0110", "1010", "1100");
  const independent = read("0000", "0010", "0100", "0110", "1000", "1010", "1100", "1110");
  const errors = nonPrivateQueryErrors(real, independent, wide, "2-way", undefined, ["y", "z"]);
  expect(errors).toMatchObject({ workload: "2-way", targets: ["y", "z"], workloads: 6 + 4, maxTv: 0.5 });
  expect(errors.classes).toMatchObject([
    { query: "marginal", order: 2, workloads: 6, maxTv: 0 },
    { query: "marginal", order: 3, workloads: 4, maxTv: 0.5 },
  ]);
  expect(errors.worst[0]).toMatchObject({ columns: ["a", "b", "y"], tv: 0.5 });
  expect(() => nonPrivateQueryErrors(real, real, wide, "2-way", undefined, ["w"])).toThrow(
    /target "w" is not a column/,
  );
  const asked = nonPrivateQueryErrors(real, real, wide, [{ expression: "a == '0'" }], undefined, ["y"]);
  expect(asked.workloads).toBe(1);
});

it("compares the requested column sets", () => {
  const errors = nonPrivateQueryErrors(table("a,c,e"), table("b,c,e"), schema, [["y", "x"], ["y"]]);
  expect(errors).toMatchObject({ workload: [["y", "x"], ["y"]], workloads: 2, cells: 6, meanTv: 0.5, maxTv: 1 });
  expect(errors.meanError).toBeCloseTo(2 / 6, 15);
});

it("takes a tree's distance on its leaves and its errors on all levels, missing included", () => {
  const numbers = parseSchema({
    fields: [{ name: "v", type: "integer", constraints: { minimum: 0, maximum: 31 }, standin: { bins: "tree" } }],
  });
  const read = (...rows: string[]) => parseCsv(`v\n${rows.join("\n")}\n`, numbers);
  // Leaves 0 and 1 against leaf 0 and missing. Leaves: |½ − ½| + ½ + ½. Every coarser level: interval 0 has 1 against
  // ½, missing 0 against ½.
  const errors = nonPrivateQueryErrors(read("0", "1"), read("0", '""'), numbers, "1-way");
  expect(errors.cells).toBe(2 + 4 + 8 + 16 + 32 + 5);
  expect(errors.meanTv).toBe(0.5);
  expect(errors.maxError).toBe(0.5);
  expect(errors.meanError).toBeCloseTo(5 / errors.cells, 15);
});

it("says how far apart each class is: a query of partitions by the worst of them, a predicate by its error", () => {
  const numbers = parseSchema({
    fields: [
      category("x", "a", "b"),
      { name: "v", type: "integer", constraints: { minimum: 0, maximum: 99, required: true } },
    ],
  });
  const read = (...rows: string[]) => parseCsv(`x,v\n${rows.join("\n")}\n`, numbers);
  const half = 2 ** 31;
  const errors = nonPrivateQueryErrors(read("a,10", "a,60"), read("a,10", "b,10"), numbers, [
    ["x"],
    {
      query: "ranges",
      columns: ["x", "v"],
      boxes: [
        [null, [0, half]],
        [null, [half, 2 * half]],
      ],
    },
    { expression: "v >= 50" },
  ]);
  const one = { workloads: 1, cells: 1, meanTv: 0.5, maxTv: 0.5, meanError: 0.5, maxError: 0.5, rmse: 0.5 };
  expect(errors.classes).toEqual([
    { query: "marginal", order: 1, ...one, cells: 2 },
    // Below 50: a ½ against ½, b 0 against ½, so ¼. From 50 on: a ½ against 0, so ¼.
    { query: "ranges", ...one, cells: 4, meanTv: 0.25, maxTv: 0.25, meanError: 0.25, rmse: Math.sqrt(2 / 16) },
    { query: "expression", ...one },
  ]);
  expect(errors.maxTv).toBe(0.5);
  expect(errors.meanTv).toBeCloseTo(1.25 / 3, 15);
  expect(errors.worst[1]).toEqual({ query: "expression", columns: ["v"], expressions: ["v >= 50"], tv: 0.5 });
});

it("is zero for the same table, whatever the number of blocks or rows", () => {
  const rows = Array.from({ length: 40_000 }, (_, at) => `${"ab"[at % 2]},${"cd"[at % 3 ? 1 : 0]},e`);
  const errors = nonPrivateQueryErrors(table(...rows), table(...rows, ...rows), schema, "3-way");
  expect(errors).toMatchObject({ workloads: 1, maxTv: 0, maxError: 0, rows: { real: 40_000, synthetic: 80_000 } });
});

it("names the five worst sets only", () => {
  const letters = "abcdefg".split("");
  const wide = parseSchema({ fields: letters.map((name) => category(name, "0", "1")) });
  const row = (bits: string) => parseCsv(`${letters.join()}\n${bits.split("").join()}\n`, wide);
  const errors = nonPrivateQueryErrors(row("0000000"), row("1111111"), wide, "1-way");
  expect(errors.workloads).toBe(7);
  expect(errors.worst).toEqual(letters.slice(0, 5).map((name) => ({ query: "marginal", columns: [name], tv: 1 })));
});

it("refuses a table without rows", () => {
  expect(() => nonPrivateQueryErrors(table(), table("a,c,e"), schema)).toThrow(/real table has no rows/);
  expect(() => nonPrivateQueryErrors(table("a,c,e"), table(), schema)).toThrow(/synthetic table has no rows/);
});
