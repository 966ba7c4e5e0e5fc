// The entry `standin/owner`, for browsers and edge runtimes: what the owner of a table may look at while a schema is written. Kept apart,
// since a program that makes stand-ins needs none of it.
export { type ColumnCheck, nonPrivateCheck, type TableCheck } from "./files/check.js";
export { confirmFacts } from "./schema/confirm.js";
export { nonPrivateProposal, type Proposal, type ProposeOptions } from "./schema/propose.js";
