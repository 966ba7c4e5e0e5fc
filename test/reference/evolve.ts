import { STREAM_GENERATION } from "../../src/engine/layout.js";
import { crossover } from "./crossover.js";
import { mutation } from "./mutation.js";
import { block } from "./philox.js";
import { changed, lossOf, type Problem } from "./residuals.js";

export interface Generations {
  readonly mutations: number;
  readonly crossovers: number;
  readonly elites: number;
  readonly generations: number;
  readonly tolerance: number;
}

/** The genetic search by definition, with every elite a whole table. Older tables win ties, then earlier candidates. */
export function evolve(problem: Problem, settings: Generations) {
  const rows = problem.codes[0].length;
  const population = settings.mutations + settings.crossovers;
  let elites = [{ codes: problem.codes, loss: lossOf(problem, problem.codes) }];
  let before = elites[0].loss;
  for (let generation = 0; ; ) {
    const tables = elites.map(({ codes }) => codes);
    const candidates = Array.from({ length: population }, (_, index) => {
      const words = block(problem.seed, STREAM_GENERATION, 0, generation * population + index);
      const proposal = index < settings.mutations ? mutation(problem, words) : crossover(problem, words, tables);
      return { proposal, codes: changed(tables[0], ...proposal) };
    })
      .filter(({ proposal: [row, column, value] }) => tables[0][column][row] !== value)
      .map(({ codes }) => ({ codes, loss: lossOf(problem, codes) }));
    elites = [...elites, ...candidates]
      .sort((a, b) => (a.loss < b.loss ? -1 : a.loss > b.loss ? 1 : 0))
      .slice(0, settings.elites);
    generation++;
    const { codes, loss } = elites[0];
    if (generation % rows === 0) {
      if (Number(before - loss) <= settings.tolerance * Number(before))
        return { codes, loss, steps: generation, settled: true };
      before = loss;
    }
    if (generation === settings.generations) return { codes, loss, steps: generation, settled: false };
  }
}
