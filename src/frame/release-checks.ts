import { isObject } from "../notation/validate.js";
import {
  chargeOfNoise,
  epsilonOf,
  isVariance,
  RHO_MAX,
  RHO_UNIT,
  rhoOf,
  scoreSensitivity,
  squaredSensitivity,
  unitJson,
  unitsOf,
} from "../privacy/accounting.js";
import {
  countsOf,
  type MeasurementJson,
  SCORES,
  type SelectionJson,
  type SensitivityTerms,
  scoreKind,
} from "../privacy/items.js";
import { canHave, classNamed } from "../queries/index.js";
import { scaleOf } from "../queries/interaction.js";
import { comparedColumns } from "../queries/query.js";
import { fineColumns, refined } from "../schema/refine.js";
import { isDelimiter, type Schema } from "../schema/schema.js";
import { areChoicesKnown } from "./choices.js";
import type { ReleasedItem, ReleaseFacts } from "./release.js";

/** The most rows that are made at once. */
export const MOST_ROWS = 1e7;

/** The relative error allowed in ε and ρ: another version may round them differently. */
const ROUNDING = 1e-9;

export const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
export const isNumberOfRows = (value: unknown): value is number => isWhole(value) && value >= 1 && value <= MOST_ROWS;

/**
 * The first statement of a release that does not follow from the rest of it, worded to follow "it"; undefined for any
 * release that a run writes. The facts may be of any type. The items must already agree with their queries in structure
 * and number of answers. Every plan is checked with this function before anything is spent, so that no release is begun
 * that could not be read back.
 */
export function contradictionOf(
  facts: ReleaseFacts,
  items: readonly ReleasedItem[],
  schema: Schema,
): string | undefined {
  return (
    factsContradiction(facts, schema) ??
    fineContradiction(facts, items, schema) ??
    budgetContradiction(facts) ??
    promiseContradiction(facts, schema) ??
    relationContradiction(facts, schema) ??
    candidatesContradiction(facts, items) ??
    (areChoicesKnown(facts, items, schema) ? undefined : "does not say which cells were chosen from") ??
    itemsContradiction(facts, items, schema)
  );
}

/** Checks the facts that do not affect any price. */
function factsContradiction(facts: ReleaseFacts, schema: Schema): string | undefined {
  const { mechanism, auto, estimate, stages, target, publicTable, columns, delimiter, total, rows, search } = facts;
  const kept = new Set(schema.fields.filter(({ role }) => role !== "drop").map(({ name }) => name));
  if (!Array.isArray(columns) || !columns.every((name) => kept.delete(name)))
    return "lists a column twice, or one that its schema does not keep";
  if (schema.attributes.some(({ name }) => !columns.includes(name)))
    return "lacks a modelled column in its list of columns";
  if (typeof estimate !== "string") return "does not say what its rows match";
  if (typeof mechanism !== "string") return "names no mechanism";
  if (auto !== undefined && typeof auto !== "string") return "does not say why its mechanism was picked";
  if (stages !== undefined && stages !== 1 && stages !== 2) return "has a number of stages other than 1 or 2";
  if (target !== undefined && !schema.attributes.some(({ name }) => name === target))
    return "names a target that its schema does not model";
  if (publicTable !== undefined && !isPublicTable(publicTable)) return "does not say which public table it used";
  if (!isDelimiter(delimiter)) return "names no delimiter";
  if (!(Number.isFinite(total) && Math.abs(total) < 2 ** 53)) return "has no total";
  if (!isNumberOfRows(rows)) return "has no number of rows from 1 to 10,000,000";
  if (!(isWhole(search?.seed) && search.seed < 2 ** 32)) return "has no search seed";
}

/** Checks that the columns said to have fine codes can have them, and that those whose items need them do. */
function fineContradiction({ fine }: ReleaseFacts, items: readonly ReleasedItem[], schema: Schema): string | undefined {
  const queries = items.flatMap((entry) => ("measurement" in entry ? [entry.measurement.query] : []));
  const needed = fineColumns(refined(schema, comparedColumns(queries)));
  const stated = fine ?? [];
  const isStated = JSON.stringify(stated) === JSON.stringify(fineColumns(schema));
  if (!isStated || fine?.length === 0 || needed.some((name) => !stated.includes(name)))
    return "does not say which columns are compared with thresholds";
}

const isPublicTable = (given: unknown): boolean =>
  isObject(given) &&
  Object.keys(given).length === 2 &&
  isWhole(given.rows) &&
  given.rows >= 1 &&
  typeof given.fingerprint === "string" &&
  /^[0-9a-f]{16}$/.test(given.fingerprint);

