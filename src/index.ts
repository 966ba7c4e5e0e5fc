// The public surface, the same in every runtime.
export type { EngineName, EngineUse, GpuKernel } from "./core/engines.js";
export { StandinError } from "./core/errors.js";
export type { OnProgress, Progress } from "./core/progress.js";
export type { Table, Value } from "./core/table.js";
export { VERSION } from "./core/version.js";
export { type CsvOptions, type CsvSource, csvStream, parseCsv, type ReadOptions, toCsv } from "./files/csv.js";
export { type MeasureOptions, measure, type ResumeOptions, resume } from "./frame/measure.js";
export type { RowOptions } from "./frame/options.js";
export { type Plan, type PlanOptions, plan } from "./frame/plan.js";
export type { Guarantee, Release } from "./frame/release.js";
export { parseRelease } from "./frame/release-parser.js";
export {
  type ResampleOptions,
  resample,
  type SearchOutcome,
  type SyntheticRelease,
  synthesize,
} from "./frame/resample.js";
export type { Neighbours, Unit } from "./privacy/accounting.js";
export { Budget, type BudgetState, type SharedBudget, type Standing } from "./privacy/budget.js";
export type { ColumnSets, QueryList, Weighted, Workload } from "./queries/workload.js";
export { type Descriptor, type Dialect, parseSchema, type Schema } from "./schema/schema.js";
