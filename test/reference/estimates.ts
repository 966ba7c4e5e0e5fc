import type { Attribute } from "../../src/domain/attribute.js";
import type { Measurement } from "../../src/queries/measurement.js";
import { chain, chainWeights, dependence, shares } from "./chains.js";
import { coefficients } from "./haar.js";
import { margin, treeBasis } from "./hierarchy.js";
import { interactionEvidence, transposed } from "./interaction.js";
import { fittedMargins } from "./margins.js";
import { alongAxes, shrunkTable } from "./shrinkage.js";
import { nearestCounts } from "./simplex.js";

/** What was measured, of which columns, and of how many rows. */
interface Known {
  readonly measurements: readonly Measurement[];
  readonly attributes: readonly Attribute[];
  readonly total: number;
}

/**
 * The estimated counts of some columns' codes, row-major, from answers without groups. They are what the estimates of
 * the sets with one column fewer imply (for one column: all values alike; for two there are also chains over a third),
 * corrected by what was measured.
 */
export function estimated(
  measurements: readonly Measurement[],
  attributes: readonly Attribute[],
  total: number,
  columns: readonly number[],
): number[] {
  return estimate({ measurements, attributes, total }, columns, false);
}

/** @param alone whether chains are left out */
function estimate(known: Known, columns: readonly number[], alone: boolean): number[] {
  const { attributes, total } = known;
  const axes = columns.map((column) => ({ ...attributes[column], codes: orderedCodes(attributes[column]) }));
  const lower = () => columns.map((_, axis) => estimate(known, columns.toSpliced(axis, 1), false));
  const sizes = axes.map(({ size }) => size);
  const rounds = columns.length === 2 ? 1 : 5;
  const implied = columns.length === 1 ? evenly(axes[0], total) : fittedMargins(sizes, lower(), rounds);
  const told = toldOf(known, columns, implied);
  const chains = columns.length === 2 && !alone ? chainsOf(known, columns) : [];
  const added = (weights: readonly number[]) =>
    implied.map((_, cell) => weights.reduce((sum, weight, at) => sum + weight * chains[at][cell], 0));
  if (!told.length) {
    const chained = added(shares(implied, chains));
    return implied.map((count, cell) => count + chained[cell]);
  }
  const summed = (of: "sums" | "precisions") =>
    implied.map((_, cell) => told.reduce((sum, one) => sum + one[of][cell], 0));
  const noisy = { axes, implied, sums: summed("sums"), precisions: summed("precisions") };
  const inBases = (table: readonly number[]) =>
    alongAxes(axes, table, (line, axis) => coefficients(treeBasis(axes[axis]), line));
  const chained = chains.length ? added(chainWeights(noisy, inBases(implied), chains.map(inBases))) : undefined;
  const shrunk = shrunkTable({ ...noisy, chained });
  return columns.length === 1 ? nearestCounts(shrunk, total) : shrunk;
}

/** What the measurements that contain some columns say about them. */
const toldOf = ({ measurements, attributes }: Known, columns: readonly number[], implied: readonly number[]) =>
  measurements
    .filter(({ query }) => columns.every((column) => query.columns.includes(column)))
    .filter((measurement) => centredOf(measurement).every((column) => columns.includes(column)))
    .map((measurement) => {
      const { query, answers, sigma2 } = measurement;
      if (query.kind !== "interaction") return margin(query, columns, attributes, answers, sigma2);
      const sizes = query.columns.map((column) => attributes[column].size);
      const kept = query.columns.map((column) => columns.includes(column));
      const centred = query.columns.map((column) => centredOf(measurement).includes(column));
      return interactionEvidence({ sizes, kept, centred }, answers, sigma2, implied);
    });

/** The columns along which answers are centred. */
const centredOf = ({ query: { kind, columns, centred } }: Measurement): readonly number[] =>
  kind === "interaction" ? columns.filter((_, axis) => centred?.[axis] ?? true) : [];

/** Whether something was measured of some columns together. */
const isMeasured = (known: Known, columns: readonly number[]): boolean =>
  known.measurements.some(
    (measurement) =>
      columns.every((column) => measurement.query.columns.includes(column)) &&
      centredOf(measurement).every((column) => columns.includes(column)),
  );

/**
 * What chains over third columns imply about the interaction of a pair, where both pairs of the chain were measured and
 * depend on each other. The pairs are estimated without chains if the pair itself was measured.
 */
function chainsOf(known: Known, ends: readonly number[]): number[][] {
  const { attributes, total } = known;
  const oneWays = attributes.map((_, column) => estimate(known, [column], false));
  const isAlone = isMeasured(known, ends);
  return attributes.flatMap((_, third) => {
    const pairs = ends.map((end) => [end, third].sort((a, b) => a - b));
    if (ends.includes(third) || !pairs.every((pair) => isMeasured(known, pair))) return [];
    const isDependent = ([one, other]: number[]) =>
      dependence(tableOf(known, one, other, true), oneWays[one], oneWays[other], total) > 1e-12;
    if (!pairs.every(isDependent)) return [];
    const [left, right] = ends.map((end) => tableOf(known, third, end, isAlone));
    return [
      chain(
        left,
        right,
        oneWays[third],
        ends.map((end) => oneWays[end]),
        total,
      ).flat(),
    ];
  });
}

/** The estimated table of two columns, the first one's codes by lines. */
function tableOf(known: Known, one: number, other: number, alone: boolean): number[][] {
  const cells = estimate(known, [Math.min(one, other), Math.max(one, other)], alone);
  const { size } = known.attributes[Math.max(one, other)];
  const lines = Array.from({ length: cells.length / size }, (_, row) => cells.slice(row * size, (row + 1) * size));
  return one < other ? lines : transposed(lines);
}

const valuesOf = ({ size, missing }: Attribute) => (missing ? size - 1 : size);

const orderedCodes = (axis: Attribute): number =>
  axis.ordered && !axis.tree && valuesOf(axis) > 12 ? valuesOf(axis) : 0;

const evenly = (axis: Attribute, total: number) =>
  Array.from({ length: axis.size }, (_, code) => (code < valuesOf(axis) ? total / valuesOf(axis) : 0));
