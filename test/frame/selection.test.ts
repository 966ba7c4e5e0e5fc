// Choices through the whole frame: rows are searched, compared with the true table in the vault, and chosen from. The
// searched rows are the same in every run, as are the first answers, so the law is known. The test fails for one
// correct mechanism in a million.
import { expect, it } from "vitest";
import { finished } from "../../src/core/progress.js";
import { estimateTotal } from "../../src/estimate/total.js";
import { measure, type Release, resume } from "../../src/index.js";
import { privateGsd } from "../../src/mechanisms/private-gsd.js";
import { cellsOf } from "../../src/queries/query.js";
import { RowAnswers } from "../../src/queries/row-answers.js";
import { modelCodes } from "../../src/schema/encode.js";
import { exponentialLaw } from "../reference/exponential.js";
import { ALPHA, goodnessOfFit } from "../reference/statistics.js";
import { adaptivePlan, key, people, schema } from "./people.js";

const RUNS = 800;
const SEED = 5;

/** Workloads and budgets for which the choice is not certain beforehand. */
const ASKED = {
  max: {
    epsilon: 0.5,
    workload: [
      ["sex", "work"],
      ["work", "home"],
      ["home", "pay"],
    ],
  },
  l1: {
    epsilon: 2,
    workload: [
      ["sex", "pay"],
      ["work", "pay"],
      ["home", "pay"],
    ],
  },
};

/** max|c − t| and Σ|c − t|. */
const distances = {
  max: (errors: number[]) => Math.max(...errors),
  l1: (errors: number[]) => errors.reduce((a, b) => a + b, 0),
};

it.each(["max", "l1"] as const)(
  "the first choice by %s has the exponential mechanism's law",
  { timeout: 300_000 },
  async (selection) => {
    const planned = adaptivePlan({ ...ASKED[selection], selection, rounds: 1 });
    let begun: Release | undefined;
    const whole = measure(people, planned, {
      seed: SEED,
      unsafeNoiseKey: key(1),
      onRound: (unfinished) => {
        begun = unfinished;
      },
    });
    const { item } = (await whole).items[4];
    if (item.kind !== "selection") throw new Error("no selection");

    const counts = [0, 0, 0];
    for (let run = 0; run < RUNS; run++) {
      const entry = (await resume(people, begun!, { unsafeNoiseKey: key(run + 2) })).items[4];
      if ("chosen" in entry) counts[entry.chosen[0]]++;
    }

    const { attributes } = schema;
    const { measurements } = begun!;
    const total = estimateTotal(measurements, attributes);
    const model = privateGsd.model(planned.problem);
    await finished(model.fit({ measurements, total, adaptive: true }, { rows: 2000, seed: SEED + 1 }), {});
    const real = RowAnswers.ofCodes(attributes, modelCodes(people, schema));
    const targets = await model.answers(planned.ledger.candidates.map(({ query }) => query));
    const scores = planned.ledger.candidates.map(({ query }, at) => {
      const [c, t] = [real.of(query), targets[at]];
      return distances[selection](
        Array.from({ length: cellsOf(query, attributes) }, (_, cell) => Math.abs(c[cell] - t[cell])),
      );
    });
    // Adding a row changes the largest error by 1, and a sum of errors by 1 per partition: 5 in the tree on pay.
    const sensitivity = { max: 1, l1: 5 }[selection];
    expect(item.sensitivity).toBe(sensitivity);
    const law = exponentialLaw(scores, Math.sqrt(8 * item.rho), sensitivity);
    expect(Math.max(...law)).toBeLessThan(0.95);
    expect(goodnessOfFit(counts, law)).toBeGreaterThan(ALPHA);
    // Twice the exponent is detected.
    expect(goodnessOfFit(counts, exponentialLaw(scores, 2 * Math.sqrt(8 * item.rho), sensitivity))).toBeLessThan(ALPHA);
  },
);
