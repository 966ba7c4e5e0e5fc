import { StandinError } from "../core/errors.js";
import { isObject } from "../notation/validate.js";
import { type Descriptor, parseSchema } from "../schema/schema.js";

/**
 * The same schema, with facts that were read from the rows marked as declared, because someone knows them independently
 * of this table.
 * @param columns the columns whose facts are declared; `undefined` for all facts, including those of the table as a
 *   whole
 * @throws {StandinError} `schema/unknown-column` if there is no such field; `schema/…` if the schema is not valid
 * @example
 * const { descriptor } = await nonPrivateProposal(new Blob(["sex\nF\nM\n"]));
 * parseSchema(confirmFacts(descriptor)).readFacts; // → []
 */
export function confirmFacts(source: unknown, columns?: readonly string[]): Descriptor {
  const schema = parseSchema(source);
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
