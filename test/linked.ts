// Constraints between columns for tests and benches: as the package describes them, as oracles do, and their rows.
import fc from "fast-check";
import type { Scale } from "../src/constraints/scale.js";
import type { CombinationList, LinkedRows, Problem } from "../src/constraints/struct.js";
import type { Instance } from "../src/engine/instance.js";
import type * as Reference from "./reference/row-tests.js";

/** Bytes per stored code, and the one of a missing cell on a grid. */
const WIDTHS = [
  [2, 0xffff],
  [4, 0xffffffff],
  [8, -1],
] as const;

const ARRAYS = { 2: Uint16Array, 4: Uint32Array, 8: Float64Array };
export type Width = keyof typeof ARRAYS;

export interface Group extends Problem {
  readonly scales: readonly Scale[];
  readonly widths: readonly Width[];
}

const grid = fc
  .tuple(
    fc.integer({ min: 1, max: 24 }),
    fc.array(fc.nat(24), { maxLength: 4 }),
    fc.constantFrom(...WIDTHS),
    fc.boolean(),
  )
  .map(([values, cuts, [width, missing], required]) => {
    // Some codes have no points, as some leaves of small trees.
    const starts = Float64Array.from([0, ...cuts.map((cut) => Math.min(cut, values))].sort((a, b) => a - b));
    return { width, common: { codes: starts.length, starts, values, missing: required ? undefined : missing } };
  });
const even = fc
  .tuple(grid, fc.integer({ min: -12, max: 12 }), fc.integer({ min: 1, max: 3 }))
  .map(([{ width, common }, base, step]) => ({
    width: width as Width,
    scale: { ...common, kind: "even", base, step } as Scale,
  }));
const listed = fc
  .tuple(fc.uniqueArray(fc.integer({ min: -12, max: 30 }), { minLength: 1, maxLength: 6 }), fc.boolean())
  .map(([numbers, required]) => {
    const order = [...numbers.keys()].sort((a, b) => numbers[a] - numbers[b]);
    const count = numbers.length;
    const common = { codes: count, starts: undefined, values: count, missing: required ? undefined : count };
    const ascending = Float64Array.from(order, (code) => numbers[code]);
    return {
      width: 2 as Width,
      scale: { ...common, kind: "listed", numbers: ascending, order: Uint32Array.from(order) } as Scale,
    };
  });
const categories = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.boolean()).map(([count, required]) => ({
  width: 2 as Width,
  scale: {
    codes: count,
    starts: undefined,
    values: count,
    missing: required ? undefined : count,
    kind: "plain",
  } as Scale,
}));
const plainGrid = grid.map(({ width, common }) => ({
  width: width as Width,
  scale: { ...common, kind: "plain" } as Scale,
}));

/** Three or four columns with numbers, one or two without, and constraints on them. */
export const groups: fc.Arbitrary<Group> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 3, arbitrary: even }, { weight: 1, arbitrary: listed }), {
      minLength: 3,
      maxLength: 4,
    }),
    fc.array(fc.oneof(categories, plainGrid), { minLength: 1, maxLength: 2 }),
  )
  .chain(([numeric, plain]) => {
    const columns = [...numeric, ...plain];
    const places = [...columns.keys()];
    const scales = columns.map(({ scale }) => scale);
    const some = (from: number[], minLength: number, maxLength: number) =>
      fc.shuffledSubarray(from, { minLength, maxLength });
    const list = some(places, 2, 3).chain((chosen) =>
      fc
        .array(fc.tuple(...chosen.map((place) => storedCode(scales[place]))), { minLength: 1, maxLength: 7 })
        .map((combinations) => listOf(scales, chosen, combinations)),
    );
    const numbers = places.slice(0, numeric.length);
    return fc.record({
      scales: fc.constant(scales),
      widths: fc.constant(columns.map(({ width }) => width)),
      orders: fc.array(
        some(numbers, 2, 2).map(([lower, upper]) => [lower, upper] as const),
        { maxLength: 2 },
      ),
      sums: fc.array(some(numbers, 3, numbers.length), { maxLength: 2 }),
      lists: fc.array(list, { maxLength: 2 }),
    });
  });

const storedCode = ({ values, missing }: Scale) =>
  fc.oneof({ weight: 5, arbitrary: fc.nat(values - 1) }, { weight: 1, arbitrary: fc.constant(missing ?? 0) });

function listOf(
  scales: readonly Scale[],
  columns: readonly number[],
  combinations: readonly (readonly number[])[],
): CombinationList {
  const exempt = columns.map((place, at) => {
    const { missing } = scales[place];
    return combinations.some((codes) => codes[at] === missing) ? undefined : missing;
  });
  return { columns, combinations, exempt };
}

/** A group as oracles take it. */
export const forOracle = ({ scales, orders, sums, lists }: Group): Reference.Problem => ({
  columns: scales.map(columnOf),
  orders,
  sums,
  lists,
});

function columnOf(scale: Scale): Reference.Column {
  const { kind, codes, starts, values: count, missing } = scale;
  const codeOf = (stored: number) => (starts ? starts.findLastIndex((start) => start <= stored) : stored);
  const values = Array.from({ length: count }, (_, at): Reference.Value => {
    const stored = kind === "listed" ? scale.order[at] : at;
    const number = kind === "even" ? scale.base + at * scale.step : kind === "listed" ? scale.numbers[at] : undefined;
    return { stored, code: codeOf(stored), number };
  });
  const runs = Array.from({ length: codes }, (_, code): readonly [number, number] => {
    if (!starts) {
      const place = values.findIndex(({ stored }) => stored === code);
      return [place, place];
    }
    const first = Math.min(count - 1, starts[code]);
    return [first, Math.max(first, (starts[code + 1] ?? count) - 1)];
  });
  const step = kind === "even" ? scale.step : Number.POSITIVE_INFINITY;
  if (missing === undefined) return { values, step, missing, runs };
  if (kind !== "plain") return { values, step, missing, runs: [...runs, undefined] };
  return { values: [...values, { stored: missing, code: codes }], step, missing, runs: [...runs, [count, count]] };
}

/**
 * Places stored codes of rows in an engine, one array per column, and the codes that queries see where there are any.
 */
export function placeRows(
  engine: Instance,
  { widths }: Group,
  rows: readonly (readonly number[])[],
  codes?: readonly (readonly number[])[],
): LinkedRows[] {
  return widths.map((width, at) => ({
    stored: engine.place(ARRAYS[width].from(rows.map((row) => row[at]))),
    width,
    modelled: codes && engine.place(Uint16Array.from(codes, (row) => row[at])),
    stream: 40 + at,
  }));
}

/** The stored codes of a column. */
export function storedIn(engine: Instance, { stored, width }: LinkedRows, rows: number): number[] {
  if (width === 2) return [...engine.readU16(stored, rows)];
  return [...(width === 4 ? engine.readU32(stored, rows) : engine.readF64(stored, rows))];
}
