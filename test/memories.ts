import { onTestFinished } from "vitest";

/** The memories of the engines that are created from now on, until the test ends. */
export function watchedMemories(): readonly WebAssembly.Memory[] {
  const memories: WebAssembly.Memory[] = [];
  const Original = WebAssembly.Instance;
  class Watched extends Original {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, imports);
      memories.push(this.exports.memory as WebAssembly.Memory);
    }
  }
  WebAssembly.Instance = Watched;
  onTestFinished(() => {
    WebAssembly.Instance = Original;
  });
  return memories;
}
