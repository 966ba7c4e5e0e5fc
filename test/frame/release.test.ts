// A release never says the same thing twice in ways that could differ. A release that a run wrote is read back,
// whatever its budget; a changed one is refused.
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { expectReadable } from "../../src/frame/facts.js";
import { Plan } from "../../src/frame/plan.js";
import * as checks from "../../src/frame/release-checks.js";
import {
  measure,
  type PlanOptions,
  parseCsv,
  parseRelease,
  parseSchema,
  plan,
  type Release,
  resample,
  resume,
} from "../../src/index.js";
import { changed, RELEASES, type ReleaseCase, releaseCsv, TAMPERED } from "./release-cases.mjs";

const KEY = Uint8Array.from({ length: 32 }, (_, at) => at + 1);

/** A release as a run without a known key would have written it, with what it would promise. */
async function released([name, descriptor, options, round]: ReleaseCase) {
  const schema = parseSchema(descriptor);
  const planned = plan(schema, options);
  const begun: object[] = [];
  const onRound = (unfinished: Release) => void begun.push(unfinished.toJSON());
  const table = parseCsv(releaseCsv(descriptor), schema);
  const whole = await measure(table, planned, { seed: 5, unsafeNoiseKey: KEY, onRound });
  const { guarantee, noGuarantee } = planned;
  return { name, release: { ...(begun[round ?? -1] ?? whole.toJSON()), guarantee, noGuarantee } };
}

const releases = await Promise.all(RELEASES.map(released));
const again = (text: string) => parseRelease(text).toText();

it.each(releases)("reads $name, and writes the same bytes", ({ release }) => {
  const text = JSON.stringify(release);
  expect(again(text)).toBe(text);
  expect(JSON.stringify(parseRelease(text))).toBe(text);
});

it.each(TAMPERED)("refuses %s with %j", (name, steps, words) => {
  const { release } = releases.find((each) => each.name === name)!;
  const text = JSON.stringify(changed(release, steps));
  const message = expect.stringContaining(words);
  expect(() => parseRelease(text)).toThrow(expect.objectContaining({ code: "release/broken", message }));
});

const FIELDS = [
  { name: "sex", constraints: { enum: ["F", "M"], required: true } },
  { name: "home", constraints: { enum: ["n", "s", "w"] } },
  { name: "age", type: "integer", constraints: { minimum: 0, maximum: 9, required: true } },
  { name: "pay", type: "integer", constraints: { minimum: 0, maximum: 9999 } },
  { name: "who", standin: { role: "id" } },
];
const ROWS = 30;
const LINES = Array.from(
  { length: ROWS },
  (_, row) => `${row % 3 ? "F" : "M"},${"nsw"[row % 3]},${row % 7},${row},${row % 9}`,
);
const schemaOf = (maxRows: number | undefined) =>
  parseSchema({ fields: FIELDS, ...(maxRows && { standin: { unit: { column: "who", maxRows } } }) });

/** What a run wrote, round by round; empty if there is no plan for its budget. */
async function written(options: PlanOptions, maxRows?: number, rows?: number): Promise<string[]> {
  const schema = schemaOf(maxRows);
  let planned: Plan;
  try {
    planned = plan(schema, options);
  } catch (error) {
    expect(error).toMatchObject({
      code: expect.stringMatching(/^budget\/too-small$|^options\/(rounds|stages|selection)$/),
    });
    return [];
  }
  const texts: string[] = [];
  const table = parseCsv(`sex,home,age,pay,who\n${LINES.join("\n")}\n`, schema);
  const onRound = (begun: object) => {
    texts.push(JSON.stringify(begun));
  };
  const whole = await measure(table, planned, { onRound, rows });
  if (texts.length) await resume(table, parseRelease(texts[0]));
  return [...texts, JSON.stringify(whole)];
}

