// Calls that a host makes together: crossing from the host's language to the engine takes longer than many of them.
import {
  CALL_ADD_CHAINS,
  CALL_ADD_MARGIN,
  CALL_ADD_ROW_KEYS,
  CALL_ADD_SHARES,
  CALL_ADD_SQUARES,
  CALL_ANSWER_BLOCKS,
  CALL_ANSWER_LEVELS,
  CALL_CALIBRATE,
  CALL_CENTRE_COUNTS,
  CALL_CHAIN_INTERACTION,
  CALL_CHANCE_TARGETS,
  CALL_CLEAR,
  CALL_CONDITIONAL_COUNTS,
  CALL_CONTRACT,
  CALL_COPY,
  CALL_CORRECT_PUBLIC_TABLE,
  CALL_CUBE_ROOT,
  CALL_DEPENDENCE_OF,
  CALL_DRAW_POINTS,
  CALL_ESTIMATE_LEVELS,
  CALL_EXPONENTIAL,
  CALL_FIT_CHAINS,
  CALL_FIT_MARGINS,
  CALL_GROUP_CODES,
  CALL_INTERACTION_OF,
  CALL_MEASURE,
  CALL_MEASURE_CENTRED,
  CALL_MOST_GROUPS,
  CALL_MOVE_TO_GROUPS,
  CALL_POINT_TEXTS,
  CALL_PREDICT_ERRORS,
  CALL_PROJECT_ON_SIMPLEX,
  CALL_PUBLIC_ROWS_TABLE,
  CALL_QUOTA_CODES,
  CALL_QUOTE_TEXTS,
  CALL_RECIPROCALS,
  CALL_SCALE_COUNTS,
  CALL_SCALE_GROUPS,
  CALL_SCORE,
  CALL_SCORE_MEMBERS,
  CALL_SEARCH_TARGET,
  CALL_SHRINK_TABLE,
  CALL_START_COLUMN,
  CALL_SUM_ASCENDING,
  CALL_SUM_COUNTS,
  CALL_SUM_GROUPS,
  CALL_TARGET_UNITS,
  CALL_WEIGH_CHAINS,
  OK,
} from "./layout";
import { clear, copy } from "./arena";
import { cubeRoot, exponential } from "./elementary";
import { addChains, chainInteraction, dependenceOf, fitChains, weighChains } from "./estimate/chains";
import { chanceTargets } from "./estimate/chance";
import { groupCodes, mostGroups } from "./estimate/grouping";
import { addMargin } from "./estimate/hierarchy";
import { conditionalCounts, interactionOf } from "./estimate/interaction";
import { fitMargins } from "./estimate/margins";
import { correctPublicTable, publicRowsTable } from "./estimate/public-rows";
import { sumAscending } from "./estimate/ranking";
import { shrinkTable } from "./estimate/shrinkage";
import { projectOnSimplex } from "./estimate/simplex";
import { quoteTexts } from "./files/quotes";
import { pointTexts } from "./files/write-records";
import { searchTarget } from "./genetic/open";
import { quotaCodes } from "./genetic/quotas";
import { startColumn } from "./genetic/start";
import { addShares, targetUnits } from "./genetic/targets";
import { contract } from "./graphical/contraction";
import { reciprocals } from "./graphical/propagation";
import { addRowKeys } from "./graphical/row-keys";
import { calibrate } from "./privacy/accounting";
import { score, scoreMembers } from "./privacy/scores";
import { measure, measureCentred } from "./privacy/vault";
import { centreCounts } from "./queries/centred";
import { moveToGroups, scaleGroups, sumGroups } from "./queries/groups";
import { answerBlocks } from "./queries/index";
import { addSquares, scaleCounts, sumCounts } from "./queries/sums";
import { answerLevels, estimateLevels } from "./queries/tree";
import { drawPoints } from "./schema/points";
import { predictErrors } from "./selection/division";

/** Where the next argument is. */
let next: usize = 0;
/** What the last call returned, if it can be refused. */
let status: i32 = OK;

/**
 * Makes calls, one after the other, until one is refused.
 * @param calls f64[]: the number of each call (CALL_…), then the arguments of one after the other; 64-bit integers in
 * two halves, lower first
 * @param count how many there are
 * @param results f64[count]: what each returns, if it is a number other than a status; 0 if nobody wants to know
 * @returns OK, or the status of the call that was refused, after which none was made
 */
export function callAll(calls: usize, count: u32, results: usize): i32 {
  next = calls + (<usize>count << 3);
  status = OK;
  for (let index: u32 = 0; index < count && status == OK; index++) {
    const result = call(<u32>load<f64>(calls + (<usize>index << 3)));
    if (results) store<f64>(results + (<usize>index << 3), result);
  }
  return status;
}

