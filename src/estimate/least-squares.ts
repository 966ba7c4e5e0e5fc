import { largest } from "../core/largest.js";
import { slices } from "../core/slices.js";
import type { Attribute } from "../domain/attribute.js";
import { Calls } from "../engine/calls.js";
import { Instance } from "../engine/instance.js";
import { centredColumns, scaleOf } from "../queries/interaction.js";
import type { Measurement } from "../queries/measurement.js";
import { type Query, structureOf } from "../queries/query.js";
import { queryWords, writeGrouped } from "../queries/struct.js";
import { Components } from "./components.js";

/** Least-squares answers to a marginal. */
export interface LeastSquares {
  readonly columns: readonly number[];
  readonly answers: Float64Array;
  /** Of each answer. */
  readonly variance: number;
}

/** The most cells that are calculated together, unless a single marginal has more. */
const MOST_CELLS = 1 << 20;

/**
 * The marginals of all sets of columns that were measured, as interactions or as tables of codes, by least squares from
 * all noisy answers. They are consistent with each other and with the number of rows, and may be below 0. Everything
 * within a measured set of columns has to have been measured.
 *
 * A marginal is the sum of its components (components.ts), each of which every cell of it has an even part of.
 * @param total the number of rows, which variances take as known
 */
export function leastSquares(
  measurements: readonly Measurement[],
  attributes: readonly Attribute[],
  total: number,
): LeastSquares[] {
  const sizes = attributes.map(({ size }) => size);
  const told = measurements.map(({ query, answers, sigma2 }) => ({
    ...{ query, columns: query.columns, centred: centredColumns(query), answers },
    sigma2: sigma2 / scaleOf(structureOf(query, attributes)) ** 2,
  }));
  const components = new Components(
    told.map(({ columns }) => columns),
    sizes,
    true,
  );
  const precisions = components.precisions(told);
  const engine = new Instance();
  try {
    const sums = weightedComponents(engine, told, components, attributes);
    const sets = new Map(told.flatMap(({ columns }) => (columns.length ? [[columns.join(), columns] as const] : [])));
    const found: LeastSquares[] = [];
    for (const together of slices([...sets.values()], MOST_CELLS, (columns) => components.cellsOf(columns)))
      for (const [at, answers] of sumsOf(engine, together, components, precisions, sums, total, attributes).entries()) {
        const columns = together[at];
        found.push({ columns, answers, variance: components.variance(columns, precisions) });
      }
    return found;
  } finally {
    engine.drop();
  }
}

type ToldAnswers = Pick<Measurement, "query" | "answers" | "sigma2"> & {
  readonly columns: readonly number[];
  readonly centred: readonly number[];
};

/**
 * Places Σ count ÷ variance of each component, over all measurements that tell it, as a table of its columns. Returns
 * the pointers.
 */
function weightedComponents(
  engine: Instance,
  told: readonly ToldAnswers[],
  components: Components,
  attributes: readonly Attribute[],
): number[] {
  const { sets, sizes } = components;
  const sums = engine.reserve(sets.map((columns) => 8 * components.cellsOf(columns)));
  engine.scratch(() => {
    const most = largest(sets.map((columns) => components.cellsOf(columns)));
    const [nothing, precisions, scratch] = engine.reserve([8 * most, 8 * most, 8 * most]);
    const answers = engine.placeAll(told.map((one) => one.answers));
    const margins = sets.map((columns) => engine.place(queryWords({ kind: "marginal", columns }, attributes)));
    const queries = writeGrouped(
      engine,
      told.map(({ query }) => query),
      attributes,
    );
    const calls = new Calls(engine);
    calls.add("clear", nothing, 8 * most);
    for (const [at, columns] of sets.entries()) calls.add("clear", sums[at], 8 * components.cellsOf(columns));
    for (const [at, { columns, centred, sigma2 }] of told.entries())
      for (const place of components.within(columns, centred)) {
        const part = sets[place];
        const along = columns.map((column) => (part.includes(column) ? sizes[column] : 0));
        // The engine takes answers for those of the component's interaction, in units of which a row has `own`; they
        // are in units of which it has `scale`. With this variance, the sums are in rows ÷ variance.
        const [own, scale] = [part, centred].map((of) => components.cellsOf(of));
        calls.add(
          "addInteraction",
          ...([queries[at].byCode, margins[place], engine.place(Uint32Array.from(along)), answers[at]] as const),
          ...([sigma2 * scale * own, nothing, sums[place], precisions, scratch] as const),
        );
      }
    calls.run();
  });
  return sums;
}

/** The answers of some marginals. */
function sumsOf(
  engine: Instance,
  marginals: readonly (readonly number[])[],
  components: Components,
  precisions: Float64Array,
  sums: readonly number[],
  total: number,
  attributes: readonly Attribute[],
): Float64Array[] {
  return engine.scratch(() => {
    const cells = marginals.map((columns) => components.cellsOf(columns));
    const most = largest(cells);
    const parts = marginals.flatMap((columns, at) =>
      components
        .within(columns)
        .filter((place) => components.degrees[place])
        .map((place) => ({ at, place, query: evenlyOver(columns, components.sets[place], attributes) })),
    );
    const placed = writeGrouped(
      engine,
      parts.map(({ query }) => query),
      attributes,
    );
    const weights = engine.placeAll(parts.map(({ at, place }) => Float64Array.of(1 / (cells[at] * precisions[place]))));
    const [ones, part, spread] = engine.placeAll(new Array(3).fill(new Float64Array(most).fill(1)));
    const tables = engine.placeAll(cells.map((count) => new Float64Array(count).fill(total / count)));
    const calls = new Calls(engine);
    for (const [number, { at, place }] of parts.entries()) {
      const { byCode, groups } = placed[number];
      calls.add("copy", sums[place], part, 8 * components.cellsOf(components.sets[place]));
      calls.add("copy", ones, spread, 8 * cells[at]);
      calls.add("scaleGroups", byCode, ...groups!, spread, ones, part);
      calls.add("addChains", tables[at], spread, 1, cells[at], weights[number]);
    }
    calls.run();
    return engine.readAll(tables, cells, Float64Array);
  });
}

/** A marginal whose cells are grouped by the codes of some of its columns. */
const evenlyOver = (columns: readonly number[], by: readonly number[], attributes: readonly Attribute[]): Query => ({
  ...{ kind: "marginal", columns },
  groups: columns.map((column) => (by.includes(column) ? null : new Array(attributes[column].size).fill(0))),
});
