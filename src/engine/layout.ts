// Re-exports the engine's own layout files, so there is no second copy to go stale.
export * from "../../assembly/density-layout.js";
export * from "../../assembly/division-layout.js";
export * from "../../assembly/examples-layout.js";
export * from "../../assembly/graphical-layout.js";
export * from "../../assembly/half-spaces-layout.js";
export * from "../../assembly/instructions.js";
export * from "../../assembly/layout.js";
export * from "../../assembly/search-layout.js";
