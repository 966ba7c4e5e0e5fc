import { StandinError } from "../core/errors.js";
import { hintForText } from "../core/json.js";
import { VERSION } from "../core/version.js";
import { isObject } from "../notation/validate.js";
import { isName } from "../privacy/budget.js";
import { countsOf, type MeasurementJson, noiseJson } from "../privacy/items.js";
import { NOT_A_FEW, NOT_ITS_COLUMNS } from "../queries/column-set.js";
import type { Measurement } from "../queries/measurement.js";
import { cellsOf, parseQuery } from "../queries/query.js";
import { refined } from "../schema/refine.js";
import { parseSchema, type Schema } from "../schema/schema.js";
import { type ClassCandidates, toldClasses } from "./classes.js";
import { Release, type ReleasedItem, type ReleaseFacts, type Unfinished } from "./release.js";
import { contradictionOf, isNumberOfRows } from "./release-checks.js";

type ReleaseJson = ReturnType<Release["toJSON"]>;
type ItemJson = ReleaseJson["items"][number];

/**
 * Parses release.json. Everything that follows from other parts of it is recomputed and compared: the budget, the
 * guarantee, the sensitivity and the price of every item, and their sum. What a run wrote is always accepted.
 * @throws {StandinError} `release/broken` where it is not a complete release or contradicts itself; `release/version`
 * @example
 * const schema = parseSchema({ fields: [{ name: "sex", type: "string", constraints: { enum: ["F", "M"] } }] });
 * const release = await measure(parseCsv("sex\nF\nM\n", schema), plan(schema, { epsilon: 1 }));
 * parseRelease(JSON.stringify(release)).facts.guarantee?.epsilon; // → 1
 */
export function parseRelease(text: string): Release {
  let json: ReleaseJson;
  try {
    json = JSON.parse(text);
  } catch {
    throw broken("is not JSON", hintForText(String(text), WRITTEN));
  }
  if (typeof json?.standin !== "string" || !Array.isArray(json.items) || !json.items.length)
    throw broken("has no version or no items");
  const stated = parseSchema(json.schema);
  const fine: unknown = json.fine;
  const schema = refined(
    stated,
    stated.attributes.flatMap(({ name }, at) => (Array.isArray(fine) && fine.includes(name) ? [at] : [])),
  );
  const entries = json.items.map((item, at) => parseItem(item, schema, at));
  const { standin, items: _, schema: __, classes, ...rest } = json;
  const facts = { ...rest, ...candidatesIn(classes) };
  const contradiction = contradictionOf(facts, entries, schema);
  if (contradiction) throw broken(contradiction);
  if (facts.unfinished !== undefined) checkUnfinished(facts.unfinished, standin);
  json.items.forEach((item, at) => {
    checkNoise(item, facts, at);
  });
  const release = new Release(schema, entries, facts);
  if (JSON.stringify(classes) !== JSON.stringify(toldClasses(release.classes)))
    throw broken("says of a class of queries what does not follow from its items");
  return release;
}

/** The candidates of each class that the ledger of the classes states, if it states any. */
function candidatesIn(classes: unknown): { candidates?: ClassCandidates } {
  if (!Array.isArray(classes)) return {};
  const counts = classes.flatMap((of: unknown) => (isObject(of) && (of.candidates ?? 0) !== 0 ? [of] : []));
  return counts.length ? { candidates: Object.fromEntries(counts.map((of) => [of.query, of.candidates])) } : {};
}

function parseItem(json: ItemJson, schema: Schema, at: number): ReleasedItem {
  if (json?.kind === "selection" && "chosen" in json && Array.isArray(json.chosen)) {
    const { chosen, ...item } = json;
    return { item, chosen };
  }
  if (json?.kind !== "measurement" || !("answers" in json) || !Array.isArray(json.answers))
    throw broken(`has an item (number ${at + 1}) that is neither a measurement nor a selection`);
  const { answers, noise: _, ...item } = json;
  return { item, measurement: parseMeasurement(item, answers, schema, at) };
}

function parseMeasurement(item: MeasurementJson, answers: readonly number[], schema: Schema, at: number): Measurement {
  const names = Array.isArray(item.columns) ? item.columns : [undefined];
  const columns = names.map((name) => schema.attributes.findIndex((attribute) => attribute.name === name));
  const areInOrder = columns.every((column, axis) => column > (axis > 0 ? columns[axis - 1] : -1));
  const stated = areInOrder ? parseQuery(item, columns, schema) : NOT_A_FEW;
  if (typeof stated === "string") throw broken(`has an item (number ${at + 1}) ${stated}`);
  const cells = cellsOf(stated, schema.attributes);
  const { partitions } = countsOf(stated, schema.attributes);
  if (cells !== answers.length || item.cells !== answers.length || item.partitions !== partitions)
    throw broken(`has an item (number ${at + 1}) ${NOT_ITS_COLUMNS}`);
  if (!answers.every((answer) => answer === (answer | 0)))
    throw broken(`has an item (number ${at + 1}) with answers that are not whole numbers of 32 bits`);
  if (!Number.isFinite(item.sigma2)) throw broken(`has an item (number ${at + 1}) without its noise, sigma2`);
  return { query: stated, answers: Int32Array.from(answers), sigma2: item.sigma2 };
}

/**
 * Refuses a `noise` other than the one that follows from the item's sigma2 and the total: it is recomputed whenever a
 * release is written.
 */
function checkNoise(item: ItemJson, { total, unfinished }: ReleaseFacts, at: number): void {
  if (item.kind === "selection" || !("noise" in item)) return;
  const follows = unfinished ? undefined : JSON.stringify(noiseJson(item, total));
  if (JSON.stringify(item.noise) !== follows)
    throw broken(`has an item (number ${at + 1}) whose noise does not follow from its sigma2 and the total`);
}

function checkUnfinished(unfinished: Unfinished, version: string): void {
  const { request, rows, release, run } = isObject(unfinished) ? unfinished : {};
  if (!isObject(request) || (rows !== undefined && !isNumberOfRows(rows))) throw broken("does not say how to continue");
  if (!(release === undefined && run === undefined) && !(isName(release) && isName(run)))
    throw broken("does not say how a shared budget identifies it");
  if (version !== VERSION)
    throw new StandinError(
      "release/version",
      `This release was started by standin ${version}, but this is ${VERSION}.`,
      "Continue with the version that started it.",
    );
}

const WRITTEN = "Give the release.json that a run of standin wrote.";

function broken(what: string, hint = WRITTEN): StandinError {
  return new StandinError("release/broken", `This file is not a standin release: it ${what}.`, hint);
}
