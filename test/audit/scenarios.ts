// Pairs of tables that differ by one unit, in the worst possible way.
import { BLOCK_ROWS } from "../../src/engine/layout.js";
import { firstRound, keyOf, type Scenario } from "./audit.js";
import type { Package } from "./mutants.js";

const DELTA = 1e-5;

type Fields = Scenario["schema"]["fields"];

const abc = (labels: readonly string[]) =>
  ["a", "b", "c"].map((name) => ({ name, type: "string", constraints: { enum: labels, required: true } }));
const tree = { name: "t", type: "integer", constraints: { minimum: 0, maximum: 1000, required: true } };
const file = (names: string, rows: readonly string[]) => `${[names, ...rows].join("\n")}\n`;
const repeated = (row: string, count: number) => Array.from({ length: count }, () => row);

/** Few rows: a tree and a marginal, one after the other, of 20 rows and of 21. */
const atOnce: Scenario = {
  schema: { fields: [abc(["x", "y"])[0], tree] },
  options: { epsilon: 8, delta: DELTA, workload: [["a"], ["t"]], stages: 1 },
  files: [file("a,t", repeated("y,900", 20)), file("a,t", [...repeated("y,900", 20), "x,3"])],
  changePerPartition: 1,
  runs: 500,
};

/** The default: one-ways, then as many pairs as are worth their noise. */
const inStages: Scenario = {
  schema: { fields: abc(["x", "y", "z"]) },
  options: { epsilon: 8, delta: DELTA },
  files: [
    file("a,b,c", [...repeated("y,y,y", 200), ...repeated("z,y,z", 100)]),
    file("a,b,c", [...repeated("y,y,y", 200), ...repeated("z,y,z", 100), "x,x,x"]),
  ],
  changePerPartition: 1,
  runs: 500,
};

/** One row replaced by another that differs in one of two columns, whose interaction is measured. */
const replacedInOne: Scenario = {
  schema: { fields: abc(["x", "y", "z"]).slice(0, 2) },
  options: { epsilon: 8, delta: DELTA, neighbours: "replace", publicRows: 301 },
  files: [
    file("a,b", [...repeated("y,y", 200), ...repeated("z,y", 100), "x,x"]),
    file("a,b", [...repeated("y,y", 200), ...repeated("z,y", 100), "x,z"]),
  ],
  changePerPartition: 2,
  runs: 500,
};

/** One more person, with five rows, of which three are counted. */
const persons: Scenario = {
  schema: {
    fields: [...abc(["x", "y"]), { name: "who", standin: { role: "drop" } }] as Fields,
    standin: { unit: { column: "who", maxRows: 3 } },
  },
  options: { epsilon: 8, delta: DELTA, workload: "1-way", stages: 1 },
  files: [
    file("a,b,c,who", ["y,y,y,p1", "y,y,y,p2", "y,x,y,p1"]),
    file("a,b,c,who", ["y,y,y,p1", "x,x,x,p3", "y,y,y,p2", ...repeated("x,x,x,p3", 4), "y,x,y,p1"]),
  ],
  counted: [
    file("a,b,c,who", ["y,y,y,p1", "y,y,y,p2", "y,x,y,p1"]),
    file("a,b,c,who", ["y,y,y,p1", "x,x,x,p3", "y,y,y,p2", ...repeated("x,x,x,p3", 2), "y,x,y,p1"]),
  ],
  changePerPartition: 9,
  runs: 500,
};

/** One row replaced by another in every column. */
const replaced: Scenario = {
  schema: { fields: abc(["x", "y"]) },
  options: { epsilon: 8, delta: DELTA, neighbours: "replace", publicRows: 21, workload: "1-way", stages: 1 },
  files: [file("a,b,c", [...repeated("y,x,y", 20), "y,y,y"]), file("a,b,c", [...repeated("y,x,y", 20), "x,x,x"])],
  changePerPartition: 2,
  runs: 500,
};

/** Records without their last cell at the places where blocks of codes begin. One more record shifts them all. */
const cut = Array.from({ length: 5 * BLOCK_ROWS + 100 }, (_, row) => (row && row % BLOCK_ROWS === 0 ? "x" : "x,x"));
const cutRecords: Scenario = {
  schema: {
    fields: ["a", "b"].map((name) => ({ name, type: "string", constraints: { enum: ["x", "y"] } })),
  },
  options: { epsilon: 8, delta: DELTA, workload: "1-way", stages: 1 },
  files: [file("a,b", cut), file("a,b", ["x", ...cut])],
  changePerPartition: 1,
  runs: 400,
};

/** Rounds to the end, on an empty table and on one row. */
const toTheEnd: Scenario = {
  schema: { fields: abc(["x", "y"]) },
  options: { epsilon: 8, delta: DELTA, selection: "max", rounds: 2 },
  files: [file("a,b,c", []), file("a,b,c", ["x,x,x"])],
  changePerPartition: 1,
  runs: 200,
};

/** AIM to the end, whose rounds are as many as their noisy answers decide. */
const aimToTheEnd: Scenario = { ...toTheEnd, options: { epsilon: 8, delta: DELTA, mechanism: "aim" }, runs: 40 };

/** Interactions that no workload asks for, and tables, at shares of their own. */
const weighted: Scenario = {
  ...replaced,
  options: { epsilon: 8, delta: DELTA, neighbours: "replace", publicRows: 21, mechanism: "hdmm" },
};