function budgetContradiction({ neighbours, epsilon, delta, rho }: ReleaseFacts): string | undefined {
  const isRelation = neighbours === "add-remove" || neighbours === "replace";
  const isBudget = isAbove0(rho) && (epsilon === 0 || isAbove0(epsilon)) && isAbove0(delta) && delta < 1;
  if (!isRelation || !isBudget) return "does not say what its budget is";
  // One of them was requested, and the other followed from it. ε is 0 where δ alone already covers ρ; a requested ρ is
  // clamped.
  const follows = isClose(rho, rhoOf(epsilon, delta)) || (rho <= RHO_MAX && isClose(epsilon, epsilonOf(rho, delta)));
  if (!follows) return `says ρ = ${rho} for ε = ${epsilon} and δ = ${delta}, which give ρ = ${rhoOf(epsilon, delta)}`;
}

function promiseContradiction(facts: ReleaseFacts, schema: Schema): string | undefined {
  const { guarantee, noGuarantee, epsilon, delta, neighbours } = facts;
  if (guarantee === null) {
    if (typeof noGuarantee !== "string" || !noGuarantee) return "promises nothing and does not say why";
    return undefined;
  }
  if (!isObject(guarantee)) return "makes no promise that can be understood";
  if (noGuarantee !== undefined) return "promises something and also says why it promises nothing";
  if (schema.readFacts.length)
    return `promises something although facts of its schema were read from the rows: ${schema.readFacts.join(", ")}`;
  if (guarantee.epsilon !== epsilon || guarantee.delta !== delta || guarantee.neighbours !== neighbours)
    return "promises something other than its budget gives";
  const unit = unitJson(schema.unit);
  const isUnit = unit === "row" ? guarantee.unit === unit : rowsOf(guarantee.unit) === unit.maxRows;
  if (!isUnit) return "promises to protect a unit other than the one its schema states";
}

const rowsOf = (unit: unknown): unknown => (isObject(unit) ? unit.maxRows : undefined);

function relationContradiction({ neighbours, publicRows, total }: ReleaseFacts, { unit }: Schema): string | undefined {
  if (neighbours === "add-remove")
    return publicRows === undefined ? undefined : "declares a number of rows, which add-remove keeps private";
  if (unit !== "row") return "has the relation replace, which is not for persons of several rows";
  if (!(isWhole(publicRows) && publicRows >= 1 && publicRows <= 2 ** 30 && publicRows === total))
    return "has the relation replace, but its total is not its declared number of rows";
}

function candidatesContradiction({ candidates }: ReleaseFacts, items: readonly ReleasedItem[]): string | undefined {
  if (candidates === undefined) return undefined;
  const counts: readonly unknown[] = Object.values(candidates);
  const sum = counts.reduce((sum: number, count) => sum + Number(count), 0);
  const choice = items.find((entry) => "chosen" in entry);
  const areKnown = Object.keys(candidates).every((name) => classNamed(name));
  if (!areKnown || !counts.every(isWhole) || (choice && choice.item.candidates !== sum))
    return "does not say of which classes its candidates are";
}

function itemsContradiction(
  { neighbours, rho }: ReleaseFacts,
  items: readonly ReleasedItem[],
  schema: Schema,
): string | undefined {
  const terms: SensitivityTerms = { schema, neighbours, unit: schema.unit };
  const seen: SelectionHistory = { gone: new Set(), first: undefined };
  let sum = 0n;
  for (const [at, entry] of items.entries()) {
    let price: bigint | string;
    if ("chosen" in entry) {
      price = selectionCharge(entry, measuredAfter(items, at), seen, rho, terms);
      seen.first ??= entry.item;
      for (const number of entry.chosen) seen.gone.add(number);
    } else price = measurementCharge(entry, terms);
    if (typeof price === "string") return `has an item (number ${at + 1}) ${price}`;
    sum += price;
  }
  if (sum > unitsOf(rho))
    return `has items that cost more than its budget: ρ = ${Number(sum) * RHO_UNIT} in total, of ρ = ${rho}`;
}

type Measured = Extract<ReleasedItem, { measurement: unknown }>;
type Selected = Extract<ReleasedItem, { chosen: unknown }>;

/** The earlier selections that a selection is compared with. */
interface SelectionHistory {
  /** The candidates chosen earlier. */
  readonly gone: Set<number>;
  first: SelectionJson | undefined;
}

/** The measurements between a selection and the next one. */
function measuredAfter(items: readonly ReleasedItem[], at: number): readonly Measured[] {
  const measured: Measured[] = [];
  for (let next = at + 1; next < items.length; next++) {
    const entry = items[next];
    if (!("measurement" in entry)) break;
    measured.push(entry);
  }
  return measured;
}

