// Audits of one round: the choice, and the measurement that follows.
import { describe, expect, it } from "vitest";
import * as standin from "../../src/node.js";
import { findings } from "./audit.js";
import { faulty } from "./mutants.js";
import { CHOICES, roundScenario } from "./scenarios.js";

describe.each(Object.keys(CHOICES))("rounds that choose by %s", (choice) => {
  it("nothing is found", { timeout: 300_000 }, async () => {
    expect(await findings(standin, await roundScenario(standin, choice))).toEqual([]);
  });

  it("found: noise of half the scale", { timeout: 300_000 }, async () => {
    const mutant = await faulty("noise of half the scale");
    const found = await findings(mutant, await roundScenario(mutant, choice));
    expect(found).toContainEqual(expect.stringContaining("times the variance that is paid for"));
  });

  it("found: every sensitivity halved", { timeout: 300_000 }, async () => {
    const mutant = await faulty("every sensitivity halved");
    const found = await findings(mutant, await roundScenario(mutant, choice));
    expect(found).toContainEqual(expect.stringContaining("times the variance that is paid for"));
    expect(found).toContainEqual(expect.stringContaining("The odds of a choice grow"));
  });
});