/** Scenarios whose releases are made in one go. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "at once": atOnce,
  "in two stages": inStages,
  "a row replaced in one column": replacedInOne,
  "rounds to the end": toTheEnd,
  "aim to the end": aimToTheEnd,
  persons,
  "a row replaced": replaced,
  "a row replaced, for hdmm": weighted,
  "records that are cut": cutRecords,
};

/**
 * 150 rows in which the values of a and of another column are matched: both are x in `more` rows more than by chance.
 */
function matched(more: number): string[] {
  const first = [50 + more, 50 - more / 2, 50 - more / 2];
  const other = [50 - more / 2, 50 + more / 4, 50 + more / 4];
  return [first, other, other].flatMap((counts) => counts.flatMap((count, at) => repeated("xyz"[at], count)));
}

/**
 * x occurs with x more often than by chance in a and b, and less often in a and c. One more row x,x,x makes one error
 * larger and one smaller.
 */
const [b, c] = [matched(20), matched(-20)];
const linked = Array.from({ length: 450 }, (_, row) => `${"xyz"[Math.floor(row / 150)]},${b[row]},${c[row]}`);

/** A package, and a table with a release of it that the package began. */
interface Released {
  readonly standin: Package;
  readonly table: Parameters<Package["resume"]>[0];
  readonly begun: Parameters<Package["resume"]>[1];
}

/** How often the first round chooses the favoured candidate, in `runs` runs. */
async function favoured({ standin, table, begun }: Released, runs: number): Promise<number> {
  let count = 0;
  for (let run = 0; run < runs; run++) {
    const round = await firstRound((onRound) => standin.resume(table, begun, { unsafeNoiseKey: keyOf(run), onRound }));
    count += Number(round.items.some((item) => "chosen" in item && item.chosen[0] === FAVOURED));
  }
  return count;
}

/** The number of the candidate a, b. */
const FAVOURED = 0;

/** How rounds choose. */
export const CHOICES: Readonly<Record<string, Scenario["options"]>> = {
  max: { epsilon: 8, rounds: 1, selection: "max" },
  l1: { epsilon: 8, rounds: 1, selection: "l1" },
  // The first choice gets so little of AIM's budget that choices can only be audited if the budget is large.
  aim: { rho: 130, selection: "aim" },
  "mechanism mst": { epsilon: 8, mechanism: "mst" },
  "mechanism mwem-pgm": { rho: 8, rounds: 1, mechanism: "mwem-pgm" },
};

/**
 * The first round of a plan that chooses in this way between the pair a, b, which the row favours, and the pair a, c.
 * All runs continue from one release, so the comparison is the same in all of them. That release is the first whose
 * noise makes the favoured choice the less likely one without the row, but not a rare one.
 */
export async function roundScenario(standin: Package, choice: Scenario["options"]): Promise<Scenario> {
  const schema = { fields: abc(["x", "y", "z"]) };
  const workload = [
    ["a", "b"],
    ["a", "c"],
  ];
  const options = { ...choice, delta: DELTA, workload };
  const files = [file("a,b,c", linked), file("a,b,c", [...linked, "x,x,x"])] as const;
  const planned = standin.plan(standin.parseSchema(schema), options);
  const table = standin.parseCsv(files[0], planned.schema);
  for (let key = 1; key <= 100; key++) {
    const begun = await firstRound((onRound) =>
      standin.measure(table, planned, { seed: key, unsafeNoiseKey: keyOf(key), onRound }),
    );
    const count = await favoured({ standin, table, begun }, 12);
    if (count < 2 || count > 4) continue;
    const rounds = { begun: JSON.stringify(begun), favoured: FAVOURED };
    return { ...{ schema, options, files, rounds }, changePerPartition: 1, runs: 400 };
  }
  throw new Error("No release was found whose first choice is as open as that");
}

/**
 * A choice by signed errors between the two cells of a column and their complements, for one x more in place of a y.
 * The first records are random and public. With the row there are as many x as in these, and all four candidates are
 * equally likely; without it there is one less, and the favoured choice, "more x", is a rare one.
 */
export async function signedScenario(standin: Package, more: Partial<Scenario["options"]>): Promise<Scenario> {
  const ROWS = 100;
  const schema = { fields: [abc(["x", "y"])[0]] };
  const options: Scenario["options"] = {
    ...{ rho: 0.5, delta: DELTA, neighbours: "replace", publicRows: ROWS, workload: [["a"]] },
    ...{ rounds: 1, perRound: 1, ...more },
  };
  const plan = standin.plan(standin.parseSchema(schema), options);
  const fileOf = (x: number) => file("a", [...repeated("x", x), ...repeated("y", ROWS - x)]);
  /** Whether the choice is as likely as the others, or more: twice as likely as with one x less. */
  const isLikely = async (x: number) => {
    const table = standin.parseCsv(fileOf(x), plan.schema);
    let count = 0;
    for (let run = 0; run < 200; run++) {
      const { items } = await standin.measure(table, plan, { seed: 1, unsafeNoiseKey: keyOf(run) });
      count += Number(items.some((item) => "chosen" in item && item.chosen[0] === FAVOURED));
    }
    return count >= 38;
  };
  let [low, high] = [1, ROWS];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await isLikely(middle)) high = middle;
    else low = middle + 1;
  }
  const files = [fileOf(low - 1), fileOf(low)] as const;
  return { ...{ schema, options, files }, rounds: { favoured: FAVOURED }, changePerPartition: 2, runs: 2000 };
}
