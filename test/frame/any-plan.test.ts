// Whatever is asked of any mechanism: what a release costs, and that its plan has told so.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { StandinError } from "../../src/core/errors.js";
import { measure, type PlanOptions, parseCsv, parseRelease, parseSchema, plan } from "../../src/index.js";
import { MECHANISM_OPTIONS } from "../../src/mechanisms/options.js";
import { isQueryItem } from "../../src/privacy/ledger.js";
import { key } from "./people.js";

const NAMES = ["a", "b", "c", "d"];
const codes = (count: number) => ({
  ...{ type: "string", constraints: { enum: Array.from({ length: count }, (_, at) => `${at}`), required: true } },
});
const number = { type: "integer", constraints: { minimum: 0, maximum: 99 } };
const kinds = fc.constantFrom<object>(codes(1), codes(2), codes(7), number, { ...number, standin: { bins: 3 } });
const WORKLOADS = [
  "1-way",
  "2-way",
  "3-way",
  [["a", "b"], { columns: ["b"], weight: 5 }],
  [["b", "a"], ["a"]],
] as const;
const asked = fc.record(
  {
    mechanism: fc.constantFrom(...Object.keys(MECHANISM_OPTIONS)),
    epsilon: fc.constantFrom(1e-6, 1e-3, 1, 1000),
    workload: fc.constantFrom(...WORKLOADS),
    target: fc.constantFrom(...NAMES),
    rounds: fc.integer({ min: 1, max: 4 }),
    perRound: fc.integer({ min: 1, max: 3 }),
    selection: fc.constantFrom("none", "max", "cells", "aim"),
  },
  { requiredKeys: ["mechanism", "epsilon", "workload"] },
);
const FITS: Record<string, object> = {
  "rap++": { rows: 20, stages: 1, steps: 5 },
  rap: { rows: 20, steps: 5 },
  "rap-softmax": { rows: 20, steps: 5 },
};

/** The options that the mechanism has, of those asked for; and fits that take little time. */
const fitting = ({ mechanism, ...rest }: { mechanism: string }, publicTable: PlanOptions["publicTable"]) => {
  const own = MECHANISM_OPTIONS[mechanism as keyof typeof MECHANISM_OPTIONS];
  const isOwn = (name: string) => !["rounds", "perRound", "selection"].includes(name) || Object.hasOwn(own, name);
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => isOwn(name))),
    ...{ mechanism, search: FITS[mechanism], ...(mechanism.endsWith("-pub") && { publicTable }) },
    ...(Object.hasOwn(own, "law") || mechanism === "dual-query" ? { rounds: 2, perRound: 2 } : {}),
  } as PlanOptions;
};

it("a release measures what its plan lists, at the price of its noise, within the budget", async () => {
  const columns = fc.array(kinds, { minLength: 2, maxLength: 4 });
  let released = 0;
  await fc.assert(
    fc.asyncProperty(columns, asked, fc.boolean(), fc.nat(60), async (kinds, options, isReplaced, rows) => {
      const schema = parseSchema({ fields: kinds.map((kind, at) => ({ name: NAMES[at], ...kind })) });
      const line = (row: number) => kinds.map((_, at) => (row * (at + 1)) % 7).join();
      const csv = (count: number) =>
        `${NAMES.slice(0, kinds.length)}\n${Array.from({ length: count }, (_, row) => line(row)).join("\n")}\n`;
      const replaced = { neighbours: "replace", publicRows: 50 } as const;
      let planned: ReturnType<typeof plan>;
      try {
        const known = fitting(options, parseCsv(csv(9), schema));
        planned = plan(schema, { ...known, ...(isReplaced && replaced) });
      } catch (error) {
        expect((error as StandinError).code).toMatch(/^(options|workload|budget)\//);
        return;
      }
      released++;
      const { ledger } = planned;
      expect(ledger.charge <= ledger.budget).toBe(true);
      const { structure } = planned;
      expect(structure.every(({ sigma, seenFrom: [first, all] }) => sigma > 0 && first <= all && all < Infinity)).toBe(
        true,
      );
      const release = await measure(parseCsv(csv(rows), schema), planned, { unsafeNoiseKey: key(1), seed: 1 });
      // Above 2^53 units, a charge is written with the rounding of doubles.
      const units = release.ledger.reduce((sum, { rho }) => sum + rho * 2 ** 52, 0);
      expect(units / Number(ledger.charge)).toBeLessThan(1 + 1e-12);
      for (const item of release.ledger)
        if (item.kind === "measurement") {
          // A row is in one cell of each partition. One that changes moves to another, and enters or leaves a box.
          const changed = (isReplaced ? 2 : 1) * item.partitions + item.free;
          expect(item.rho).toBeGreaterThan((1 - 1e-12) * (changed / (2 * item.sigma2)));
          expect([item.query, item.partitions]).toEqual([item.query, partitionsOf(item.query!)]);
        }
      const listed = [...ledger.items, ...ledger.shown].filter(isQueryItem).map(({ query }) => query.columns.join());
      const may = new Set([...listed, ...ledger.candidates.map(({ query }) => query.columns.join())]);
      expect(release.measurements.map(({ query }) => query.columns.join()).filter((set) => !may.has(set))).toEqual([]);
      expect(JSON.stringify(parseRelease(JSON.stringify(release)))).toBe(JSON.stringify(release));
    }),
    { seed: 7, numRuns: 120 },
  );
  expect(released).toBeGreaterThan(40);
});

/** How many times a query of this class counts each row. */
const partitionsOf = (kind: string) => (kind === "tree" ? 5 : kind === "ranges" ? 0 : 1);
