import { expect, it } from "vitest";
import { confirmFacts } from "../../src/owner/confirm.js";
import { parseSchema } from "../../src/schema/schema.js";
import { thrown } from "../files/tables.js";

const SCHEMA = {
  fields: [
    {
      name: "age",
      type: "integer",
      constraints: { minimum: 0, maximum: 99 },
      standin: { provenance: { type: "declared", minimum: "read", maximum: "paid" } },
    },
    { name: "sex", constraints: { enum: ["F", "M"] }, standin: { provenance: "read" } },
    { name: "plan", constraints: { enum: ["A", "B"] } },
  ],
  missingValues: ["NA"],
  standin: { provenance: { missingValues: "read" } },
};
const left = (columns?: string[]) => parseSchema(confirmFacts(SCHEMA, columns)).readFacts;

it("declares the facts of some columns, or all", () => {
  expect(parseSchema(SCHEMA).readFacts).toEqual(["schema: missingValues", "age: minimum", "sex: all facts"]);
  expect(left(["age"])).toEqual(["schema: missingValues", "sex: all facts"]);
  expect(left(["sex", "plan"])).toEqual(["schema: missingValues", "age: minimum"]);
  expect(left([])).toEqual(parseSchema(SCHEMA).readFacts);
  expect(left()).toEqual([]);
});

it("changes nothing else", () => {
  const confirmed = confirmFacts(SCHEMA) as typeof SCHEMA;
  expect(confirmed.fields[0].standin?.provenance).toEqual({ type: "declared", minimum: "declared", maximum: "paid" });
  expect(confirmed.fields[1].standin?.provenance).toBe("declared");
  expect(confirmed.fields[2]).toEqual(SCHEMA.fields[2]);
  expect(parseSchema(confirmed).attributes).toEqual(parseSchema(SCHEMA).attributes);
});

it("refuses a column that does not exist, and an invalid schema", () => {
  const error = thrown(() => confirmFacts(SCHEMA, ["aeg"]));
  expect(error.code).toBe("schema/unknown-column");
  expect(error.message).toMatch(/"aeg".*"age", "sex", "plan"/);
  expect(thrown(() => confirmFacts({})).code).toBe("schema/fields");
});

it("takes a proposal, a schema, or a descriptor", () => {
  for (const source of [{ private: false, descriptor: SCHEMA, notes: [], readFacts: [] }, parseSchema(SCHEMA)])
    expect(confirmFacts(source, ["age"])).toEqual(confirmFacts(SCHEMA, ["age"]));
});

it("refuses columns that are no list, and says what to write", () => {
  const error = thrown(() => confirmFacts(SCHEMA, "age" as unknown as string[]));
  expect(error).toMatchObject({ code: "options/argument", hint: 'Write ["age"] for one column.' });
});

it("asks whether a text that is no JSON is a path", () => {
  expect(thrown(() => confirmFacts("people.schema.json"))).toMatchObject({
    code: "schema/json",
    hint: expect.stringMatching(/path/),
  });
  expect(thrown(() => confirmFacts('{ "fields": ['))).toMatchObject({
    code: "schema/json",
    hint: expect.stringMatching(/commas/),
  });
});
