import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Attribute } from "../../src/domain/attribute.js";
import { measure, plan, resample, synthesize } from "../../src/index.js";
import { noiseRatio } from "../../src/projection/fit.js";
import { scaleOf } from "../../src/queries/interaction.js";
import type { Measurement } from "../../src/queries/measurement.js";
import { cellsOf, type Query, structureOf } from "../../src/queries/query.js";
import { modelCodes } from "../../src/schema/encode.js";
import { key, people, schema } from "../frame/people.js";
import { attribute, columnsOf, integers, queryAmong } from "../random-tables.js";
import { centredTable } from "../reference/centred.js";
import { answers } from "../reference/marginal.js";

const { attributes } = schema;
const truth = modelCodes(people, schema);
const measurementsOf = async (options: object, seed: number) =>
  (await measure(people, plan(schema, { epsilon: 1, ...options }), { unsafeNoiseKey: key(seed) })).measurements;

/** The ratio by its definition, in rows. Groups count as codes of their own. */
function ratio(all: readonly Attribute[], codes: readonly Uint16Array[], measured: Measurement[], total: number) {
  let [squares, variance] = [0, 0];
  for (const { query, answers: noisy, sigma2 } of measured) {
    const groupsOf = (column: number) => query.groups?.[query.columns.indexOf(column)];
    const sizes = all.map((facts, column) => ({
      ...facts,
      size: Math.max(...(groupsOf(column) ?? [facts.size - 1])) + 1,
    }));
    const mapped = codes.map((cells, column) => cells.map((code) => groupsOf(column)?.[code] ?? code));
    const isInteraction = query.kind === "interaction";
    const asked = { ...query, groups: undefined, ...(isInteraction && { kind: "marginal" }) };
    const table = answers(asked, sizes, mapped);
    const axes = query.columns.map((column) => sizes[column].size);
    const along = query.columns.map((_, axis) => isInteraction && (query.centred?.[axis] ?? true));
    const counts = isInteraction ? centredTable(axes, along, table) : table;
    const unit = axes.reduce((product, size, axis) => (along[axis] ? product * size : product), 1);
    for (const [cell, answer] of noisy.entries()) {
      squares += (((counts[cell] * total) / codes[0].length - answer) / unit) ** 2;
      variance += sigma2 / unit ** 2;
    }
  }
  return squares / variance;
}

describe("noiseRatio", () => {
  it("agrees with its definition, for marginals, trees, groups of codes and a different number of rows", async () => {
    const tables = fc.array(attribute(6), { minLength: 2, maxLength: 4 }).chain((all) =>
      fc.record({
        all: fc.constant(all),
        queries: fc.array(queryAmong(all, 2), { minLength: 1, maxLength: 4 }),
        codes: fc.integer({ min: 1, max: 9 }).chain((rows) => columnsOf(all, rows)),
        total: fc.integer({ min: 1, max: 50 }),
        seed: fc.nat(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(tables, async ({ all, queries, codes, total, seed }) => {
        const inGroups = (query: Query, at: number): Query =>
          query.kind === "tree" || at % 2
            ? query
            : {
                ...query,
                groups: query.columns.map((column) => Array.from({ length: all[column].size }, (_, code) => code >> 1)),
              };
        const measured = queries.map(inGroups).map((query, at) => {
          return { query, answers: integers(cellsOf(query, all), 30, seed + at), sigma2: 1 + at };
        });
        expect(await noiseRatio(all, codes, measured, total)).toBeCloseTo(ratio(all, codes, measured, total), 9);
      }),
      { seed: 1 },
    );
  });

  // The variance of the ratio of the true rows is 2 Σσ⁴ ÷ (Σσ²)². One seed in 5e8 lies beyond six standard deviations.
  it.each([
    ["marginals and trees", { stages: 1 }],
    ["three columns", { stages: 1, workload: "3-way" }],
    ["two stages", { stages: 2 }],
  ])("of the true rows is 1 up to chance, and detects noise of other scales: %s", async (_, options) => {
    const measured = (await Promise.all(Array.from({ length: 60 }, (_, seed) => measurementsOf(options, seed)))).flat();
    const inRows = ({ query, sigma2 }: Measurement) => sigma2 / scaleOf(structureOf(query, attributes)) ** 2;
    const sumOver = (power: number) =>
      measured.reduce((sum, one) => sum + one.answers.length * inRows(one) ** power, 0);
    const bound = (6 * Math.sqrt(2 * sumOver(2))) / sumOver(1);
    const found = (factor: number) => {
      const stated = measured.map((one) => ({ ...one, sigma2: factor ** 2 * one.sigma2 }));
      return noiseRatio(attributes, truth, stated, people.length);
    };
    expect(Math.abs((await found(1)) - 1)).toBeLessThan(bound);
    expect(await found(1.1)).toBeLessThan(1 - bound);
    expect(await found(0.9)).toBeGreaterThan(1 + bound);
  });
});

describe("a synthetic release says how close its rows came", () => {
  it("computed from the rows that it returns", async () => {
    const { table, outcome, measurements, facts } = await synthesize(people, plan(schema, { epsilon: 3 }), {
      rows: 90,
    });
    const codes = modelCodes(table, schema);
    expect(outcome.noiseRatio).toBeCloseTo(ratio(attributes, codes, measurements, facts.total), 9);
  });

  it("about as close as the true rows if they match estimates; closer if they match the noise; less close if they are few", async () => {
    const found = async (options: object, rows?: number) => {
      const release = await measure(people, plan(schema, { epsilon: 2, ...options }), {
        seed: 1,
        unsafeNoiseKey: key(1),
      });
      return (await resample(release, { rows })).outcome.noiseRatio;
    };
    const shrunk = await found({ stages: 1 });
    expect(shrunk).toBeGreaterThan(0.9);
    expect(shrunk).toBeLessThan(1.1);
    expect(await found({ estimate: "raw" })).toBeLessThan(0.9 * shrunk);
    expect(await found({ stages: 1 }, 3)).toBeGreaterThan(1.1 * shrunk);
  });
});
