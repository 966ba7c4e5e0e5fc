// Releases that were changed by hand. Each is either read as it stands or refused with a message.
import { expect, it } from "vitest";
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
import { adaptivePlan, key, people, schema } from "./people.js";

type Json = Record<string, unknown>;
type Path = readonly (string | number)[];

const unsafe = { unsafeNoiseKey: key(1) };

/** A release whose items have groups: a large budget for few rows of many values. */
async function grouped(): Promise<Release> {
  const constraints = { minimum: 0, maximum: 99, required: true };
  const wide = parseSchema({ fields: ["a", "b"].map((name) => ({ name, type: "integer", constraints })) });
  const lines = Array.from({ length: 900 }, (_, row) => `${(row * row) % 100},${(row * 37) % 90}`);
  return measure(parseCsv(`a,b\n${lines.join("\n")}\n`, wide), plan(wide, { rho: 30 }), unsafe);
}

/** A release after its first round of two. */
async function unfinished(options: PlanOptions = {}): Promise<Release> {
  const begun: Release[] = [];
  const onRound = (release: Release) => {
    begun.push(release);
  };
  await measure(people, adaptivePlan({ rounds: 2, ...options }), { onRound });
  return begun[1];
}

const finished = () => measure(people, adaptivePlan({ rounds: 1 }));

const copyOf = (release: Release): Json => JSON.parse(JSON.stringify(release));

/** The paths of a JSON value's parts; of long lists of numbers, the first two and the last. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const names = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const few = names.filter((_, at) => at < 2 || at === names.length - 1 || typeof names[at] === "string");
  const long = names.length > 8 && Array.isArray(value) && typeof value[0] === "number";
  return [path, ...(long ? few : names).flatMap((name) => pathsOf((value as Json)[name], [...path, name]))];
}

/** The JSON with another value in one place. */
function replaced(json: unknown, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by;
  const copy = (Array.isArray(json) ? [...json] : { ...(json as Json) }) as Json;
  copy[name] = replaced(copy[name], rest, by);
  return copy;
}

it("refuses releases that contradict themselves, or could not be resumed", async () => {
  const [whole, begun] = [copyOf(await finished()), copyOf(await unfinished())];
  const choice = (whole.items as Json[]).findIndex(({ kind }) => kind === "selection");
  const changes: [json: Json, path: Path, by: unknown, message: RegExp][] = [
    [whole, ["items", choice, "candidates"], 99.5, /chose something other/],
    [whole, ["guarantee", "epsilon"], 1, /promises something other/],
    [whole, ["guarantee", "delta"], 1e-12, /promises something other/],
    [whole, ["guarantee", "neighbours"], "replace", /promises something other/],
    [whole, ["epsilon"], 1, /for ε = 1 and δ = 1e-9, which give ρ/],
    [whole, ["delta"], 1e-12, /for ε = 2 and δ = 1e-12, which give ρ/],
    [whole, ["delta"], 1.5, /budget is/],
    [whole, ["neighbours"], "some", /budget is/],
    [whole, ["rho"], -1, /budget is/],
    [whole, ["rho"], Number(whole.rho) / 2, /which give ρ/],
    [whole, ["items", 0, "rho"], whole.rho, /its noise costs/],
    [whole, ["items", 0, "rho"], -Number(whole.rho), /its noise costs/],
    [whole, ["items", 4, "rho"], "0.01", /must be the cost of 1 equal choices/],
    [whole, ["items", 0, "cells"], 0, /do not fit its columns/],
    [whole, ["items", 0, "partitions"], null, /do not fit its columns/],
    [whole, ["total"], 1e300, /no total/],
    ...[-5, 0, 0.5, 1e12].map((rows): [Json, Path, unknown, RegExp] => [
      ...([begun, ["unfinished", "rows"], rows, /how to continue/] as const),
    ]),
  ];
  for (const [json, path, by, message] of changes) {
    const text = JSON.stringify(replaced(json, path, by));
    expect(() => parseRelease(text), `${path.join(".")} = ${by}`).toThrow(
      expect.objectContaining({ code: "release/broken", message: expect.stringMatching(message) }),
    );
  }
});

it("accepts every budget that a plan can have", async () => {
  const budgets: PlanOptions[] = [
    ...[{ epsilon: 1e-3 }, { epsilon: 1000 }, { rho: 0.3 }, { rho: 4095 }, { delta: 1e-300 }],
    { neighbours: "replace", publicRows: 400 },
  ].map((options) => ({ ...("rho" in options ? {} : { epsilon: 2 }), ...options }) as PlanOptions);
  for (const options of budgets) {
    const release = await measure(people, plan(schema, options));
    expect(copyOf(parseRelease(JSON.stringify(release)))).toEqual(copyOf(release));
  }
  const all = await unfinished({ selection: "aim", rounds: undefined, epsilon: 5 });
  expect(parseRelease(JSON.stringify(all)).facts.unfinished).toBeDefined();
});

it("refuses an item of more columns than are counted together", async () => {
  const names = [..."abcdefghi"];
  const fields = names.map((name) => ({ name, constraints: { enum: ["a"], required: true } }));
  const narrow = parseSchema({ fields });
  const table = parseCsv(`${names.join()}\n`, narrow);
  const json = copyOf(await measure(table, plan(narrow, { epsilon: 1, workload: "8-way" })));
  const last = (json.items as Json[]).length - 1;
  const text = JSON.stringify(replaced(json, ["items", last, "columns"], names));
  expect(() => parseRelease(text)).toThrow(/not a few modelled columns/);
});

it.each([
  ["of groups", grouped],
  ["of choices", finished],
  ["that is unfinished", unfinished],
])("a release %s is read or refused, whatever replaces a part", { timeout: 120_000 }, async (_, make) => {
  const json = copyOf(await make());
  let read = 0;
  let refused = 0;
  for (const path of pathsOf(json))
    for (const by of [null, 5, "x", [], {}, [5], [{}]]) {
      const text = JSON.stringify(replaced(json, path, by));
      const where = `${path.join(".")} = ${JSON.stringify(by)}`;
      try {
        const release = parseRelease(text);
        if (release.facts.unfinished) await resume(people, release);
        else await resample(release, { rows: 3 });
        parseRelease(JSON.stringify(release));
        read++;
      } catch (error) {
        expect(error, where).toMatchObject({ name: "StandinError" });
        refused++;
      }
    }
  expect(read).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(read);
});
