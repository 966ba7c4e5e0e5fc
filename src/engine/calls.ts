import type { Exports } from "./engine.js";
import type { Instance } from "./instance.js";
import * as layout from "./layout.js";

/**
 * The functions that can be called together: the number of each, and a letter for each argument (i is 32 bits, j is 64,
 * d is a double).
 */
export const LISTED = {
  copy: [layout.CALL_COPY, "iii"],
  clear: [layout.CALL_CLEAR, "ii"],
  calibrate: [layout.CALL_CALIBRATE, "jji"],
  measure: [layout.CALL_MEASURE, "iiiiji"],
  score: [layout.CALL_SCORE, "iiiiijii"],
  cubeRoot: [layout.CALL_CUBE_ROOT, "d"],
  exponential: [layout.CALL_EXPONENTIAL, "d"],
  answerBlocks: [layout.CALL_ANSWER_BLOCKS, "iiii"],
  answerLevels: [layout.CALL_ANSWER_LEVELS, "ii"],
  estimateLevels: [layout.CALL_ESTIMATE_LEVELS, "ii"],
  moveToGroups: [layout.CALL_MOVE_TO_GROUPS, "iiiii"],
  sumGroups: [layout.CALL_SUM_GROUPS, "iiiii"],
  scaleGroups: [layout.CALL_SCALE_GROUPS, "iiiiii"],
  sumCounts: [layout.CALL_SUM_COUNTS, "ii"],
  addSquares: [layout.CALL_ADD_SQUARES, "iiidi"],
  scaleCounts: [layout.CALL_SCALE_COUNTS, "iid"],
  addMargin: [layout.CALL_ADD_MARGIN, "iiidiii"],
  fitMargins: [layout.CALL_FIT_MARGINS, "iiiii"],
  shrinkTable: [layout.CALL_SHRINK_TABLE, "iiiiii"],
  projectOnSimplex: [layout.CALL_PROJECT_ON_SIMPLEX, "iidii"],
  sumAscending: [layout.CALL_SUM_ASCENDING, "iiiii"],
  mostGroups: [layout.CALL_MOST_GROUPS, "idd"],
  groupCodes: [layout.CALL_GROUP_CODES, "iiiiiii"],
  interactionOf: [layout.CALL_INTERACTION_OF, "iiiiid"],
  conditionalCounts: [layout.CALL_CONDITIONAL_COUNTS, "iiiii"],
  chanceTargets: [layout.CALL_CHANCE_TARGETS, "iiii"],
  predictError: [layout.CALL_PREDICT_ERROR, "iddd"],
  quotaCodes: [layout.CALL_QUOTA_CODES, "iiiiiiiii"],
  startColumn: [layout.CALL_START_COLUMN, "iiiiiiii"],
  addShares: [layout.CALL_ADD_SHARES, "iiddi"],
  targetUnits: [layout.CALL_TARGET_UNITS, "iiddiii"],
  searchTarget: [layout.CALL_SEARCH_TARGET, "iiii"],
} as const satisfies { readonly [Name in keyof Exports]?: readonly [number: number, types: string] };

const LONG = new BigInt64Array(1);
const DOUBLE = new Float64Array(LONG.buffer);
const WORDS = new Uint32Array(LONG.buffer);

/**
 * Calls that are made together, in the order in which they were added (assembly/calls.ts): a host in another language
 * takes longer to call the engine than most calls take.
 */
export class Calls {
  #words: number[] = [];
  #count = 0;

  constructor(readonly engine: Instance) {}

  /** Adds a call. Returns its place in the list. */
  add<Name extends keyof typeof LISTED>(name: Name, ...values: Parameters<Exports[Name]>): number {
    const [number, types] = LISTED[name];
    this.#words.push(number);
    for (let at = 0; at < types.length; at++) {
      if (types[at] === "i") this.#words.push(values[at] as number);
      else {
        if (types[at] === "j") LONG[0] = values[at] as bigint;
        else DOUBLE[0] = values[at] as number;
        this.#words.push(WORDS[0], WORDS[1]);
      }
    }
    return this.#count++;
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
      const [calls, count] = this.#place(8 * this.#count);
      const results = calls - 8 * count;
      engine.exports.callAll(calls, count, results);
      return engine.readF64(results, count);
    });
  }

  /**
   * Places the list, which is empty from then on, after so many bytes of room. Returns where it begins, and how many
   * calls it has.
   */
  #place(room: number): [calls: number, count: number] {
    const count = this.#count;
    const words = new Uint32Array(room / 4 + this.#words.length);
    words.set(this.#words, room / 4);
    this.#words = [];
    this.#count = 0;
    return [this.engine.place(words) + room, count];
  }
}
