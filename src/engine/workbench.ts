import { Instance } from "./instance.js";

let shared: Instance | undefined;

/** An instance for small calculations with public facts and noisy answers. It never holds a row. */
export function workbench(): Instance {
  shared ??= new Instance();
  return shared;
}
