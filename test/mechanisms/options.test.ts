// The option tables: what derives from them, and what they refuse.
import { describe, expect, it } from "vitest";
import { checkOptions, type OptionTable } from "../../src/core/option-table.js";
import { ALL_OPTIONS, MECHANISM_OPTIONS, mechanismsWith, optionsOf } from "../../src/mechanisms/options.js";
import { mechanismNamed } from "../../src/mechanisms/registry.js";

const TABLE: OptionTable = {
  rounds: { type: "whole", flag: "rounds", value: "T", help: "how many rounds" },
  stages: { type: "whole", choices: [1, 2], flag: "stages", value: "1|2", help: "in how many stages" },
  score: { type: "choice", choices: ["max", "l1"], flag: "score", value: "NAME", help: "by what is chosen" },
  search: { type: "settings", methods: ["descent"], flag: "search", value: "METHOD", help: "how rows are searched" },
};

/** Something that has no text. */
const UNREADABLE = {
  toString() {
    throw new Error("unreadable");
  },
  toJSON: () => 1n,
};

describe("options are checked against their table", () => {
  it("which takes what it states, and what was not given", () => {
    const given = { rounds: 1, stages: 2, score: "l1", search: { method: "descent" } };
    expect(() => checkOptions(TABLE, given)).not.toThrow();
    expect(() => checkOptions(TABLE, { rounds: undefined })).not.toThrow();
  });

  it.each([
    ["rounds", 0, "rounds is 0. Use a whole number of at least 1."],
    ["rounds", 1.5, "rounds is 1.5. Use a whole number of at least 1."],
    ["rounds", "3", 'rounds is the string "3". Use a whole number of at least 1.'],
    ["rounds", 2 ** 60, "rounds is 1152921504606847000. Use a whole number of at least 1."],
    ["stages", 3, "stages is 3. Use 1 or 2."],
    ["score", "best", 'score is "best". Use "max" or "l1".'],
    ["score", null, 'score is null. Use "max" or "l1".'],
    ["score", 1n, 'score is 1. Use "max" or "l1".'],
    ["score", Symbol("max"), 'score is Symbol(max). Use "max" or "l1".'],
    ["score", UNREADABLE, 'score is an object. Use "max" or "l1".'],
    ["rounds", UNREADABLE, "rounds is an object. Use a whole number of at least 1."],
    ["rounds", "3".repeat(1000), `rounds is the string "${"3".repeat(80)}…". Use a whole number of at least 1.`],
    ["search", "descent", 'search is the string "descent". Use search: { method: "descent" }.'],
  ])("and refuses %s (%#)", (name, value, message) => {
    expect(() => checkOptions(TABLE, { [name]: value })).toThrow(
      expect.objectContaining({ code: `options/${name}`, message }),
    );
  });
});

it("an option that mechanisms share has the same flag and type in each", () => {
  for (const [name, { flag, type }] of Object.entries(ALL_OPTIONS)) {
    const sharing = mechanismsWith(name);
    expect(sharing.length).toBeGreaterThan(0);
    for (const mechanism of sharing) expect(optionsOf(mechanism)![name]).toMatchObject({ flag, type });
  }
});

it.each(Object.entries(MECHANISM_OPTIONS))(
  "the mechanism %s has the name and the table it is listed with",
  (name, table) => {
    expect(mechanismNamed(name).name).toBe(name);
    expect(mechanismNamed(name).table).toBe(table);
  },
);
