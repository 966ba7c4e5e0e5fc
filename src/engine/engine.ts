/** What `dist/engine.wasm` exports (assembly/index.ts). Pointers and counts are u32; take results `>>> 0` where they are pointers. */
export interface Exports {
  readonly memory: WebAssembly.Memory;
  abiVersion(): number;
  // arena
  alloc(bytes: number): number;
  mark(): number;
  rewind(to: number): void;
  wipe(): void;
}
