// The entry `standin/owner`, for browsers and edge runtimes: what the owner of a table alone may look at, since it tells of the table without
// noise. Kept apart, so that a program that makes stand-ins neither carries nor calls any of it.

export { type ColumnCheck, nonPrivateCheck, type TableCheck } from "./owner/check.js";
export { confirmFacts } from "./owner/confirm.js";
export { nonPrivateProposal, type Proposal, type ProposeOptions } from "./owner/propose.js";
export { nonPrivateQueryErrors, type QueryErrors } from "./owner/query-errors.js";
