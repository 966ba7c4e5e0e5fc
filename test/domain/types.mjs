// Types × facts: values that a schema may state for a field of some type, and values that are none of its own.

/** A field of each type; three values of it, ascending where they have an order; and values that are none. */
export const TYPES = [
  [{ type: "string" }, ["a", "01", "1"], [1, true, null, {}, ["a"]]],
  [{ type: "integer" }, [1, "02", 30], ["young", 1.5, "2.5", true, null]],
  [{ type: "number" }, [0.5, "1.50", 20], ["young", "1,5", false, []]],
  [{ type: "year" }, [1999, "2000", 2024], ["young", 1999.5, null]],
  [{ type: "boolean" }, [true, "False", "1"], ["young", 1, null]],
  [{ type: "boolean", trueValues: ["yes"], falseValues: ["no"] }, ["yes", "no", "yes"], [true, "true", 0]],
  [{ type: "date" }, ["2024-01-01", "2024-02-29", "2024-12-31"], ["young", "2023-02-29", 20240101, true]],
  [{ type: "date", format: "%d/%m/%Y" }, ["01/02/2024", "2/2/2024", "03/02/2024"], ["2024-02-01", 2, null]],
  [{ type: "datetime" }, ["2024-01-01T00:00:00", "2024-01-01T12:00:00", "2024-01-02T00:00:00"], ["2024-01-01", 7, {}]],
  [{ type: "time", format: "%H:%M" }, ["06:00", "12:30", "18:00"], ["noon", "24:00", 7]],
];

const constrained = (field, constraints, standin = {}) => ({ ...field, constraints, standin });

/** A field that has no order lists a category, or it could not be modelled. */
const bounded = (field, [first, , last], bounds, standin) => {
  const hasOrder = field.type !== "string" && field.type !== "boolean";
  return constrained(
    field,
    { ...(hasOrder ? { minimum: first, maximum: last } : { enum: [first] }), ...bounds },
    standin,
  );
};

/**
 * The facts that are values of a field's type: for each, the field that states one, and the code of what is said where
 * it is none.
 */
export const FACTS = {
  enum: [(field, _, value) => constrained(field, { enum: [value] }), "schema/enum"],
  other: [(field, values, other) => constrained(field, { enum: [values[0]] }, { other }), "schema/other"],
  minimum: [(field, values, minimum) => bounded(field, values, { minimum }), "schema/bounds"],
  maximum: [(field, values, maximum) => bounded(field, values, { maximum }), "schema/bounds"],
  "a bound beside an enum": [
    (field, values, minimum) => constrained(field, { enum: [values[0]], minimum }),
    "schema/bounds",
  ],
  exclusiveMinimum: [(field, values, value) => bounded(field, values, { exclusiveMinimum: value }), "schema/bounds"],
  exclusiveMaximum: [(field, values, value) => bounded(field, values, { exclusiveMaximum: value }), "schema/bounds"],
  bins: [(field, values, edge) => bounded(field, values, {}, { bins: [edge] }), "schema/bins"],
};

/** The text of a value in an error. */
export const shown = (value) =>
  Array.isArray(value) ? "a list" : typeof value === "object" && value ? "an object" : JSON.stringify(value);
