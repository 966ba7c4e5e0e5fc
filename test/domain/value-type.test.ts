// Every value that a schema states is of its field's type: for every type, and every fact that is a value.
import { describe, expect, it } from "vitest";
import { parseSchema } from "../../src/schema/schema.js";
import { rejection } from "../files/tables.js";
import { FACTS, shown, TYPES } from "./types.mjs";

const schemaOf = (field: object, more: object = {}) => ({ fields: [{ name: "age", ...field }], ...more });
const refusal = (source: object) => rejection((async () => parseSchema(source))());

describe.each(TYPES)("%j", (field, values, strays) => {
  it.each(Object.keys(FACTS))("%s", async (fact) => {
    const [stating, code] = FACTS[fact];
    for (const value of fact === "bins" ? [values[1]] : values)
      expect(parseSchema(schemaOf(stating(field, values, value))).attributes).toHaveLength(1);
    for (const stray of strays) {
      const error = await refusal(schemaOf(stating(field, values, stray)));
      expect(error, `${fact}: ${shown(stray)}`).toMatchObject({ code: expect.stringMatching(codeOf(code)) });
      const { message } = error as Error;
      expect(message).toContain('The field "age"');
      expect(message).toContain(`${shown(stray)}`);
      expect(message).toMatch(/(Correct|Write|Give|Take)[^.]*.*\.$/);
    }
  });
});

/**
 * In bounds and edges, a value that is not a number at all has a code of its own. In edges, an invalid date is also an
 * error of bounds.
 */
const codeOf = (code: string) =>
  new RegExp(`^(${["schema/bounds", "schema/bins"].includes(code) ? `${code}|schema/number|schema/bounds` : code})$`);

it("bounds and edges of unordered types are of the type, or refused with it", async () => {
  const field = { type: "boolean", constraints: { minimum: 0 } };
  expect(await refusal(schemaOf(field))).toMatchObject({ code: "schema/bounds" });
  const edges = { constraints: { enum: ["a"] }, standin: { bins: [18] } };
  expect(await refusal(schemaOf(edges))).toMatchObject({
    code: "schema/bins",
    message: 'The field "age" has a bin edge that is not text: 18. Take it out: a string has no order.',
  });
});

it("says what was found, what was expected and what to do", async () => {
  const listed = (type: string, ...categories: unknown[]) => schemaOf({ type, constraints: { enum: categories } });
  expect(await refusal(listed("integer", 18, "young"))).toMatchObject({
    message:
      'The field "age" lists "young", which is not an integer. Correct it or take it out: spellings of missing go into missingValues, and a field of words has the type "string".',
  });
  expect(await refusal(listed("string", "01", 1))).toMatchObject({
    message: 'The field "age" lists 1, which is not text. Write it in quotes, or take it out.',
  });
  expect(await refusal(listed("boolean", "si"))).toMatchObject({
    message: expect.stringContaining(
      'lists "si", which is not one of "false", "False", "FALSE", "0", "true", "True", "TRUE", "1".',
    ),
  });
});

it.each([["missingValues"], ["trueValues"], ["falseValues"]])("%s are texts, whatever they spell", async (member) => {
  const make = (list: unknown[]) =>
    member === "missingValues"
      ? schemaOf({ type: "integer", constraints: { minimum: 0, maximum: 9 } }, { missingValues: list })
      : schemaOf({ type: "boolean", [member]: list });
  expect(parseSchema(make(["x", "-99", "nowhere"])).attributes).toHaveLength(1);
  for (const stray of [-99, null, true, { value: "-99", label: "refused" }, ["x"]])
    expect(await refusal(make(["x", stray]))).toMatchObject({
      code: "schema/list",
      message: expect.stringContaining(`have ${shown(stray)}, which is not text. Write it in quotes`),
    });
});

it("a field left out of the model may be of any type", () => {
  for (const role of ["id", "drop"])
    expect(
      parseSchema(schemaOf({ type: "integer", constraints: { enum: ["young"] }, standin: { role } })),
    ).toBeTruthy();
});

it("listed combinations hold values of their columns' types", async () => {
  const fields = ["a", "b"].map((name) => ({ name, constraints: { enum: ["0", "1"] } }));
  const constraint = (value: unknown) => ({
    fields,
    standin: { constraints: [{ columns: ["a", "b"], allowed: [["0", value]] }] },
  });
  expect(parseSchema(constraint("1")).linked).toHaveLength(1);
  for (const stray of [1, true, ["1"]])
    expect(await refusal(constraint(stray))).toMatchObject({ code: "schema/constraint-value" });
});
