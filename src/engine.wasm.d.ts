// The type of `./engine.wasm` for bundlers of edge runtimes: a compiled module (elsewhere `*.wasm` gives the bytes).
declare const module: WebAssembly.Module;
export default module;
