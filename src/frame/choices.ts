// What a release chose by signed errors, which its rows are made from.
import type { Choices } from "../models/model.js";
import { candidateCount, cellsChosen, signedCellGroups } from "../privacy/candidates.js";
import type { Ledger } from "../privacy/ledger.js";
import { queryOf } from "../queries/query.js";
import type { Schema } from "../schema/schema.js";
import type { ReleasedItem, ReleaseFacts } from "./release.js";

/** The marginals whose cells a plan chooses by signed errors, to be spread among facts. */
export function choiceFacts({ candidates }: Ledger, { attributes }: Schema): Pick<ReleaseFacts, "chosenFrom"> {
  const complements = candidates.filter(({ areComplements }) => areComplements);
  if (!complements.length) return {};
  return { chosenFrom: complements.map(({ query }) => query.columns.map((column) => attributes[column].name)) };
}

/** The numbers chosen in each round. */
const numbersIn = (items: readonly ReleasedItem[]) =>
  items.flatMap((entry) => ("chosen" in entry ? [entry.chosen] : []));

/** The groups of candidates that these marginals have; undefined if one of them is not a marginal of the schema. */
function groupsOf(chosenFrom: ReleaseFacts["chosenFrom"], { attributes }: Schema) {
  if (!Array.isArray(chosenFrom) || !chosenFrom.every(Array.isArray)) return undefined;
  const sets = chosenFrom.map((names: readonly unknown[]) => {
    const columns = names.map((name) => attributes.findIndex((attribute) => attribute.name === name));
    return columns.every((column, axis) => column > (axis ? columns[axis - 1] : -1)) && queryOf(columns, attributes);
  });
  const marginals = sets.flatMap((query) =>
    query && query.kind === "marginal" && query.columns.length ? [query] : [],
  );
  return marginals.length === sets.length ? signedCellGroups(marginals, attributes) : undefined;
}

/** What rounds chose by signed errors, if they did. */
export function choicesIn(
  items: readonly ReleasedItem[],
  { chosenFrom }: Pick<ReleaseFacts, "chosenFrom">,
  schema: Schema,
): { choices?: Choices } {
  const groups = chosenFrom && groupsOf(chosenFrom, schema);
  if (!groups) return {};
  const numbers = numbersIn(items);
  const perRound = numbers[0]?.length ?? 0;
  return { choices: { rounds: numbers.map((chosen) => cellsChosen(groups, chosen)), of: numbers.length, perRound } };
}

/** Whether a release says which cells its choices by signed errors are of, and says so of no others. */
export function areChoicesKnown(
  { chosenFrom }: Pick<ReleaseFacts, "chosenFrom">,
  items: readonly ReleasedItem[],
  schema: Schema,
): boolean {
  const choices = items.flatMap((entry) => ("chosen" in entry ? [entry.item] : []));
  const groups = groupsOf(chosenFrom, schema);
  if (!groups) return chosenFrom === undefined && choices.every(({ score }) => score !== "signed");
  const count = candidateCount(groups);
  return choices.every(({ score, candidates }) => score === "signed" && candidates === count);
}
