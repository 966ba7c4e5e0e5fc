// Expressions over the columns of one schema, drawn as trees; as text they have brackets around everything.
import fc from "fast-check";
import { refined } from "../src/schema/refine.js";
import { parseSchema, type Schema } from "../src/schema/schema.js";
import type { Cell, Condition, Operand, Row } from "./reference/expression.js";
import { codesIn } from "./reference/tree.js";

const LABELS = ["x", "it's", 'y "z"'];

const STATED = parseSchema({
  fields: [
    {
      name: "age",
      type: "integer",
      constraints: { minimum: 0, maximum: 199, required: true },
      standin: { bins: 200 },
    },
    { name: "hours worked", type: "number", constraints: { minimum: -1, maximum: 1 }, standin: { granularity: 0.1 } },
    { name: "kind", type: "string", constraints: { enum: LABELS } },
    { name: "in", type: "string", constraints: { enum: [...LABELS.slice(1), "other"], required: true } },
    { name: "smokes", type: "boolean" },
    { name: "born", type: "date", constraints: { minimum: "2020-02-25", maximum: "2020-03-05" } },
    { name: "score", type: "integer", constraints: { enum: [5, -2, 10] } },
    { name: "pay", type: "integer", constraints: { minimum: 0, maximum: 149 } },
  ],
});

/** With the codes that rows have if all of its columns are compared: pay has 150 of them, in 32 leaves. */
export const SCHEMA: Schema = refined(STATED, STATED.attributes.keys());

const column = (name: string): Operand => ({ kind: "column", name });
const literal = (value: number | string | boolean): Operand => ({ kind: "literal", value });
const numbers: fc.Arbitrary<Operand> = fc.oneof(
  fc.constantFrom("age", "hours worked", "score", "pay").map(column),
  fc.constantFrom(0, 1, 2, 5, 0.1, 0.3, 100, 150).map(literal),
);
const days = fc.constantFrom("2020-02-25", "2020-02-29", "2020-03-01").map((text): Operand => ({ kind: "day", text }));
const SIGNS = ["<", "<=", ">", ">=", "==", "!="] as const;
const compared = (
  left: fc.Arbitrary<Operand>,
  right: fc.Arbitrary<Operand>,
  signs: readonly (typeof SIGNS)[number][],
) => fc.record({ kind: fc.constant("comparison" as const), sign: fc.constantFrom(...signs), left, right });

/** Values of lists, some of them calculated. */
const whole = fc.integer({ min: 0, max: 6 }).map(literal);
const item: fc.Arbitrary<Operand> = fc.oneof(
  whole,
  whole.map((of): Operand => ({ kind: "minus", of })),
  fc.record({
    kind: fc.constant("calculation" as const),
    sign: fc.constantFrom("+", "-", "*"),
    left: whole,
    right: whole,
  }),
);

const { calculation, condition } = fc.letrec<{ calculation: Operand; condition: Condition }>((tie) => ({
  calculation: fc.oneof(
    { maxDepth: 3 },
    numbers,
    tie("calculation").map((of): Operand => ({ kind: "minus", of })),
    fc.record({
      kind: fc.constant("calculation" as const),
      sign: fc.constantFrom("+", "-", "*", "/"),
      left: tie("calculation"),
      right: tie("calculation"),
    }),
  ),
  condition: fc.oneof(
    { maxDepth: 3 },
    compared(tie("calculation"), tie("calculation"), SIGNS),
    compared(fc.constant(column("kind")), fc.constantFrom(column("in"), ...LABELS.map(literal)), ["==", "!="]),
    compared(fc.constantFrom(column("in"), literal("x")), fc.constant(column("kind")), ["==", "!="]),
    compared(fc.constant(column("smokes")), fc.boolean().map(literal), ["==", "!="]),
    compared(fc.constant(column("born")), days, SIGNS),
    compared(fc.constant(column("pay")), fc.integer({ min: -1, max: 151 }).map(literal), SIGNS),
    fc.record({
      kind: fc.constant("list" as const),
      not: fc.boolean(),
      of: tie("calculation"),
      items: fc.array(item, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant("list" as const),
      not: fc.boolean(),
      of: fc.constant(column("kind")),
      items: fc.subarray(LABELS.map(literal), { minLength: 1 }),
    }),
    fc.record({
      kind: fc.constant("missing" as const),
      not: fc.boolean(),
      name: fc.constantFrom("kind", "hours worked", "age", "pay"),
    }),
    fc.constant<Condition>({ kind: "flag", name: "smokes" }),
    tie("condition").map((of): Condition => ({ kind: "not", of })),
    fc.record({
      kind: fc.constantFrom("and", "or"),
      parts: fc.array(tie("condition"), { minLength: 2, maxLength: 3 }),
    }),
  ),
}));

/** Calculations, and conditions over up to eight columns. */
export { calculation, condition };

/** The names of the columns that a condition has. */
export function namesIn(part: Condition | Operand): string[] {
  if (part.kind === "column" || part.kind === "missing" || part.kind === "flag") return [part.name];
  if (part.kind === "literal" || part.kind === "day") return [];
  const parts =
    "parts" in part ? part.parts : "left" in part ? [part.left, part.right] : "items" in part ? [part.of] : [part.of];
  return parts.flatMap(namesIn);
}

/** As a user might write it, with brackets around every part. */
export function textOf(part: Condition | Operand): string {
  switch (part.kind) {
    case "literal":
      return typeof part.value === "string" ? `"${part.value.replaceAll('"', '""')}"` : String(part.value);
    case "day":
      return `'${part.text}'`;
    case "column":
    case "flag":
      return `\`${part.name}\``;
    case "minus":
      return `(-${textOf(part.of)})`;
    case "calculation":
    case "comparison":
      return `(${textOf(part.left)} ${part.sign} ${textOf(part.right)})`;
    case "list":
      return `(${textOf(part.of)} ${part.not ? "not in" : "in"} (${part.items.map(textOf).join(", ")}))`;
    case "missing":
      return `(\`${part.name}\` is ${part.not ? "not missing" : "missing"})`;
    case "not":
      return `(not ${textOf(part.of)})`;
    default:
      return `(${part.parts.map(textOf).join(` ${part.kind} `)})`;
  }
}

/** Codes of each column of the schema, for so many rows. */
export const codesOf = (rows: number): fc.Arbitrary<Uint16Array[]> =>
  fc.tuple(
    ...SCHEMA.attributes.map((attribute) =>
      fc
        .array(fc.nat(codesIn(attribute) - 1), { minLength: rows, maxLength: rows })
        .map((codes) => Uint16Array.from(codes)),
    ),
  );

/** A row as the cells that its codes stand for. */
export function cellsOf(codes: readonly number[]): Row {
  const cells: Cell[] = [
    codes[0],
    codes[1] < 21 ? Number(`${codes[1] - 10}e-1`) : undefined,
    LABELS[codes[2]],
    [...LABELS.slice(1), "other"][codes[3]],
    [false, true][codes[4]],
    codes[5] < 10 ? Date.UTC(2020, 1, 25 + codes[5]) / 86_400_000 : undefined,
    [5, -2, 10][codes[6]],
    codes[7] < 150 ? codes[7] : undefined,
  ];
  return Object.fromEntries(SCHEMA.attributes.map(({ name }, at) => [name, cells[at]]));
}
