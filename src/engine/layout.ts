// Re-exports the engine's own layout file, so there is no second copy to go stale.
export * from "../../assembly/layout.js";
