// The engine's own layout file, as it stands: there is no second copy to go stale.
export * from "../../assembly/layout.js";
