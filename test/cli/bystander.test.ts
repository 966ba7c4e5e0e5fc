// A comparison that finds nothing proves nothing. This test shows that the comparison finds everything that could
// reveal something about a row, and ignores only the noise.
import { expect, it } from "vitest";
import { type Sight, withoutOutputs } from "./bystander.js";

const NOISE = { sigma: 4, meanCell: 24.25 };
const RELEASE = {
  epsilon: 1,
  items: [{ kind: "measurement", columns: ["a"], cells: 2, rho: 0.1, noise: NOISE, answers: [12, -3] }],
  schema: { fields: [{ name: "a" }] },
  total: 48.5,
  rows: 3,
};
const SIGHT: Sight = {
  code: 0,
  stdout: "",
  stderr: [
    ...["reading", "reading 25 %", "searching", "searching: sweep 16, 3.1e-7 % of the first loss"],
    "The search ended after 7 sweeps: the last sweep lowered the squared distance from its targets by no more than 0.1 %. " +
      "Squared distance of the rows from the noisy answers: 0.98 times that of noise alone (about 1 is best: the real rows would have it).",
    ...["ε = 1", ""],
  ].join("\n"),
  files: { "out.csv": "a,b\nx,1\ny,2\nx,3\n", "r.json": JSON.stringify(RELEASE) },
};
const withTable = (text: string): Sight => ({ ...SIGHT, files: { ...SIGHT.files, "out.csv": text } });
const withRelease = (change: object): Sight => ({
  ...SIGHT,
  files: { ...SIGHT.files, "r.json": JSON.stringify({ ...RELEASE, ...change }) },
});
const withItem = (change: object): Sight => withRelease({ items: [{ ...RELEASE.items[0], ...change }] });
const { rows: _, ...ROWLESS } = RELEASE;

it.each<[string, Sight]>([
  ["other noisy answers", withItem({ answers: [-7, 0] })],
  ["another estimate of the rows", withRelease({ total: 51.25 })],
  ["another mean cell", withItem({ noise: { ...NOISE, meanCell: 25.5 } })],
  ["other synthetic cells", withTable('a,b\n"x,y",\n,9\ny,1\n')],
  ["a longer search", { ...SIGHT, stderr: SIGHT.stderr.replace("sweep 16,", "sweep 32,").replace("Of 7", "Of 33") }],
  [
    "a search cut short",
    {
      ...SIGHT,
      stderr: SIGHT.stderr.replace(/The search ended after 7.* %\./, "The search ended at its limit of 50 sweeps."),
    },
  ],
  ["rows that came less near", { ...SIGHT, stderr: SIGHT.stderr.replace("0.98", "1.3e+4") }],
])("ignores %s", (_, other) => {
  expect(other).not.toEqual(SIGHT);
  expect(withoutOutputs(other, {})).toEqual(withoutOutputs(SIGHT, {}));
});

it.each<[string, Sight]>([
  ["another exit code", { ...SIGHT, code: 2 }],
  ["a number in a message", { ...SIGHT, stderr: SIGHT.stderr.replace("25 %", "26 %") }],
  ["another noise", withItem({ noise: { ...NOISE, sigma: 5 } })],
  ["a search that does not say how near its rows came", { ...SIGHT, stderr: SIGHT.stderr.replace(/ Squared.*/, "") }],
  ["a message more", { ...SIGHT, stderr: `${SIGHT.stderr}Warning: 1 row was short.\n` }],
  ["messages in another order", { ...SIGHT, stderr: SIGHT.stderr.split("\n").toReversed().join("\n") }],
  ["a blank at the end", { ...SIGHT, stderr: `${SIGHT.stderr} ` }],
  ["a word on standard output", { ...SIGHT, stdout: "3" }],
  ["a file more", { ...SIGHT, files: { ...SIGHT.files, ".out.csv.standin-tmp": "" } }],
  ["a file less", { ...SIGHT, files: {} }],
  ["a row more", withTable("a,b\nx,1\ny,2\nx,3\nx,4\n")],
  ["a cell more", withTable("a,b\nx,1\ny,2,5\nx,3\n")],
  ["columns in another order", withTable("b,a\nx,1\ny,2\nx,3\n")],
  ["no line end at the end", withTable("a,b\nx,1\ny,2\nx,3")],
  ["an answer more", withItem({ answers: [12, -3, 0] })],
  ["an answer that is no number", withItem({ answers: [12, null] })],
  ["another charge", withItem({ rho: 0.1000001 })],
  ["a member more", withRelease({ read: 3 })],
  ["a member in another place", withRelease({ ...ROWLESS, schema: undefined, rows: 3 })],
  ["another number of rows asked for", withRelease({ rows: 4 })],
  [
    "members in another order",
    { ...SIGHT, files: { ...SIGHT.files, "r.json": JSON.stringify({ rows: 3, ...ROWLESS }) } },
  ],
])("finds %s", (_, other) => {
  expect(withoutOutputs(other, {})).not.toEqual(withoutOutputs(SIGHT, {}));
});

it("ignores the number of rows only if it is an estimate", () => {
  const [one, other] = [withTable("a,b\nx,1\n"), withTable("a,b\nx,1\nx,1\n")];
  expect(withoutOutputs(one, { rows: true })).toEqual(withoutOutputs(other, { rows: true }));
  expect(withoutOutputs(withTable("a,b\nx,1\nx\n"), { rows: true })).not.toEqual(withoutOutputs(one, { rows: true }));
});
