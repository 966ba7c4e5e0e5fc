// What `standin/owner` has in every runtime (the build adds the main entry's engine): functions whose results only the
// owner of a table may see, because they describe the table without noise. Kept separate, so a program that makes
// stand-ins neither includes nor calls any of them.

export { type ColumnCheck, nonPrivateCheck, type TableCheck } from "./owner/check.js";
export { confirmFacts } from "./owner/confirm.js";
export { nonPrivateProposal, type Proposal, type ProposeOptions } from "./owner/propose.js";
export { type FarQuery, nonPrivateQueryErrors, type QueryErrors } from "./owner/query-errors.js";
export {
  nonPrivateUtility,
  type TargetUtility,
  type TrainedF1,
  type Utility,
  type UtilityOptions,
} from "./owner/utility.js";
