import { thousands } from "../core/thousands.js";
import type { Field } from "../domain/field.js";
import { wrong } from "../notation/validate.js";
import { type Axis, MOST_NUMBER, numberAxis, placesOf, plainAxis } from "./axis.js";
import type { Constraint } from "./constraints.js";
import { type Bounds, type Problem, Solver } from "./solver.js";

/** Columns that constraints link, directly or through other columns. */
export interface Linked {
  /** Places among the modelled columns, ascending. The lists below are in this order. */
  readonly columns: readonly number[];
  readonly constraints: readonly Constraint[];
  readonly axes: readonly Axis[];
  readonly solver: Solver;
  /** Stored codes that satisfy all of the constraints. */
  readonly witness: readonly number[];
}

/**
 * The largest number of combinations and values tried in the search for one row that satisfies the constraints of
 * linked columns.
 */
const MOST_TRIES = 1_000_000;
/** Middle values make the most ordinary witness. */
const MIDDLE = 2 ** 31;

/**
 * Groups constraints by the columns that they link. For each group it finds values that satisfy all of its constraints
 * with no cell missing, because a constraint that only missing cells can pass is surely a mistake.
 * @param fields the modelled fields
 * @throws {StandinError} `schema/constraint-range` for numbers that cannot be compared exactly;
 *   `schema/constraint-unsatisfiable` if no such values exist, or none were found in a million tries
 */
export function linkColumns(constraints: readonly Constraint[], fields: readonly Field[]): Linked[] {
  return groupsOf(constraints).map((group) => {
    const columns = [...new Set(group.flatMap((constraint) => constraint.columns))].sort((a, b) => a - b);
    const axes = axesOf(columns, group, fields);
    const solver = new Solver(problemOf(columns, axes, group));
    return { columns, constraints: group, axes, solver, witness: witnessOf(columns, axes, solver, group, fields) };
  });
}

/** The constraints in groups that have no column in common. */
function groupsOf(constraints: readonly Constraint[]): Constraint[][] {
  let groups: Constraint[][] = [];
  for (const constraint of constraints) {
    const touched = groups.filter((group) => group.some(({ columns }) => shares(columns, constraint.columns)));
    groups = [...groups.filter((group) => !touched.includes(group)), [...touched.flat(), constraint]];
  }
  return groups;
}

const shares = (some: readonly number[], others: readonly number[]) => some.some((column) => others.includes(column));

function axesOf(columns: readonly number[], group: readonly Constraint[], fields: readonly Field[]): Axis[] {
  const numeric = new Set(
    group.flatMap((constraint) => (constraint.kind === "combinations" ? [] : constraint.columns)),
  );
  const places = Math.max(0, ...[...numeric].map((column) => placesOf(fields[column])));
  const axes = columns.map((column) =>
    numeric.has(column) ? (numberAxis(fields[column], places) ?? beyond(fields[column])) : plainAxis(fields[column]),
  );
  for (const { kind, columns: summed } of group) {
    if (kind !== "sum") continue;
    const most = summed.slice(1).reduce((sum, column) => sum + largest(axes[columns.indexOf(column)]), 0);
    if (most >= MOST_NUMBER) beyond(fields[summed[0]]);
  }
  return axes;
}

/** The largest magnitude of an axis's numbers. */
function largest({ length, number }: Axis): number {
  return length ? Math.max(Math.abs(number(0)), Math.abs(number(length - 1))) : 0;
}

function beyond({ name }: Field): never {
  throw wrong(
    "constraint-range",
    `The constraints on "${name}" would compare or add up numbers of more than 15 digits, decimal places included.`,
    "State a coarser granularity (standin.granularity) or tighter bounds, or take the constraint out.",
  );
}

type OfKind<Kind> = Extract<Constraint, { readonly kind: Kind }>;

const ofKind = <Kind extends Constraint["kind"]>(group: readonly Constraint[], kind: Kind) =>
  group.filter((constraint): constraint is OfKind<Kind> => constraint.kind === kind);

/** The group's constraints in the form that its solver takes. */
function problemOf(columns: readonly number[], axes: readonly Axis[], group: readonly Constraint[]): Problem {
  const placesOf = (constraint: Constraint) => constraint.columns.map((column) => columns.indexOf(column));
  return {
    axes,
    orders: ofKind(group, "order")
      .map(placesOf)
      .map(([lower, upper]) => ({ lower, upper })),
    sums: ofKind(group, "sum")
      .map(placesOf)
      .map(([total, ...parts]) => ({ total, parts })),
    lists: ofKind(group, "combinations").map((constraint) => ({
      columns: placesOf(constraint),
      combinations: constraint.combinations,
    })),
  };
}

function witnessOf(
  columns: readonly number[],
  axes: readonly Axis[],
  solver: Solver,
  group: readonly Constraint[],
  fields: readonly Field[],
): number[] {
  const found = solver.solve(everything(axes), () => MIDDLE, MOST_TRIES);
  if (found) return Array.from(found.first, (position, at) => axes[at].stored(position));
  const alone = group.find(
    (constraint) =>
      !new Solver(problemOf(columns, axes, [constraint])).solve(everything(axes), () => MIDDLE, MOST_TRIES),
  );
  const texts = (alone ? [alone] : group).map(({ text }) => JSON.stringify(text));
  const which = texts.length > 1 ? `the constraints ${texts.join(", ")} together` : `the constraint ${texts[0]}`;
  const involved = alone ? alone.columns : columns;
  throw wrong(
    "constraint-unsatisfiable",
    solver.exhausted
      ? `No row that satisfies ${which} with no cell missing was found in ${thousands(MOST_TRIES)} tries.`
      : `No row can satisfy ${which} with no cell missing: ${involved.map((column) => rangeOf(fields[column])).join(", ")}.`,
    "Correct the constraint, or the bounds, steps and categories of its columns.",
  );
}

const everything = (axes: readonly Axis[]): Bounds => ({
  first: new Float64Array(axes.length),
  last: Float64Array.from(axes, ({ length }) => length - 1),
});

/** The range of a column, for messages. */
function rangeOf({ name, domain, notation }: Field): string {
  if (domain!.kind === "category") return `"${name}" has ${domain!.labels.length} categories`;
  const { minimum, step, scale, points } = domain!;
  const [first, last] = [0, points - 1].map((point) =>
    notation!.write({ units: minimum + BigInt(point) * step, scale }),
  );
  return `"${name}" is ${first} to ${last}`;
}
