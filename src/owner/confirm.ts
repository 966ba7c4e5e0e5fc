import { StandinError } from "../core/errors.js";
import { isObject } from "../notation/validate.js";
import { type Descriptor, parseSchema } from "../schema/schema.js";

/**
 * The same schema, with facts that were read from the rows marked as declared, because someone knows them independently
 * of this table.
 * @param source a proposal, a schema that `parseSchema` has read, or what `parseSchema` reads
 * @param columns the columns whose facts are declared; `undefined` for all facts, including those of the table as a
 *   whole
 * @throws {StandinError} `schema/unknown-column` if there is no such field; `schema/…` if the schema is not valid;
 *   `options/argument` if `columns` is not a list
 * @example
 * const proposal = await nonPrivateProposal(new Blob(["sex\nF\nM\n"]));
 * parseSchema(confirmFacts(proposal)).readFacts; // → []
 */
export function confirmFacts(source: unknown, columns?: readonly string[]): Descriptor {
  if (columns !== undefined && !Array.isArray(columns)) {
    const name = typeof columns === "string" ? columns : "age";
    throw new StandinError(
      "options/argument",
      "The columns are not a list.",
      `Write ${JSON.stringify([name])} for one column.`,
    );
  }
  const schema = parseSchema(descriptorOf(source));
  const stray = columns?.find((name) => !schema.fields.some((field) => field.name === name));
  if (stray !== undefined)
    throw new StandinError(
      "schema/unknown-column",
      `The schema has no field "${stray}".`,
      `It has ${schema.fields.map(({ name }) => JSON.stringify(name)).join(", ")}.`,
    );
  const stated = schema.toJSON();
  return {
    ...(columns ? stated : declared(stated)),
    fields: stated.fields.map((field, at) =>
      !columns || columns.includes(schema.fields[at].name) ? declared(field) : field,
    ),
  };
}

/** The descriptor of a proposal or a schema; anything else as it is. */
function descriptorOf(source: unknown): unknown {
  if (!isObject(source)) return source;
  if (typeof source.toJSON === "function") return source.toJSON();
  return "descriptor" in source && !("fields" in source) ? source.descriptor : source;
}

/** A schema or field with its read facts marked as declared. */
function declared<Holder extends object>(holder: Holder): Holder {
  if (!("standin" in holder) || !isObject(holder.standin)) return holder;
  const { provenance } = holder.standin;
  if (provenance === undefined) return holder;
  const changed = isObject(provenance)
    ? Object.fromEntries(Object.entries(provenance).map(([fact, origin]) => [fact, declaredOrigin(origin)]))
    : declaredOrigin(provenance);
  return { ...holder, standin: { ...holder.standin, provenance: changed } };
}

const declaredOrigin = (origin: unknown) => (origin === "read" ? "declared" : origin);
