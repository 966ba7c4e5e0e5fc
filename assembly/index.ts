// The engine's exports, and nothing else.
import { ABI_VERSION } from "./layout";

export function abiVersion(): i32 {
  return ABI_VERSION;
}
export { callAll } from "./calls";
export { alloc, clear, copy, mark, rewind, wipe } from "./arena";
export { chachaBlocks } from "./privacy/chacha20";
export { expTable } from "./privacy/exp-table";
export { countAccepted, drawGaussians, proposalBits } from "./privacy/discrete-gaussian";
export { calibrate, cksDelta, cksEpsilon, cksRho, rhoUnits, selectionRate } from "./privacy/accounting";
export { centredSquared, l2Squared, scoreSensitivity } from "./privacy/sensitivity";
export { ledgerSpent } from "./privacy/ledger";
export { selectScratch } from "./privacy/exponential";
export { keepRows } from "./privacy/reservoir";
export { score, scoreMembers } from "./privacy/scores";
export { vaultBytes } from "./vault-bytes";
export { measure, measureCentred, select, vaultClose, vaultKey, vaultOpen } from "./privacy/vault";
export { cubeRoot, exponential, logarithm } from "./elementary";
export { philoxBlock, philoxWords } from "./philox";
export { centreCounts } from "./queries/centred";
export { capCodes, keepCodes } from "./queries/codes";
export { halfSpaceMagnitudes, halfSpaceMembers } from "./queries/half-spaces-members";
export { moveToGroups, scaleGroups, sumGroups } from "./queries/groups";
export { answerBlocks } from "./queries/index";
export { addCounts, addSquares, countDistance, scaleCounts, sumCounts } from "./queries/sums";
export { answerLevels, estimateLevels } from "./queries/tree";
export { batchDraw, batchMake, batchesOpen, descendInBatches } from "./genetic/batches";
export { descend, descentOpen } from "./genetic/descent";
export { evolve, evolveDraw, evolveKeep, evolveOpen } from "./genetic/evolve";
export { scoreCandidates } from "./genetic/fitness";
export {
  searchBegin,
  searchBytes,
  searchCandidates,
  searchColumns,
  searchEnd,
  searchLoss,
  searchOpen,
  searchSteps,
  searchTarget,
} from "./genetic/open";
export { searchMap } from "./genetic/map";
export { findMoves } from "./genetic/neighbourhood";
export { quotaCodes } from "./genetic/quotas";
export { sampleOrder, takeRows } from "./genetic/sample";
export { startColumn, uniformColumn } from "./genetic/start";
export { addShares, targetUnits } from "./genetic/targets";
export { searchDelta, searchMove } from "./genetic/residuals";
export { addChains, chainInteraction, dependenceOf, fitChains, weighChains } from "./estimate/chains";
export { chanceTargets } from "./estimate/chance";
export { groupCodes, mostGroups } from "./estimate/grouping";
export { fromHaar, toHaar } from "./estimate/haar";
export { addMargin } from "./estimate/hierarchy";
export { conditionalCounts, interactionOf } from "./estimate/interaction";
export { fitMargins } from "./estimate/margins";
export { correctPublicTable, publicRowsTable } from "./estimate/public-rows";
export { rankValues, sumAscending } from "./estimate/ranking";
export { shrinkTable } from "./estimate/shrinkage";
export { projectOnSimplex } from "./estimate/simplex";
export { soften } from "./estimate/threshold";
export { indexLists } from "./constraints/lists";
export { countBroken } from "./constraints/row-tests";
export { findWitness } from "./constraints/solver";
export { repairRows } from "./constraints/repair";
export { drawPoints } from "./schema/points";
export { lineEnd } from "./files/line-end";
export { asciiEnd, markedEncoding, recode, recoderOpen } from "./files/recode";
export { writeId } from "./files/ids";
export { quoteTexts } from "./files/quotes";
export { pointTexts, recordBytes, writeRecords } from "./files/write-records";
export { writeTexts, writeValues } from "./files/values";
export { decodedText, trimmedEnd, trimmedStart } from "./notation/utf8";
export { readCanonical, readValue } from "./notation/read-value";
export { readPoint } from "./notation/read-point";
export { pointBytes, writePoint } from "./notation/write-point";
export { placePowers, writeDouble } from "./notation/doubles";
export { findMarks } from "./files/marks";
export {
  parserBegun,
  parserBegunBytes,
  parserBounds,
  parserCells,
  parserEnd,
  parserEnds,
  parserInQuotes,
  parserInRecord,
  parserOpen,
  parserPush,
  parserRecords,
  parserText,
} from "./files/parser";
export {
  columnCounts,
  columnDeclare,
  columnForget,
  columnFresh,
  columnFreshBytes,
  columnNumbered,
} from "./files/column";
export { codeArray } from "./files/arrays";
export { countCode } from "./files/count-code";
export { modelCodes, runsOpen } from "./files/model-codes";
export {
  readerBlank,
  readerBlock,
  readerColumn,
  readerEnd,
  readerExtend,
  readerInRecord,
  readerLong,
  readerOpen,
  readerPush,
  readerRestart,
  readerRows,
  readerShort,
  readerText,
} from "./files/rows";
export { predictError, predictErrors } from "./selection/division";
export { logisticGradient, logisticHits, sumExamples } from "./owner/logistic";
export { unitValues } from "./owner/unit-values";
export { bestResponses, responseScratch } from "./best-response/responses";
export { matrixProduct } from "./gradient/matrix-product";
export { softmax, softmaxGradient } from "./gradient/softmax";
export { sparsemax, sparsemaxGradient } from "./gradient/sparsemax";
export { productQueries, productQueriesGradient } from "./gradient/product-queries";
export { sigmoid, sigmoidGradient } from "./gradient/sigmoid";
export { adam } from "./gradient/adam";
export { batchNorm, batchNormGradient } from "./gradient/batch-norm";
export { contract } from "./graphical/contraction";
export { descendMirror } from "./graphical/mirror-descent";
export { propagate, reciprocals } from "./graphical/propagation";
export { addRowKeys } from "./graphical/row-keys";
export { densityPoints, pointCodes } from "./density/density-rows";
export { projectEntropy, projectOne } from "./density/entropy-projection";
export { densityLoss } from "./density/measured";
export { multiplyWeights } from "./density/multiplicative-weights";
export { shrinkAnswers } from "./density/shrunk-answers";
export { densityAnswers, densityOpen, scaleCell, scaleTable } from "./density/weights";