function call(number: u32): f64 {
  switch (number) {
    case CALL_COPY:
      copy(word(), word(), word());
      return 0;
    case CALL_CLEAR:
      clear(word(), word());
      return 0;
    case CALL_CALIBRATE:
      status = calibrate(long(), long(), word());
      return 0;
    case CALL_MEASURE:
      status = measure(word(), word(), word(), word(), long(), word());
      return 0;
    case CALL_MEASURE_CENTRED:
      status = measureCentred(word(), word(), word(), word(), long(), word());
      return 0;
    case CALL_CENTRE_COUNTS:
      status = centreCounts(word(), word(), word());
      return 0;
    case CALL_SCORE:
      status = score(word(), word(), word(), word(), word(), long(), word(), word());
      return 0;
    case CALL_SCORE_MEMBERS:
      status = scoreMembers(word(), word(), word(), word(), word(), word(), word(), word(), long(), word(), word());
      return 0;
    case CALL_CUBE_ROOT:
      return cubeRoot(double());
    case CALL_EXPONENTIAL:
      return exponential(double());
    case CALL_ANSWER_BLOCKS:
      answerBlocks(word(), word(), word(), word());
      return 0;
    case CALL_ANSWER_LEVELS:
      answerLevels(word(), word());
      return 0;
    case CALL_ESTIMATE_LEVELS:
      estimateLevels(word(), word());
      return 0;
    case CALL_MOVE_TO_GROUPS:
      moveToGroups(word(), word(), word(), word(), word());
      return 0;
    case CALL_SUM_GROUPS:
      sumGroups(word(), word(), word(), word(), word());
      return 0;
    case CALL_SCALE_GROUPS:
      scaleGroups(word(), word(), word(), word(), word(), word());
      return 0;
    case CALL_SUM_COUNTS:
      return sumCounts(word(), word());
    case CALL_ADD_SQUARES:
      addSquares(word(), word(), word(), double(), word());
      return 0;
    case CALL_SCALE_COUNTS:
      scaleCounts(word(), word(), double());
      return 0;
    case CALL_ADD_MARGIN:
      addMargin(word(), word(), word(), double(), word(), word(), word());
      return 0;
    case CALL_FIT_MARGINS:
      fitMargins(word(), word(), word(), word(), word());
      return 0;
    case CALL_SHRINK_TABLE:
      shrinkTable(word(), word(), word(), word(), word(), word(), word());
      return 0;
    case CALL_PROJECT_ON_SIMPLEX:
      projectOnSimplex(word(), word(), double(), word(), word());
      return 0;
    case CALL_SUM_ASCENDING:
      sumAscending(word(), word(), word(), word(), word());
      return 0;
    case CALL_MOST_GROUPS:
      return mostGroups(word(), double(), double());
    case CALL_GROUP_CODES:
      return <f64>groupCodes(word(), word(), word() != 0, word() != 0, word(), word(), word());
    case CALL_INTERACTION_OF:
      return interactionOf(word(), word(), word(), word(), word(), double());
    case CALL_CONDITIONAL_COUNTS:
      conditionalCounts(word(), word(), word(), word() != 0, word());
      return 0;
    case CALL_CHANCE_TARGETS:
      return chanceTargets(word(), word(), word(), word());
    case CALL_PREDICT_ERRORS:
      predictErrors(word(), double(), word(), word(), word(), word(), word());
      return 0;
    case CALL_QUOTA_CODES:
      quotaCodes(word(), word(), word(), word(), word(), word(), word(), word(), word());
      return 0;
    case CALL_START_COLUMN:
      startColumn(word(), word(), word(), word(), word(), word(), word(), word());
      return 0;
    case CALL_ADD_SHARES:
      addShares(word(), word(), double(), double(), word());
      return 0;
    case CALL_TARGET_UNITS:
      targetUnits(word(), word(), double(), double(), word(), word(), word());
      return 0;
    case CALL_SEARCH_TARGET:
      searchTarget(word(), word(), word(), word());
      return 0;
    case CALL_DRAW_POINTS:
      drawPoints(word(), word(), word(), word(), word(), word(), double(), double(), word(), word());
      return 0;
    case CALL_QUOTE_TEXTS:
      return <f64>quoteTexts(word(), word(), word(), word() != 0, word());
    case CALL_POINT_TEXTS:
      return <f64>pointTexts(word(), word(), word(), word(), word() != 0, word());
    case CALL_CONTRACT:
      contract(word());
      return 0;
    case CALL_RECIPROCALS:
      reciprocals(word(), word(), word());
      return 0;
    case CALL_ADD_ROW_KEYS:
      addRowKeys(word(), word(), word(), word());
      return 0;
    case CALL_DEPENDENCE_OF:
      return dependenceOf(word(), word(), word(), word(), word(), double());
    case CALL_CHAIN_INTERACTION:
      chainInteraction(
        word(),
        word() != 0,
        word(),
        word() != 0,
        word(),
        word(),
        word(),
        word(),
        word(),
        word(),
        double(),
        word(),
        word(),
      );
      return 0;
    case CALL_FIT_CHAINS:
      fitChains(word(), word(), word(), word(), word(), word(), word(), word());
      return 0;
    case CALL_WEIGH_CHAINS:
      weighChains(word(), word(), word(), word(), word());
      return 0;
    case CALL_ADD_CHAINS:
      addChains(word(), word(), word(), word(), word());
      return 0;
    case CALL_PUBLIC_ROWS_TABLE:
      publicRowsTable(word(), word(), double(), word(), word(), word());
      return 0;
    case CALL_CORRECT_PUBLIC_TABLE:
      correctPublicTable(word(), word(), word(), word(), word(), double(), word());
      return 0;
    default:
      return unreachable();
  }
}

// The next argument.

function word(): u32 {
  return <u32>double();
}

function long(): i64 {
  const low = double();
  return <i64>((<u64>double() << 32) | <u64>low);
}

function double(): f64 {
  const value = load<f64>(next);
  next += 8;
  return value;
}
