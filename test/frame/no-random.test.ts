// Hosts without a secure source of random bytes: standin refuses before anything is charged or read.
import { readFileSync } from "node:fs";
import { afterEach, expect, it, vi } from "vitest";
import { Budget, measure, parseRelease, type Release, resume, StandinError, synthesize } from "../../src/index.js";
import { Folder, synth } from "../cli/cli.js";
import { rejection } from "../files/tables.js";
import { adaptivePlan, key, people } from "./people.js";

const fails = () => {
  throw new Error("the host's own words");
};
/** As on hosts whose generator fails when asked for the key, after the seed. */
const failsLater = () => {
  const real = crypto;
  let asked = 0;
  return { getRandomValues: (array: Uint8Array<ArrayBuffer>) => (asked++ ? fails() : real.getRandomValues(array)) };
};

afterEach(() => {
  vi.unstubAllGlobals();
});

it.each<[string, () => unknown]>([
  ["no crypto", () => undefined],
  ["no getRandomValues", () => ({})],
  ["getRandomValues that throws", () => ({ getRandomValues: fails })],
  ["getRandomValues that throws later", failsLater],
  ["getRandomValues that does nothing", () => ({ getRandomValues: () => {} })],
  ["getRandomValues of zeros", () => ({ getRandomValues: (array: Uint8Array) => array.fill(0) })],
])("%s: nothing is measured, and nothing charged", async (_, made) => {
  const begun: Release[] = [];
  const unsafeNoiseKey = key(3);
  const onRound = (unfinished: Release) => void begun.push(unfinished);
  await measure(people, adaptivePlan(), { unsafeNoiseKey, seed: 1, onRound });
  const unfinished = parseRelease(JSON.stringify(begun[0]));
  const budget = new Budget({ epsilon: 9, delta: 1e-8, neighbours: "add-remove", unit: "row" });
  const plan = adaptivePlan();
  for (const call of [
    () => measure(people, plan, { budget }),
    () => synthesize(people, plan, { budget, rows: 10 }),
    () => resume(people, unfinished),
  ]) {
    vi.stubGlobal("crypto", made());
    // A seed or the first byte may still be drawn.
    const error = await rejection(call());
    vi.unstubAllGlobals();
    expect(error).toBeInstanceOf(StandinError);
    expect(error).toHaveProperty("code", "privacy/no-random");
    expect(error).not.toHaveProperty("cause");
    expect((error as Error).message).toMatch(/^The host provides no secure random bytes.*Run standin where/);
  }
  expect(budget.toJSON().spent).toEqual([]);
});

it("a known key and a seed need no random bytes", async () => {
  vi.stubGlobal("crypto", undefined);
  expect((await measure(people, adaptivePlan(), { unsafeNoiseKey: key(3), seed: 1 })).items).not.toEqual([]);
});

it("the command line says so before it opens the table, and charges no ledger", async () => {
  const folder = new Folder();
  const ledger = JSON.stringify({ epsilon: 3, delta: 1e-8, neighbours: "add-remove", unit: "row", spent: [] });
  folder.write("ledger.json", ledger);
  folder.write("people.csv", "a header that would be refused\n");
  folder.write("no-random.mjs", "crypto.getRandomValues = () => { throw new Error('host'); };");
  const before = "export NODE_OPTIONS='--import ./no-random.mjs'; ";
  const { code, stderr } = await folder.run(synth("--epsilon", "1", "--ledger", "ledger.json"), { before });
  expect(code).toBe(2);
  expect(stderr).toMatch(/no secure random bytes/);
  expect(readFileSync(folder.at("ledger.json"), "utf8")).toBe(ledger);
  expect(folder.names()).not.toContain("out.csv");
});
