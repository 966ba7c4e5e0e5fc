import type { Exports } from "./engine.js";
import type { Instance } from "./instance.js";
import * as layout from "./layout.js";

/** The functions that can be called together, and their numbers. */
export const LISTED = {
  copy: layout.CALL_COPY,
  clear: layout.CALL_CLEAR,
  calibrate: layout.CALL_CALIBRATE,
  measure: layout.CALL_MEASURE,
  score: layout.CALL_SCORE,
  scoreMembers: layout.CALL_SCORE_MEMBERS,
  cubeRoot: layout.CALL_CUBE_ROOT,
  exponential: layout.CALL_EXPONENTIAL,
  answerBlocks: layout.CALL_ANSWER_BLOCKS,
  answerLevels: layout.CALL_ANSWER_LEVELS,
  estimateLevels: layout.CALL_ESTIMATE_LEVELS,
  moveToGroups: layout.CALL_MOVE_TO_GROUPS,
  sumGroups: layout.CALL_SUM_GROUPS,
  scaleGroups: layout.CALL_SCALE_GROUPS,
  sumCounts: layout.CALL_SUM_COUNTS,
  addSquares: layout.CALL_ADD_SQUARES,
  scaleCounts: layout.CALL_SCALE_COUNTS,
  addMargin: layout.CALL_ADD_MARGIN,
  fitMargins: layout.CALL_FIT_MARGINS,
  shrinkTable: layout.CALL_SHRINK_TABLE,
  projectOnSimplex: layout.CALL_PROJECT_ON_SIMPLEX,
  sumAscending: layout.CALL_SUM_ASCENDING,
  mostGroups: layout.CALL_MOST_GROUPS,
  groupCodes: layout.CALL_GROUP_CODES,
  interactionOf: layout.CALL_INTERACTION_OF,
  conditionalCounts: layout.CALL_CONDITIONAL_COUNTS,
  chanceTargets: layout.CALL_CHANCE_TARGETS,
  predictErrors: layout.CALL_PREDICT_ERRORS,
  quotaCodes: layout.CALL_QUOTA_CODES,
  startColumn: layout.CALL_START_COLUMN,
  addShares: layout.CALL_ADD_SHARES,
  targetUnits: layout.CALL_TARGET_UNITS,
  searchTarget: layout.CALL_SEARCH_TARGET,
  drawPoints: layout.CALL_DRAW_POINTS,
  quoteTexts: layout.CALL_QUOTE_TEXTS,
  pointTexts: layout.CALL_POINT_TEXTS,
  contract: layout.CALL_CONTRACT,
  reciprocals: layout.CALL_RECIPROCALS,
  addRowKeys: layout.CALL_ADD_ROW_KEYS,
  dependenceOf: layout.CALL_DEPENDENCE_OF,
  chainInteraction: layout.CALL_CHAIN_INTERACTION,
  fitChains: layout.CALL_FIT_CHAINS,
  weighChains: layout.CALL_WEIGH_CHAINS,
  addChains: layout.CALL_ADD_CHAINS,
  publicRowsTable: layout.CALL_PUBLIC_ROWS_TABLE,
  correctPublicTable: layout.CALL_CORRECT_PUBLIC_TABLE,
  centreCounts: layout.CALL_CENTRE_COUNTS,
  measureCentred: layout.CALL_MEASURE_CENTRED,
} as const satisfies { readonly [Name in keyof Exports]?: number };

/** Those of them that take integers of 64 bits. */
export const WIDE: ReadonlySet<string> = new Set(["calibrate", "measure", "measureCentred", "score", "scoreMembers"]);

/**
 * Calls that are made together, in the order in which they were added (assembly/calls.ts): a host in another language
 * takes longer to call the engine than most calls take.
 */
export class Calls {
  #numbers: number[] = [];
  #arguments: number[] = [];

  constructor(readonly engine: Instance) {}

  /** Adds a call. Returns its place in the list. */
  add<Name extends keyof typeof LISTED>(name: Name, ...values: Parameters<Exports[Name]>): number {
    this.#arguments.push(...(WIDE.has(name) ? halved(values) : (values as number[])));
    return this.#numbers.push(LISTED[name]) - 1;
  }

  /** Makes the calls. @returns OK, or the status of the one that was refused, after which none was made */
  run(): number {
    const { engine } = this;
    return engine.scratch(() => engine.exports.callAll(...this.#place(0), 0));
  }

  /** Makes calls of which none can be refused. @returns what each returned; 0 for nothing */
  results(): Float64Array {
    const { engine } = this;
    return engine.scratch(() => {
      const [calls, count] = this.#place(this.#numbers.length);
      const results = calls - 8 * count;
      engine.exports.callAll(calls, count, results);
      return engine.readF64(results, count);
    });
  }

  /**
   * Places the list, which is empty from then on, after room for so many doubles. Returns where it is, and how many
   * calls it has.
   */
  #place(room: number): [calls: number, count: number] {
    const count = this.#numbers.length;
    const list = new Float64Array(room + count + this.#arguments.length);
    list.set(this.#numbers, room);
    list.set(this.#arguments, room + count);
    this.#numbers = [];
    this.#arguments = [];
    return [this.engine.place(list) + 8 * room, count];
  }
}

const wide = new BigInt64Array(1);
const halves = new Uint32Array(wide.buffer);

/** Arguments with integers of 64 bits as two halves, the lower one first. */
function halved(values: readonly (number | bigint)[]): number[] {
  const words: number[] = [];
  for (const value of values) {
    if (typeof value === "number") words.push(value);
    else {
      wide[0] = value;
      words.push(halves[0], halves[1]);
    }
  }
  return words;
}
