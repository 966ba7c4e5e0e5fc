import { StandinError } from "../core/errors.js";
import { isObject } from "../notation/validate.js";
import { type Descriptor, parseSchema } from "../schema/schema.js";

/**
 * The same schema, with facts declared that were read from the rows: someone knows them independently of this table.
 * @param columns whose facts; `undefined` for all of them, those of the table as a whole among them
 * @throws {StandinError} `schema/unknown-column` where there is no such field; `schema/…` where the schema is none
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

/** A schema or field whose read facts are declared. */
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
