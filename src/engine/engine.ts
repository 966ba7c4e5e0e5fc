/** What `dist/engine.wasm` exports (assembly/index.ts). Pointers and counts are u32; take results `>>> 0` where they are pointers. */
export interface Exports {
  readonly memory: WebAssembly.Memory;
  abiVersion(): number;
  // arena
  alloc(bytes: number): number;
  mark(): number;
  rewind(to: number): void;
  wipe(): void;
  // philox
  philoxBlock(counter: number, key: number, out: number): void;
  philoxWords(out: number, count: number, seed: number, purpose: number, id: number): void;
  // queries
  answerRows(query: number, columns: number, rows: number, out: number): void;
  answerLevels(query: number, out: number): void;
  // genetic
  drawColumn(out: number, quotas: number, size: number, seed: number, column: number): void;
  uniformColumn(out: number, rows: number, size: number, seed: number, column: number): void;
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
  evolveOpen(
    search: number,
    mutations: number,
    crossovers: number,
    elites: number,
    generations: number,
    tolerance: number,
  ): number;
  evolve(evolution: number, generations: number): number;
}
