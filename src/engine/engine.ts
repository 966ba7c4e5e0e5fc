import type { DensityExports } from "./density-exports.js";
import type { EstimateExports } from "./estimate-exports.js";
import type { GradientExports } from "./gradient-exports.js";

/**
 * The exports of `dist/engine.wasm` (assembly/index.ts). Pointers and counts are u32. Apply `>>> 0` to results that are
 * pointers, and `BigInt.asUintN(64, …)` to results that are u64 (a bigint here).
 */
export interface Exports extends DensityExports, EstimateExports, GradientExports {
  abiVersion(): number;
  // arena
  alloc(bytes: number): number;
  mark(): number;
  rewind(to: number): void;
  clear(pointer: number, bytes: number): void;
  copy(from: number, to: number, bytes: number): void;
  wipe(): void;
  /** Makes several calls (calls.ts). */
  callAll(calls: number, count: number, results: number): number;
  // privacy: accounting
  cksDelta(rho: number, epsilon: number): number;
  cksEpsilon(rho: number, delta: number): number;
  cksRho(epsilon: number, delta: number): number;
  rhoUnits(rho: number): bigint;
  l2Squared(partitions: number, free: number, relation: number, maxRows: number): bigint;
  centredSquared(centred: number, axes: number, relation: number, maxRows: number): bigint;
  scoreSensitivity(
    kind: number,
    partitions: number,
    free: number,
    relation: number,
    maxRows: number,
    scaleBits: number,
  ): bigint;
  calibrate(units: bigint, delta2: bigint, out: number): number;
  selectionRate(units: bigint, delta: bigint, out: number): number;
  // privacy: the vault
  vaultOpen(budget: bigint, relation: number, maxRows: number): number;
  vaultKey(key: number): number;
  vaultClose(): void;
  ledgerSpent(): bigint;
  keepRows(persons: number, rows: number, people: number, scratch: number, keep: number): number;
  measure(counts: number, cells: number, partitions: number, free: number, units: bigint, item: number): number;
  measureCentred(counts: number, cells: number, centred: number, axes: number, units: bigint, item: number): number;
  score(
    counts: number,
    targets: number,
    cells: number,
    kind: number,
    weight: number,
    bias: bigint,
    scaleBits: number,
    out: number,
  ): number;
  scoreMembers(
    counts: number,
    targets: number,
    cells: number,
    members: number,
    places: number,
    count: number,
    kind: number,
    weight: number,
    bias: bigint,
    scaleBits: number,
    out: number,
  ): number;
  select(
    scores: number,
    m: number,
    picks: number,
    law: number,
    kind: number,
    partitions: number,
    free: number,
    scaleBits: number,
    units: bigint,
    item: number,
    scratch: number,
    out: number,
  ): number;
  selectScratch(m: number, picks: number): number;
  vaultBytes(
    queries: number,
    count: number,
    groups: number,
    candidates: number,
    picks: number,
    width: number,
    rows: number,
    persons: number,
    loading: number,
  ): number;
  // privacy: parts of the vault that tests and benches compare with their oracles
  chachaBlocks(key: number, purpose: number, item: number, counter: number, blocks: number, out: number): void;
  expTable(): number;
  proposalBits(p: number, k: number): number;
  drawGaussians(out: number, count: number, p: number, k: number, item: number): number;
  countAccepted(magnitude: bigint, trials: number, p: number, k: number, item: number): number;
  // elementary
  cubeRoot(x: number): number;
  exponential(x: number): number;
  logarithm(x: number): number;
  // philox
  philoxBlock(counter: number, key: number, out: number): void;
  philoxWords(out: number, count: number, seed: number, purpose: number, id: number): void;
  // queries
  keepCodes(column: number, keep: number, rows: number): number;
  capCodes(column: number, rows: number, last: number): void;
  answerBlocks(query: number, blocks: number, count: number, out: number): void;
  answerLevels(query: number, out: number): void;
  centreCounts(query: number, centred: number, counts: number): number;
  halfSpaceMagnitudes(query: number, out: number): void;
  halfSpaceMembers(query: number, place: number, out: number): number;
  estimateLevels(query: number, out: number): void;
  moveToGroups(query: number, grouped: number, maps: number, counts: number, sums: number): void;
  sumGroups(query: number, grouped: number, maps: number, table: number, sums: number): void;
  scaleGroups(query: number, grouped: number, maps: number, table: number, held: number, wanted: number): void;
  addCounts(counts: number, into: number, cells: number): void;
  sumCounts(counts: number, cells: number): number;
  addSquares(counts: number, answers: number, cells: number, scale: number, into: number): void;
  scaleCounts(counts: number, cells: number, scale: number): void;
  countDistance(counts: number, others: number, cells: number): number;
  // constraints
  indexLists(linked: number): void;
  countBroken(linked: number, index: number, rows: number): number;
  findWitness(linked: number, tries: number): number;
  repairRows(linked: number, rows: number): number;
  // schema
  drawPoints(
    out: number,
    width: number,
    codes: number,
    rows: number,
    starts: number,
    count: number,
    points: number,
    missing: number,
    seed: number,
    stream: number,
  ): void;
  // files
  writeId(id: number, value: bigint, out: number): number;
  quoteTexts(texts: number, count: number, delimiter: number, alone: number, out: number): number;
  pointTexts(notation: number, points: number, missing: number, delimiter: number, alone: number, out: number): number;
  recordBytes(writer: number): number;
  writeRecords(writer: number, row: number, rows: number, out: number, end: number): number;
  writeValues(
    spelling: number,
    rows: number,
    type: number,
    minimum: bigint,
    step: bigint,
    divisor: number,
    values: number,
    validity: number,
  ): void;
  writeTexts(spelling: number, first: number, rows: number, offsets: number, texts: number, validity: number): number;
  rankValues(values: number, count: number, order: number, scratch: number): void;
  sumAscending(values: number, count: number, out: number, order: number, scratch: number): void;
  projectOnSimplex(values: number, count: number, total: number, order: number, scratch: number): void;
  mostGroups(query: number, cells: number, least: number): number;
  groupCodes(
    counts: number,
    values: number,
    missing: number,
    ordered: number,
    most: number,
    groups: number,
    scratch: number,
  ): number;
  interactionOf(table: number, first: number, rows: number, second: number, columns: number, total: number): number;
  conditionalCounts(table: number, rows: number, columns: number, transposed: number, out: number): void;
  chanceTargets(expected: number, cells: number, most: number, targets: number): number;
  // selection
  predictError(division: number, picks: number, again: number, tables: number): number;
  predictErrors(
    division: number,
    picks: number,
    first: number,
    count: number,
    left: number,
    steps: number,
    errors: number,
  ): void;
  // genetic
  quotaCodes(
    weights: number,
    groups: number,
    size: number,
    given: number,
    rows: number,
    seed: number,
    column: number,
    codes: number,
    starts: number,
  ): void;
  sampleOrder(order: number, rows: number, seed: number, scratch: number): void;
  takeRows(column: number, order: number, rows: number, out: number, wanted: number): void;
  addShares(answers: number, cells: number, total: number, least: number, into: number): void;
  targetUnits(
    answers: number,
    cells: number,
    total: number,
    least: number,
    rows: number,
    shift: number,
    targets: number,
  ): void;
  startColumn(
    out: number,
    rows: number,
    given: number,
    codes: number,
    starts: number,
    order: number,
    seed: number,
    column: number,
  ): void;
  uniformColumn(out: number, rows: number, size: number, seed: number, column: number): void;
  searchBytes(queries: number, count: number, width: number, rows: number): number;
  searchOpen(queries: number, count: number, width: number, rows: number, shift: number, seed: number): number;
  searchColumns(search: number): number;
  searchTarget(search: number, index: number, targets: number, counts: number): void;
  searchBegin(search: number): void;
  searchEnd(search: number): void;
  searchLoss(search: number): bigint;
  searchSteps(search: number): number;
  searchCandidates(search: number): number;
  searchDelta(search: number, row: number, column: number, value: number): bigint;
  searchMove(search: number, row: number, column: number, value: number): void;
  descentOpen(search: number, tolerance: number, maxSweeps: number): number;
  descend(descent: number, rows: number): number;
  findMoves(search: number, rows: number, count: number, out: number): void;
  searchMap(search: number, out: number): number;
  batchesOpen(search: number, tolerance: number, maxSweeps: number, size: number): number;
  descendInBatches(batches: number, rows: number): number;
  batchDraw(batches: number): number;
  batchMake(batches: number): number;
  evolveOpen(
    search: number,
    mutations: number,
    crossovers: number,
    elites: number,
    generations: number,
    tolerance: number,
  ): number;
  evolve(evolution: number, generations: number): number;
  evolveDraw(evolution: number): number;
  evolveKeep(evolution: number, count: number): number;
  scoreCandidates(search: number, candidates: number, count: number, out: number): void;
  // notation
  decodedText(from: number, to: number, out: number): number;
  trimmedStart(from: number, to: number): number;
  trimmedEnd(from: number, to: number): number;
  readValue(notation: number, from: number, to: number): number;
  readCanonical(notation: number, from: number, to: number, out: number): number;
  readPoint(notation: number, from: number, to: number): number;
  pointBytes(notation: number): number;
  writePoint(notation: number, point: number, out: number): number;
  placePowers(powers: number): void;
  writeDouble(powers: number, number: number, notation: number, out: number): number;
  // files: records and cells of delimited text
  findMarks(from: number, end: number, delimiter: number, out: number): number;
  parserOpen(delimiter: number): number;
  parserText(parser: number, length: number): number;
  parserPush(parser: number, length: number): number;
  parserEnd(parser: number): number;
  parserCells(parser: number): number;
  parserBounds(parser: number): number;
  parserRecords(parser: number): number;
  parserEnds(parser: number): number;
  parserInRecord(parser: number): number;
  parserBegun(parser: number): number;
  parserBegunBytes(parser: number): number;
  parserInQuotes(parser: number): number;
  // files: tables
  lineEnd(from: number, to: number): number;
  recoderOpen(encoding: number): number;
  recode(recoder: number, from: number, to: number, isLast: number, out: number): number;
  markedEncoding(from: number, to: number): number;
  asciiEnd(from: number, to: number): number;
  readerOpen(delimiter: number, width: number, afterReturn: number): number;
  readerColumn(
    reader: number,
    place: number,
    kind: number,
    bytes: number,
    missing: number,
    absent: number,
    otherwise: number,
    notation: number,
    limit: number,
  ): number;
  columnDeclare(column: number, declares: number, texts: number, ends: number, codes: number, count: number): number;
  readerText(reader: number, length: number): number;
  readerPush(reader: number, length: number): number;
  readerEnd(reader: number): number;
  readerInRecord(reader: number): number;
  readerRows(reader: number): number;
  readerShort(reader: number): number;
  readerLong(reader: number): number;
  readerBlank(reader: number): number;
  readerBlock(reader: number, block: number): number;
  readerRestart(reader: number): void;
  readerExtend(reader: number, rows: number): number;
  codeArray(reader: number, place: number, row: number, rows: number, array: number): number;
  columnNumbered(column: number): number;
  columnFresh(column: number): number;
  columnFreshBytes(column: number): number;
  columnForget(column: number): void;
  columnCounts(column: number): number;
  countCode(stored: number, bytes: number, rows: number, code: number): number;
  runsOpen(starts: number, count: number, points: number, missing: number): number;
  modelCodes(runs: number, stored: number, bytes: number, rows: number, last: number, out: number): void;
  // best responses
  responseScratch(width: number, cells: number, literals: number): number;
  bestResponses(
    sizes: number,
    width: number,
    queries: number,
    bytes: number,
    records: number,
    restarts: number,
    scale: number,
    seed: number,
    round: number,
    scratch: number,
    out: number,
    worth: number,
  ): void;
  // owner
  sumExamples(examples: number, size: number, counts: number, squares: number): void;
  logisticGradient(
    examples: number,
    slots: number,
    size: number,
    classes: number,
    weights: number,
    gradient: number,
    scratch: number,
  ): void;
  logisticHits(
    examples: number,
    size: number,
    codes: number,
    classes: number,
    weights: number,
    predicted: number,
    hits: number,
    scratch: number,
  ): void;
  unitValues(
    stored: number,
    bytes: number,
    rows: number,
    last: number,
    missing: number,
    codes: number,
    values: number,
  ): void;
  // graphical models
  contract(contraction: number): void;
  propagate(cliques: number, count: number): void;
  reciprocals(values: number, count: number, out: number): void;
  descendMirror(descent: number, steps: number): number;
  addRowKeys(codes: number, rows: number, stride: number, keys: number): void;
}
