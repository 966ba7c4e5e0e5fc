// Every file here is what the sources make today: where that is meant to change, node test/vectors/make.mjs writes them anew.
import { expect, it } from "vitest";
import * as standin from "../../src/node.js";
import { expected, job, measuredBy, sha256 } from "./job.mjs";
import { VECTORS } from "./vectors.js";

it.each(VECTORS)("$name: the release and its rows, byte for byte", async (vector) => {
  expect(await job(standin, [vector])).toEqual(await expected([vector]));
});

it.each([2, 4])("all of them by %i threads, and a table that these share", async (threads) => {
  expect(await job(standin, VECTORS, threads)).toEqual(await expected(VECTORS));
  expect(await measuredBy(threads, standin)).toBe(await measuredBy(1, standin));
});

it.each(VECTORS)("$name: the hash is that of the text beside it", async ({ output }) => {
  expect(await sha256(output.csv)).toBe(output.sha256);
});

it("covers every way to measure and to search", () => {
  const named = new Map(VECTORS.map((vector) => [vector.name, vector]));
  const items = (name: string) => named.get(name)!.release.items;
  const kind = (name: string) => {
    const { estimate, search } = named.get(name)!.release;
    return [search.method, estimate];
  };
  expect(items("groups").some(({ groups }) => groups)).toBe(true);
  expect(kind("pairs")).toEqual(["descent", "shrunk"]);
  expect(kind("raw")).toEqual(["descent", "raw"]);
  expect(kind("paper")).toEqual(["paper", "raw"]);
  expect(items("rounds").filter(({ chosen }) => chosen)).toHaveLength(2);
  expect(items("rounds").some(({ columns }) => columns?.length === 3)).toBe(true);
  expect(items("aim").some(({ score }) => score === "aim")).toBe(true);
  expect(items("trees").filter(({ query }) => query === "tree").length).toBeGreaterThan(2);
  expect(items("pairs").some(({ query }) => query === "interaction")).toBe(true);
  const ofPersons = items("persons").filter(({ query }) => query === "marginal");
  expect(ofPersons.every(({ sensitivity }) => sensitivity === 2)).toBe(true);
  expect(named.get("missing")!.output.csv).toMatch(/,NA,|,NA$/m);
});
