// Audits of releases that are made in one go. Without a fault they find nothing; with each of the faults they find
// something. The chance of finding a correct package guilty is one in a million.
import { describe, expect, it } from "vitest";
import * as standin from "../../src/node.js";
import { findings } from "./audit.js";
import { type FaultName, faulty } from "./mutants.js";
import { SCENARIOS } from "./scenarios.js";

const FAULTS: Readonly<Record<string, readonly FaultName[]>> = {
  "at once": ["a tree counted as one partition"],
  "in two stages": ["an interaction at the price of a cell less"],
  "a row replaced in one column": ["a replaced row of an interaction counted once"],
  "rounds to the end": [],
  "aim to the end": [],
  persons: ["a person counted as one row", "all rows of a person kept"],
  "a row replaced": ["a replaced row counted once"],
  "a row replaced, for hdmm": ["a replaced row of an interaction counted once"],
  "records that are cut": ["a missing cell lost where room grows"],
};

describe.each(Object.entries(SCENARIOS))("%s", (name, scenario) => {
  it("nothing is found", { timeout: 300_000 }, async () => {
    expect(await findings(standin, scenario)).toEqual([]);
  });

  const faults: readonly FaultName[] = ["noise of half the scale", "every sensitivity halved", ...FAULTS[name]];
  it.each(faults)("found: %s", { timeout: 300_000 }, async (fault) => {
    expect(await findings(await faulty(fault), scenario)).not.toEqual([]);
  });
});