describe("a release that a run wrote is read back", () => {
  const powers = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true }).map((by) => 10 ** by);
  const amounts = fc.oneof(
    powers(-12, 4).map((rho) => ({ rho })),
    powers(-6, 3).map((epsilon) => ({ epsilon: Math.min(1000, Math.max(1e-6, epsilon)) })),
    fc.constantFrom({ epsilon: 1e-6 }, { epsilon: 1000 }, { rho: 4095 }, { rho: 1e300 }, { rho: 1e-9 }),
  );
  const deltas = fc.oneof(powers(-20, -0.01), fc.constantFrom(5e-324, 1e-300, 1e-9, 0.5, 0.999_999, 1 - 2 ** -53));
  const units = fc.oneof(
    fc.constantFrom({ neighbours: "replace", publicRows: 1 }, { neighbours: "replace", publicRows: 2 ** 30 }),
    fc.constantFrom({ maxRows: 1 }, { maxRows: 2 }, { maxRows: 65_535 }),
    fc.integer({ min: 1, max: 65_535 }).map((maxRows) => ({ maxRows })),
    fc.constant({}),
    fc.constant({}),
  ) as fc.Arbitrary<PlanOptions & { maxRows?: number }>;
  const shapes = fc.oneof(
    fc.constantFrom({ selection: "aim" }, { selection: "none" }, { stages: 1 }, { stages: 2 }, {}),
    fc.record({ selection: fc.constantFrom("max", "l1"), rounds: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ selection: fc.constantFrom("max", "l1"), perRound: fc.integer({ min: 1, max: 3 }) }),
  ) as fc.Arbitrary<PlanOptions>;
  const workloads = fc.constantFrom("1-way", "2-way", "3-way", [["sex", "pay"], ["age"], ["home", "age"]]);

  it("whatever its budget, unit, relation and rounds", async () => {
    let read = 0;
    const one = async (delta: number, amount: object, unit: object, shape: PlanOptions, workload: unknown) => {
      const { maxRows, ...relation }: { maxRows?: number } = unit;
      const texts = await written({ delta, ...amount, ...relation, ...shape, workload } as PlanOptions, maxRows);
      for (const text of texts) expect(again(text)).toBe(text);
      read += texts.length;
    };
    await fc.assert(fc.asyncProperty(deltas, amounts, units, shapes, workloads, one), { numRuns: 100, seed: 1 });
    expect(read).toBeGreaterThan(100);
  });

  it.each([
    [{ rho: 1e-9, delta: 0.5, workload: [["sex"]] }, 1],
    [
      {
        rho: 1e-9,
        delta: 0.5,
        workload: [
          ["sex", "age"],
          ["sex", "home"],
        ],
        selection: "max",
        rounds: 1,
      },
      2,
    ],
    [{ rho: 1e300, selection: "max", rounds: 2, perRound: 2 }, 3],
    [{ epsilon: 1000, delta: 1 - 2 ** -53, workload: "1-way" }, 1],
  ] as [PlanOptions, number][])("at the edge %j", async (options, expected) => {
    const texts = await written(options, undefined, 7);
    expect(texts).toHaveLength(expected);
    for (const text of texts) expect(again(text)).toBe(text);
    expect((await resample(parseRelease(texts[expected - 1]))).table.length).toBe(7);
  });
});

describe("a plan whose release could not be read back", () => {
  const planned = plan(schemaOf(undefined), { epsilon: 1, selection: "max", rounds: 2 });
  const tamper = (ledger: object) =>
    new Plan(
      ...([planned.schema, planned.mechanism, { ...planned.ledger, ...ledger }, planned.problem] as const),
      ...([planned.measured, planned.facts, planned.request] as const),
    );

  it.each([
    [{ unit: { maxRows: 2 } }, /promises to protect a unit other/],
    [{ neighbours: "replace", publicRows: 9 }, /sensitivity is 1; its query, the relation and the unit give 1.41/],
    [{ rho: 0.1 }, /says ρ = 0.1 for ε = 1/],
    [{ items: [...planned.ledger.items, planned.ledger.items[0]] }, /cost more than its budget/],
  ])("is found before anything is spent (%#)", (ledger, message) => {
    expect(() => expectReadable(planned)).not.toThrow();
    expect(() => expectReadable(tamper(ledger))).toThrow(
      expect.objectContaining({ code: "release/unreadable", message: expect.stringMatching(message) }),
    );
  });

  it("is not a plan", () => {
    const check = vi.spyOn(checks, "contradictionOf").mockReturnValue("says one thing");
    try {
      expect(() => plan(planned.schema, { epsilon: 1 })).toThrow(
        /could not be read back: it says one thing\. This is a bug in standin; nothing was spent\. Please report it/,
      );
    } finally {
      check.mockRestore();
    }
  });
});