/** The charge for a measurement, in ledger units, or an error worded to follow "an item". */
function measurementCharge({ item, measurement }: Measured, terms: SensitivityTerms): bigint | string {
  const { neighbours, unit, schema } = terms;
  const { free, sensitivity, rho }: MeasurementJson = item;
  const { query, sigma2 } = measurement;
  const structure = countsOf(query, schema.attributes);
  if (free !== structure.free) return "whose free predicates are not those of its query";
  if ((item.scale === undefined ? 1 : item.scale) !== scaleOf(structure)) return "whose scale is not that of its query";
  const delta2 = squaredSensitivity(structure, neighbours, unit);
  const follows = Math.sqrt(Number(delta2));
  if (sensitivity !== follows)
    return `whose sensitivity is ${said(sensitivity)}; its query, the relation and the unit give ${follows}`;
  if (!isVariance(sigma2)) return `whose sigma2 is ${sigma2}, a variance that noise cannot have`;
  const charge = chargeOfNoise(delta2, sigma2);
  const price = Number(charge) * RHO_UNIT;
  return rho === price ? charge : `whose rho is ${said(rho)}; its noise costs ${price}`;
}

/** The same for a selection, in the context of the whole release. */
function selectionCharge(
  { item, chosen }: Selected,
  after: readonly Measured[],
  { gone, first = item }: SelectionHistory,
  budget: number,
  { schema, neighbours, unit }: SensitivityTerms,
): bigint | string {
  const { score, law, candidates, picks, partitions, free, sensitivity, rho }: SelectionJson = item;
  const isCandidate = (number: unknown) => isWhole(number) && isWhole(candidates) && number < candidates;
  if (!(isWhole(picks) && picks >= 1 && chosen.length === picks && chosen.every(isCandidate)))
    return "that chose something other than its own candidates";
  if (!SCORES.includes(score)) return "that chose by an unknown score";
  if (law !== undefined && law !== "replacement" && law !== "permute-and-flip") return "that chose by an unknown law";
  // AIM measures again what it has already measured, and nothing is measured of what is chosen by its sign.
  const isOpen = score === "aim" || score === "signed";
  const isTwice = law !== "replacement" && new Set(chosen).size < picks;
  if (isTwice || (!isOpen && chosen.some((number) => gone.has(number)))) return "that chose a candidate twice";
  const isAsFirst = first.partitions === partitions && first.free === free;
  if (first.candidates !== candidates || first.score !== score || first.law !== law || !isAsFirst)
    return "that did not choose from the same candidates as the selection before it";
  const measured = after.slice(-picks);
  if (score !== "signed" && measured.length < picks) return "whose choices were not measured";
  // Choices compare tables, which may then be measured centred.
  const isLess = (entry: Measured) => {
    const { centred: _, ...chosen } = countsOf(entry.measurement.query, schema.attributes);
    const [most, change] = [{ partitions, free }, chosen].map((structure) =>
      squaredSensitivity(structure, neighbours, unit),
    );
    return most < change;
  };
  if (!canHave(partitions, free, schema.attributes) || measured.some(isLess))
    return "whose partitions and free predicates are not the most that its candidates have";
  const follows = Number(
    scoreSensitivity({ kind: scoreKind(score), scaleBits: 0 }, partitions, free, neighbours, unit),
  );
  if (sensitivity !== follows)
    return `whose sensitivity is ${said(sensitivity)}; its score, the relation and the unit give ${follows}`;
  const charge = isAbove0(rho) && rho <= budget ? leastCharge(rho, picks) : undefined;
  return charge ?? `whose rho is ${said(rho)}; it must be the cost of ${picks} equal choices within the budget`;
}

/**
 * The smallest number of ledger units that is written as this ρ and divides evenly among the picks; undefined if there
 * is none. Above 2^53, several numbers of units become the same double.
 */
function leastCharge(rho: number, picks: number): bigint | undefined {
  const units = rho / RHO_UNIT;
  if (!Number.isInteger(units)) return undefined;
  const part = BigInt(picks);
  const least = BigInt(units) - (BigInt(units) >> 53n);
  let charge = ((least + part - 1n) / part) * part;
  while (Number(charge) < units) charge += part;
  return Number(charge) === units ? charge : undefined;
}

const isAbove0 = (value: unknown): value is number => Number.isFinite(value) && Number(value) > 0;
const isClose = (said: number, follows: number): boolean => Math.abs(said - follows) <= ROUNDING * follows;
const said = (value: unknown): string => (Number.isFinite(value) ? String(value) : "not a number");
