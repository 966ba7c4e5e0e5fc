// Audits of one round: the choice, and the measurement that follows.
import { describe, expect, it } from "vitest";
import * as standin from "../../src/node.js";
import { findings } from "./audit.js";
import { faulty } from "./mutants.js";
import { CHOICES, roundScenario, signedScenario } from "./scenarios.js";

describe.each(Object.keys(CHOICES))("rounds that choose by %s", (choice) => {
  it("nothing is found", { timeout: 300_000 }, async () => {
    expect(await findings(standin, await roundScenario(standin, CHOICES[choice]))).toEqual([]);
  });

  it("found: noise of half the scale", { timeout: 300_000 }, async () => {
    const mutant = await faulty("noise of half the scale");
    const found = await findings(mutant, await roundScenario(mutant, CHOICES[choice]));
    expect(found).toContainEqual(expect.stringContaining("times the variance that is paid for"));
  });

  it("found: every sensitivity halved", { timeout: 300_000 }, async () => {
    const mutant = await faulty("every sensitivity halved");
    const found = await findings(mutant, await roundScenario(mutant, CHOICES[choice]));
    expect(found).toContainEqual(expect.stringContaining("times the variance that is paid for"));
    expect(found).toContainEqual(expect.stringContaining("The odds of a choice grow"));
  });
});

describe.each([
  ["fem", { mechanism: "fem" }, "every sensitivity halved"],
  ["dual-query", { mechanism: "dual-query" }, "every sensitivity halved"],
  [
    "fem with permute-and-flip",
    { mechanism: "fem", law: "permute-and-flip" },
    "permute-and-flip at the price of the exponential mechanism",
  ],
] as const)("signed choices of %s", (_, options, fault) => {
  it("nothing is found", { timeout: 300_000 }, async () => {
    expect(await findings(standin, await signedScenario(standin, options))).toEqual([]);
  });

  it(`found: ${fault}`, { timeout: 300_000 }, async () => {
    const mutant = await faulty(fault);
    const found = await findings(mutant, await signedScenario(mutant, options));
    expect(found).toContainEqual(expect.stringContaining("The odds of a choice grow"));
  });
});

// What noise there is depends on no mechanism, but what is chosen among does.
describe.each([
  ["max", "mwem-past"],
  ["l1", "pep"],
] as const)("rounds that choose by %s for %s", (selection, mechanism) => {
  const options = { ...CHOICES[selection], mechanism };

  it("nothing is found", { timeout: 300_000 }, async () => {
    expect(await findings(standin, await roundScenario(standin, options))).toEqual([]);
  });

  it("found: every sensitivity halved", { timeout: 300_000 }, async () => {
    const mutant = await faulty("every sensitivity halved");
    const found = await findings(mutant, await roundScenario(mutant, options));
    expect(found).toContainEqual(expect.stringContaining("The odds of a choice grow"));
  });
});
