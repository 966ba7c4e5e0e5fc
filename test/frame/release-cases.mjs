// Releases of every kind, what was changed in them, and words of what is said of it.

const plain = (name, ...values) => ({ name, constraints: { enum: values, required: true } });
const pay = { name: "pay", type: "integer", constraints: { minimum: 0, maximum: 9999, required: true } };
const PEOPLE = { fields: [plain("sex", "F", "M"), plain("work", "a", "b", "c"), pay] };
const withUnit = (unit) => ({
  fields: [...PEOPLE.fields, { name: "who", standin: { role: "id" } }],
  standin: { unit },
});
const READ = {
  fields: [{ ...PEOPLE.fields[0], standin: { provenance: { enum: "read" } } }, ...PEOPLE.fields.slice(1)],
};

const PREFIXES = { query: "random-prefixes", columns: ["sex", "work", "pay"], count: 500, seed: 1, weight: 1e6 };

/**
 * Releases: what they are called, schema, options of the plan, and after which round they were left, where they were.
 */
export const RELEASES = [
  ["one stage", PEOPLE, { epsilon: 2, stages: 1 }],
  ["two stages", PEOPLE, { epsilon: 5 }],
  ["rounds", PEOPLE, { epsilon: 2, selection: "max", rounds: 2 }],
  ["a round of two", PEOPLE, { epsilon: 2, selection: "l1", rounds: 1, perRound: 2 }],
  ["annealed", PEOPLE, { rho: 0.5, selection: "aim" }],
  ["unfinished", PEOPLE, { epsilon: 2, selection: "max", rounds: 2 }, 1],
  ["persons", withUnit({ column: "who", maxRows: 3 }), { epsilon: 8, workload: "1-way" }],
  ["crowds", withUnit({ column: "who", maxRows: 65_535 }), { rho: 4095, workload: [["sex", "work"]], stages: 1 }],
  ["replace", PEOPLE, { epsilon: 2, neighbours: "replace", publicRows: 40, stages: 1 }],
  ["no ε", PEOPLE, { rho: 1e-9, delta: 0.5, workload: "1-way" }],
  ["no ε, unfinished", PEOPLE, { rho: 1e-6, delta: 0.5, selection: "max", rounds: 2 }, 0],
  ["lowered ρ", PEOPLE, { rho: 5000, selection: "l1", rounds: 2 }],
  ["large ε", PEOPLE, { epsilon: 1000, delta: 0.999999, workload: "1-way" }],
  ["sets", PEOPLE, { epsilon: 2, workload: [["sex", "work"], PREFIXES], selection: "max", rounds: 2, perRound: 2 }],
  ["read", READ, { epsilon: 2, stages: 1, allowUnreviewedSchema: true }],
];

/** The table of all of them. */
export const releaseCsv = ({ fields }) => {
  const row = (at) =>
    [at % 3 ? "F" : "M", "abc"[(at * at) % 3], (at * 104_729) % 10_000, at % 15].slice(0, fields.length);
  const lines = Array.from({ length: 40 }, (_, at) => row(at).join());
  return `${fields.map(({ name }) => name).join()}\n${lines.join("\n")}\n`;
};

const set = (path, value) => ["set", path, value];
const copy = (path, from) => ["copy", path, from];
const drop = (path) => ["drop", path];
const both = (name, value) => [set(name, value), set(`guarantee.${name}`, value)];
const GUARANTEE = { epsilon: 2, delta: 1e-9, unit: "row", neighbours: "add-remove" };

