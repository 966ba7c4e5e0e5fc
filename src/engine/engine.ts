/**
 * What `dist/engine.wasm` exports (assembly/index.ts). Pointers and counts are u32; take results `>>> 0` where they are pointers, and
 * `BigInt.asUintN(64, …)` where they are u64 (a bigint here).
 */
export interface Exports {
  readonly memory: WebAssembly.Memory;
  abiVersion(): number;
  // arena
  alloc(bytes: number): number;
  mark(): number;
  rewind(to: number): void;
  wipe(): void;
  // privacy: accounting
  cksDelta(rho: number, epsilon: number): number;
  cksEpsilon(rho: number, delta: number): number;
  cksRho(epsilon: number, delta: number): number;
  rhoUnits(rho: number): bigint;
  l2Squared(partitions: number, free: number, relation: number, maxRows: number): bigint;
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
  select(
    scores: number,
    m: number,
    picks: number,
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
  // privacy: parts of the vault that tests and benches hold against their oracles
  chachaBlocks(key: number, purpose: number, item: number, counter: number, blocks: number, out: number): void;
  expTable(): number;
  proposalBits(p: number, k: number): number;
  drawGaussians(out: number, count: number, p: number, k: number, item: number): number;
  countAccepted(magnitude: bigint, trials: number, p: number, k: number, item: number): number;
}
