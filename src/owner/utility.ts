import { finished, type Progress, type Watcher } from "../core/progress.js";
import type { Table } from "../core/table.js";
import type { Schema } from "../schema/schema.js";
import { type Classifier, Examples } from "./classifier.js";
import { expectRows } from "./query-errors.js";
import { targetPlaces } from "./target-places.js";

/** How well classifiers do on real rows that were held out. This is `utility` in what `standin evaluate` prints. */
export interface Utility {
  /** These numbers come from the real rows without noise: anyone who sees them learns about the people in the table. */
  readonly private: false;
  /** Rows of the table that was tested on, or of the share of the real table that was held out for it. */
  readonly testRows: number;
  /** How test rows were held out, if no table of them was given. */
  readonly heldOut?: { readonly share: number; readonly seed: number };
  readonly targets: readonly TargetUtility[];
}

/** How well a target is predicted from the columns that are no targets. */
export interface TargetUtility {
  readonly target: string;
  /**
   * Macro F1 on the test rows, 0 to 1, after training on real and on synthetic rows: the mean of the F1 of all classes
   * that are among the test rows or are predicted. `null` if there are no rows to train on, or none to test on. The
   * classifiers are linear: they see what each column says on its own.
   */
  readonly f1: TrainedF1;
  /**
   * The same of classifiers that also see each pair of columns, and so what only two columns together say, such as
   * which of them are alike. Absent where there are no pairs, or so many that training would take long.
   */
  readonly f1WithPairs?: TrainedF1;
  /** The same of always saying the class that most of the real rows to train on have: what is learnt is above this. */
  readonly f1MostFrequent: number | null;
}

/** The macro F1 after training on real rows and after training on synthetic ones, 0 to 1. */
export interface TrainedF1 {
  readonly real: number | null;
  readonly synthetic: number | null;
}

/** The options of `nonPrivateUtility`. */
export interface UtilityOptions extends Watcher {
  /** Real rows that were held out before the synthetic table was made. Without it, a fifth of the real ones. */
  readonly test?: Table;
}

const HELD_OUT = { share: 0.2, seed: 0 };
const [TRAINED, TESTED] = [0, 1];

/**
 * NOT PRIVATE. Trains a logistic regression for each target, once on synthetic and once on real rows, and tests both on
 * real rows that were held out. The result is only for the owner of the real table.
 *
 * The features are all modelled columns that are no targets: one for each category, numbers and moments from 0 at their
 * lower bound to 1 at the upper one, and missing as a category of its own. Classes are a target's categories, or the
 * codes that queries see of its numbers. Rows whose target is missing are left out. The weights have the L2 penalty ½ Σ
 * weight², intercepts none, as in scikit-learn by default. A second pair of classifiers also has a feature for each
 * combination of two columns' categories, or eight ranges of their values.
 *
 * @param targets names of modelled columns
 * @throws {StandinError} `evaluate/target`; `evaluate/empty` if a table has no rows; `schema/other-table`;
 *   `options/argument` if `targets` is not a list
 * @example
 * const schema = parseSchema({
 *   fields: ["x", "y"].map((name) => ({ name, type: "boolean", constraints: { required: true } })),
 * });
 * const real = parseCsv(`x,y\n${"true,true\nfalse,false\n".repeat(20)}`, schema);
 * const { targets } = await nonPrivateUtility(real, real, schema, ["y"]);
 * targets[0].f1; // → { real: 1, synthetic: 1 }
 * targets[0].f1MostFrequent; // → 0.1111111111111111
 */
export async function nonPrivateUtility(
  real: Table,
  synthetic: Table,
  schema: Schema,
  targets: readonly string[],
  { test, ...watcher }: UtilityOptions = {},
): Promise<Utility> {
  const places = targetPlaces(schema, targets);
  expectRows(real, "real");
  expectRows(synthetic, "synthetic");
  if (test) expectRows(test, "test");
  return finished(compared(real, synthetic, test, schema, places), watcher);
}

function* compared(
  real: Table,
  synthetic: Table,
  test: Table | undefined,
  schema: Schema,
  places: readonly number[],
): Generator<Progress, Utility> {
  const opened: Examples[] = [];
  const open = (table: Table) => {
    const examples = new Examples(table, schema, places);
    opened.push(examples);
    return examples;
  };
  try {
    const ofReal = open(real);
    const ofSynthetic = open(synthetic);
    const tested = test ? open(test) : ofReal;
    const part = test ? TRAINED : TESTED;
    if (!test) ofReal.split(HELD_OUT.share, HELD_OUT.seed);
    const pairs = places.map((_, target) => ofReal.canPair(target) && ofSynthetic.canPair(target));
    const of = 2 * (places.length + pairs.filter(Boolean).length);
    let done = 0;
    function* f1After(examples: Examples, target: number, pairs: boolean): Generator<Progress, number | null> {
      const training = examples.trained(target, TRAINED, pairs);
      let step = training.next();
      for (; !step.done; step = training.next()) yield { phase: "train", done, of };
      done++;
      return f1On(tested, step.value, target, part);
    }
    function* f1s(target: number, pairs: boolean): Generator<Progress, TrainedF1> {
      return { real: yield* f1After(ofReal, target, pairs), synthetic: yield* f1After(ofSynthetic, target, pairs) };
    }
    const targets: TargetUtility[] = [];
    for (const [target, place] of places.entries())
      targets.push({
        target: schema.attributes[place].name,
        f1: yield* f1s(target, false),
        ...(pairs[target] && { f1WithPairs: yield* f1s(target, true) }),
        f1MostFrequent: f1OfMostFrequent(ofReal.classCounts(target, TRAINED), tested.classCounts(target, part)),
      });
    const testRows = test ? test.length : Math.round(HELD_OUT.share * real.length);
    return { private: false, testRows, heldOut: test ? undefined : HELD_OUT, targets };
  } finally {
    for (const examples of opened) examples.drop();
  }
}

function f1On(examples: Examples, classifier: Classifier, target: number, part: number): number | null {
  const actual = examples.classCounts(target, part);
  if (!classifier.codes.length || !actual.some((count) => count)) return null;
  const { predicted, hits } = examples.predicted(classifier, target, part);
  return macroF1(actual, predicted, hits);
}

/** @param trained how many rows to train on each class has. @param actual the same of rows to test on */
function f1OfMostFrequent(trained: Uint32Array, actual: Uint32Array): number | null {
  const most = trained.indexOf(Math.max(...trained));
  const rows = actual.reduce((sum, count) => sum + count, 0);
  if (!rows || !trained[most]) return null;
  const only = (count: number) => actual.map((_, code) => (code === most ? count : 0));
  return macroF1(actual, only(rows), only(actual[most]));
}

/**
 * The mean of 2·hits / (actual + predicted) over the classes where that is defined.
 * @param actual how many rows each class has, at least one of all
 * @param predicted how many it is predicted for
 * @param hits how many of them rightly so
 * @internal
 */
export function macroF1(actual: ArrayLike<number>, predicted: ArrayLike<number>, hits: ArrayLike<number>): number {
  let [sum, classes] = [0, 0];
  for (let code = 0; code < actual.length; code++) {
    const both = actual[code] + predicted[code];
    if (!both) continue;
    sum += (2 * hits[code]) / both;
    classes++;
  }
  return sum / classes;
}