/** What was changed in which release, and words of what is then said of it. */
export const TAMPERED = [
  // The budget and the promise.
  ["one stage", [set("epsilon", 1.5)], "for ε = 1.5 and δ = 1e-9, which give ρ = "],
  ["one stage", both("epsilon", 1.5), "for ε = 1.5 and δ = 1e-9, which give ρ = "],
  ["one stage", both("epsilon", 0), "which give ρ = "],
  ["one stage", both("delta", 1e-6), "which give ρ = "],
  ["one stage", [set("rho", 0.05)], "says ρ = 0.05 for ε = 2"],
  ["one stage", [set("rho", 0.06)], "says ρ = 0.06 for ε = 2"],
  ["lowered ρ", [set("rho", 5000)], "says ρ = 5000"],
  ["no ε", both("epsilon", 1e-3), "for ε = 0.001 and δ = 0.5, which give"],
  ...[
    ["rho", 0],
    ["rho", null],
    ["rho", 5e-324],
    ["epsilon", -1],
    ["delta", 0],
    ["delta", 1],
    ["neighbours", "some"],
  ].map(([name, value]) => [
    "one stage",
    [set(name, value)],
    value === 5e-324 ? "says ρ = 5e-324" : "what its budget is",
  ]),
  ...[
    ["epsilon", 1],
    ["epsilon", true],
    ["delta", 1e-12],
    ["neighbours", "replace"],
  ].map(([name, value]) => [
    ...["one stage", [set(`guarantee.${name}`, value)], "promises something other than its budget gives"],
  ]),
  ["one stage", [set("guarantee", null)], "promises nothing and does not say why"],
  ["one stage", [set("guarantee", null), set("noGuarantee", "")], "promises nothing and does not say why"],
  ["one stage", [set("noGuarantee", "No.")], "promises something and also says why it promises nothing"],
  ["one stage", [drop("guarantee")], "makes no promise that can be understood"],
  ["one stage", [set("guarantee", [2])], "makes no promise that can be understood"],
  ["read", [drop("noGuarantee")], "promises nothing and does not say why"],
  ["read", [drop("noGuarantee"), set("guarantee", GUARANTEE)], "were read from the rows: sex: enum"],
  ["one stage", [set("schema.fields.2.standin", { provenance: "read" })], "were read from the rows: pay: all facts"],
  // The unit and the relation.
  ["one stage", [set("schema.standin", { unit: { maxRows: 2 } })], "a unit other than the one its schema states"],
  ["one stage", [set("guarantee.unit", { maxRows: 1 })], "a unit other than the one its schema states"],
  [
    "one stage",
    [set("schema.standin", { unit: { maxRows: 2 } }), set("guarantee.unit", { maxRows: 2 })],
    "sensitivity is 1; its query, the relation and the unit give 2",
  ],
  ["persons", [set("guarantee.unit", "row")], "a unit other than the one its schema states"],
  ["persons", [set("guarantee.unit.maxRows", 2)], "a unit other than the one its schema states"],
  ["persons", [set("guarantee.unit", null)], "a unit other than the one its schema states"],
  ["persons", [set("schema.standin.unit.maxRows", 2)], "a unit other than the one its schema states"],
  ["persons", [drop("schema.standin"), set("guarantee.unit", "row")], "sensitivity is 3; "],
  ["persons", both("neighbours", "replace"), "not for persons of several rows"],
  ["one stage", both("neighbours", "replace"), "its total is not its declared number"],
  [
    "one stage",
    [...both("neighbours", "replace"), set("publicRows", 40), set("total", 40)],
    "the unit give 1.4142135623",
  ],
  ["one stage", [set("publicRows", 40)], "which add-remove keeps private"],
  ["replace", [set("publicRows", 41)], "its total is not its declared number"],
  ["replace", [set("total", 40.5)], "its total is not its declared number"],
  ["replace", [drop("publicRows")], "its total is not its declared number"],
  ["replace", both("neighbours", "add-remove"), "which add-remove keeps private"],
  ["replace", [...both("neighbours", "add-remove"), drop("publicRows")], "the relation and the unit give 1"],
  // A measurement.
  ...[
    ["one stage", 0],
    ["crowds", 0],
    ["two stages", 3],
    ["annealed", 4],
  ].flatMap(([name, at]) => [
    [name, [set(`items.${at}.sigma2`, 16.000001)], "sigma2 is 16.000001, a variance that noise cannot have"],
    [name, [set(`items.${at}.sigma2`, 2 ** 46)], "its noise costs"],
    [name, [set(`items.${at}.rho`, 2 ** -20)], "rho is 9.5367431640625e-7; its noise costs"],
    [name, [set(`items.${at}.sensitivity`, 0.5)], "sensitivity is 0.5; its query"],
  ]),
  ...[0, 2 ** -11, 2 ** 47].map((sigma2) => ["one stage", [set("items.0.sigma2", sigma2)], "noise cannot have"]),
  ["one stage", [drop("items.0.sigma2")], "without its noise, sigma2"],
  ["one stage", [drop("items.0.sensitivity")], "sensitivity is not a number; "],
  ["one stage", [set("items.0.sensitivity", true)], "sensitivity is not a number; "],
  ["one stage", [drop("items.0.rho")], "rho is not a number; its noise costs"],
  ["one stage", [set("items.0.free", 1)], "free predicates are not those of its query"],
  ["one stage", [drop("items.0.free")], "free predicates are not those of its query"],
  ["one stage", [set("items.0.partitions", 5)], "answers do not fit its columns"],
  ["one stage", [set("items.1.partitions", 1)], "answers do not fit its columns"],
  ["one stage", [set("items.0.columns", ["sex"])], "answers do not fit its columns"],
  ["one stage", [copy("items.0.answers", "items.1.answers")], "answers do not fit its columns"],
  ["one stage", [copy("items.3", "items.0")], "cost more than its budget: ρ = "],
  ["annealed", [copy("items.99", "items.4")], "cost more than its budget: ρ = "],
  ["lowered ρ", [copy("items.99", "items.0")], "cost more than its budget: ρ = "],
  ["one stage", [set("items.1.noise.sigma", 0.5)], "(number 2) whose noise does not follow from its sigma2"],
  ["one stage", [set("total", 41)], "whose noise does not follow from its sigma2 and the total"],
  ["unfinished", [set("items.0.noise", null)], "whose noise does not follow from its sigma2 and the total"],
  ["one stage", [set("items.0.kind", "guess")], "neither a measurement nor a selection"],
  // A selection.
  ["rounds", [copy("items.5.chosen", "items.3.chosen")], "(number 6) that chose a candidate twice"],
  ["a round of two", [set("items.3.chosen", [1, 1])], "that chose a candidate twice"],
  ["rounds", [set("items.3.chosen", [3])], "chose something other than its own candidates"],
  ["rounds", [set("items.3.chosen", [])], "chose something other than its own candidates"],
  ["rounds", [drop("items.3.chosen")], "neither a measurement nor a selection"],
  ["rounds", [set("items.3.picks", 2)], "chose something other than its own candidates"],
  ["rounds", [set("items.3.candidates", 2.5)], "chose something other than its own candidates"],
  ["rounds", [set("items.3.candidates", 9)], "(number 6) that did not choose from the same candidates"],
  ["rounds", [set("items.3.score", "luck")], "chose by an unknown score"],
  ["rounds", [set("items.3.score", "l1")], "sensitivity is 1; its score, the relation and the unit give 5"],
  ["rounds", [set("items.3.sensitivity", 2)], "sensitivity is 2; its score, the relation and the unit give 1"],
  ["rounds", [set("items.3.free", 2)], "not the most that its candidates have"],
  ["rounds", [set("items.3.free", 1)], "not the most that its candidates have"],
  ["rounds", [set("items.3.partitions", 1), set("items.5.partitions", 1)], "not the most that its candidates have"],
  ["a round of two", [set("items.3.sensitivity", 1)], "sensitivity is 1; its score, the relation and the unit give 5"],
  ["rounds", [drop("items.4")], "(number 4) whose choices were not measured"],
  ["unfinished", [drop("items.4")], "(number 4) whose choices were not measured"],
  ["rounds", [set("items.3.rho", 1)], "rho is 1; it must be the cost of 1 equal choices within the budget"],
  ["rounds", [set("items.3.rho", 2 ** -53)], "it must be the cost of 1 equal choices"],
  ["a round of two", [set("items.3.rho", 3 * 2 ** -52)], "it must be the cost of 2 equal choices"],
  ["a round of two", [drop("items.3.rho")], "rho is not a number; it must be the cost of 2 equal choices"],
  // Members of a set, and the ledger of each class.
  ...[[500], [-1], [], [3, 3], [0.5], "1", null].map((numbers) => [
    ...[
      "sets",
      [set("items.4.numbers", numbers)],
      "whose numbers are not some of those from 0 to below its count, ascending",
    ],
  ]),
  ["sets", [set("items.4.numbers", [1, 2])], "whose answers do not fit its columns"],
  ["sets", [drop("items.4.numbers")], "whose answers do not fit its columns"],
  ["sets", [copy("items.6.chosen", "items.3.chosen")], "(number 7) that chose a candidate twice"],
  ["sets", [set("items.3.chosen", [501, 1])], "chose something other than its own candidates"],
  ...[
    set("classes.0.candidates", 2),
    set("classes.2.candidates", -1),
    set("classes.2.candidates", "500"),
    drop("classes.2.candidates"),
  ].map((change) => ["sets", [change], "of which classes its candidates are"]),
  ...[
    set("classes.1.items", 3),
    set("classes.1.rho", 0.5),
    set("classes.1.query", "total"),
    drop("classes"),
    drop("classes.0"),
    copy("classes.1", "classes.0"),
  ].map((change) => ["sets", [change], "of"]),
  ...[1, null, []].map((request) => [
    "unfinished",
    [set("unfinished.request", request)],
    "does not say how to continue",
  ]),
  ...[{}, [], null, false].map((unfinished) => [
    "rounds",
    [set("unfinished", unfinished)],
    "does not say how to continue",
  ]),
];

/** A copy of some JSON with a value set, or another of its values copied, at a path, or what is there dropped. */
export function changed(json, steps) {
  const made = structuredClone(json);
  const at = (names) => names.reduce((value, name) => value[name], made);
  for (const [change, path, value] of steps) {
    const names = path.split(".");
    const [place, last] = [at(names.slice(0, -1)), names[names.length - 1]];
    if (change === "drop" && Array.isArray(place)) place.splice(Number(last), 1);
    else if (change === "drop") delete place[last];
    else if (Array.isArray(place) && Number(last) >= place.length) place.push(at(value.split(".")));
    else place[last] = change === "set" ? value : at(value.split("."));
  }
  return made;
}
