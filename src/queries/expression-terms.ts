import { shownText } from "../core/arguments.js";
import { nearest } from "../core/spelling.js";
import { pointText, valueOfText } from "../domain/code-values.js";
import type { Columns } from "../domain/columns.js";
import type { Field, FieldType } from "../domain/field.js";
import { type Arithmetic, columnText, type Expression } from "./expression-parser.js";
import { type Place, refusal } from "./expression-tokens.js";

/** A term's place, and the modelled columns that it depends on, ascending. */
interface Part extends Place {
  readonly columns: readonly number[];
}

/** A number, or none, in each row: a result with an operand that has none has none, and neither has a division by 0. */
export type Value = Part &
  (
    | { readonly op: "constant"; readonly value: number }
    | /** The value of the column's code, or the number that `rename` has for it. */ {
        readonly op: "column";
        readonly rename?: Float64Array;
      }
    | { readonly op: Arithmetic; readonly of: readonly [Value, Value] }
  );

/** True or false in each row. A comparison is false where a side has no value. */
export type Truth = Part &
  (
    | { readonly op: "<" | "<=" | "==" | "!="; readonly sides: readonly [Value, Value] }
    | { readonly op: "in" | "not in"; readonly value: Value; readonly among: readonly number[] }
    | { readonly op: "missing"; readonly value: Value }
    | Connection
  );

/** What truths are together. */
export interface Connection extends Part {
  readonly op: "and" | "or" | "not";
  readonly parts: readonly Truth[];
}

/** What a value is: values of different kinds cannot be compared. */
interface Kind {
  readonly name: "number" | "date" | "datetime" | "time" | "text" | "truth";
  /** The field that gives texts their meaning. */
  readonly field?: Field;
}
type Typed = Kind & { readonly value: Value };

const NUMBER: Kind = { name: "number" };
const KINDS: Readonly<Record<FieldType, Kind["name"]>> = {
  ...({ string: "text", boolean: "truth", integer: "number", number: "number", year: "number" } as const),
  ...({ date: "date", datetime: "datetime", time: "time" } as const),
};
const EXAMPLE = "A condition is a comparison such as age < 30.";
const NAMES: Readonly<Record<Kind["name"], string>> = {
  number: "a number",
  date: "a date",
  datetime: "a datetime",
  time: "a time",
  text: "a category",
  truth: "true or false",
};

/**
 * What an expression means in a table with these columns.
 * @throws {StandinError} `workload/expression`, with the place: an unknown column or category, or operands that do not
 * fit
 */
export function truthOf(text: string, expression: Expression, columns: Columns): Truth {
  return new Checker(text, columns).truth(expression);
}

class Checker {
  constructor(
    readonly text: string,
    readonly columns: Columns,
  ) {}

  truth(expression: Expression): Truth {
    const { op, of } = expression;
    if (op === "and" || op === "or" || op === "not") {
      const parts = of.map((part) => this.truth(part));
      return { ...placed(expression, parts), op, parts };
    }
    if (op === "missing" || op === "not missing") return this.#missing(expression);
    if (op === "in" || op === "not in") return this.#membership(expression, op);
    if (op === "<" || op === "<=" || op === ">" || op === ">=" || op === "==" || op === "!=") {
      const [left, right] = this.#compared(expression);
      // a > b is b < a: no operand has an effect.
      const sides = op.startsWith(">") ? ([right, left] as const) : ([left, right] as const);
      return { ...placed(expression, sides), op: op.replace(">", "<") as "<" | "<=" | "==" | "!=", sides };
    }
    const flag = this.#value(expression, undefined);
    if (flag.name !== "truth" || flag.value.op !== "column")
      throw this.#refuse(expression, `Expected a condition, found ${NAMES[flag.name]}.`, EXAMPLE);
    return { ...placed(expression, [flag.value]), op: "in", value: flag.value, among: [1] };
  }

  #missing(expression: Expression): Truth {
    const [tested] = expression.of;
    if (tested.op !== "column")
      throw this.#refuse(tested, "Only a column can be missing.", "Test the columns of a calculation one by one.");
    const { value } = this.#column(tested, tested.text);
    const missing: Truth = { ...placed(expression, [value]), op: "missing", value };
    return expression.op === "missing" ? missing : { ...placed(expression, [value]), op: "not", parts: [missing] };
  }

  #membership(expression: Expression, op: "in" | "not in"): Truth {
    const [tested, ...items] = expression.of;
    const left = this.#value(tested, undefined);
    const among = items.map((item) => {
      const found = this.#value(item, left);
      if (found.value.columns.length)
        throw this.#refuse(item, "A list after in has values, not columns.", "Compare with a column by ==.");
      this.#expectAlike(expression, left, found);
      return constantOf(found.value);
    });
    return { ...placed(expression, [left.value]), op, value: left.value, among };
  }

  /** Both sides of a comparison, as numbers. */
  #compared(expression: Expression): readonly [Value, Value] {
    const [first, second] = expression.of;
    const isText = (side: Expression) => side.op === "text";
    if (isText(first) && isText(second))
      throw this.#refuse(expression, "Two texts are compared here.", `Compare a column with a text. ${EXAMPLE}`);
    const right = isText(first) ? this.#value(second, undefined) : undefined;
    const left = this.#value(first, right);
    const other = right ?? this.#value(second, left);
    this.#expectAlike(expression, left, other);
    if (expression.op !== "==" && expression.op !== "!=" && (left.name === "text" || left.name === "truth"))
      throw this.#refuse(
        expression,
        `${expression.op} compares numbers, dates and times, but this is ${NAMES[left.name]}.`,
        "Categories have no order: compare them by ==, != or in.",
      );
    return [left.value, sameLabels(left, other)];
  }

  #expectAlike(place: Place, left: Kind, right: Kind): void {
    if (left.name === right.name) return;
    const names = [left.name, right.name];
    const isMoment = names.some((name) => name === "date" || name === "datetime" || name === "time");
    const [isNumber, isText] = [names.includes("number"), names.includes("text")];
    const quoted = isNumber && isMoment ? " Write dates and times in quotes." : "";
    const example = isNumber && isText ? " Write numbers without quotes." : quoted;
    throw this.#refuse(
      place,
      `${NAMES[left.name]} is compared with ${NAMES[right.name]}.`.replace(/^./, (first) => first.toUpperCase()),
      `Both sides need values of one kind.${example}`,
    );
  }

  /** @param other the other side of a comparison, which gives texts their meaning */
  #value(expression: Expression, other: Kind | undefined): Typed {
    const { op, of } = expression;
    if (op === "number") return { ...NUMBER, value: constant(expression, expression.value) };
    if (op === "truth") return { name: "truth", value: constant(expression, Number(expression.value)) };
    if (op === "text") return this.#quoted(expression, expression.text, other);
    if (op === "column") return this.#column(expression, expression.text, other);
    if (op === "negative") {
      const { name, value } = this.#value(of[0], undefined);
      if (name !== "number") throw this.#cannot(expression, "-", { name }, undefined);
      const pair = [constant(expression, 0), value] as const;
      return { ...NUMBER, value: { ...placed(expression, pair), op: "-", of: pair } };
    }
    if (op === "+" || op === "-" || op === "*" || op === "/") return this.#calculated(expression, op);
    throw this.#refuse(expression, "Expected a value, found a condition.", EXAMPLE);
  }

  /** Numbers; a moment and a number; or the distance of two moments. */
  #calculated(expression: Expression, op: Arithmetic): Typed {
    const [left, right] = expression.of.map((part) => this.#value(part, undefined));
    const pair = [left.value, right.value] as const;
    const value: Value = { ...placed(expression, pair), op, of: pair };
    const isMoment = ({ name }: Kind) => name === "date" || name === "datetime" || name === "time";
    if (left.name === "number" && right.name === "number") return { ...NUMBER, value };
    if (op === "-" && isMoment(left) && left.name === right.name) return { ...NUMBER, value };
    if ((op === "+" || op === "-") && isMoment(left) && right.name === "number") return { ...left, value };
    if (op === "+" && left.name === "number" && isMoment(right)) return { ...right, value };
    throw this.#cannot(expression, op, left, right);
  }

  #cannot(place: Place, op: string, left: Kind, right: Kind | undefined): Error {
    const found = right ? `${NAMES[left.name]} and ${NAMES[right.name]}` : NAMES[left.name];
    const hint = "Calculate with numbers; days can be added to a date, and seconds to a datetime or a time.";
    return this.#refuse(place, `${op} needs numbers, found ${found}.`, hint);
  }

  #column(place: Place, name: string, other?: Kind): Typed {
    const field = this.columns.fields.find((known) => known.name === name);
    if (field?.attribute === undefined) throw this.#unknown(place, name, other);
    const { at, end } = place;
    return { name: KINDS[field.type], field, value: { at, end, op: "column", columns: [field.attribute] } };
  }

  #unknown(place: Place, name: string, other: Kind | undefined): Error {
    const names = this.columns.attributes.map((attribute) => attribute.name);
    if (this.columns.fields.some((field) => field.name === name))
      return this.#refuse(
        place,
        `The schema does not model the column "${shownText(name)}".`,
        `It models ${names.join(", ")}.`,
      );
    const near = nearest(name, names);
    const isText = other?.field && valueOfText(other.field, name) !== undefined;
    const hint = isText
      ? `If this is a category, write it in quotes: '${name}'.`
      : near === undefined
        ? `The schema models ${names.map(columnText).join(", ")}.`
        : `Did you mean ${columnText(near)}?`;
    return this.#refuse(place, `The schema has no column "${shownText(name)}".`, hint);
  }

  /** A text as a value of the field that it is compared with. */
  #quoted(place: Place, text: string, other: Kind | undefined): Typed {
    if (!other || other.name === "number") {
      const found = other ? "a number is compared with a text" : "a text is not compared with a column";
      throw this.#refuse(
        place,
        `Here ${found}.`,
        other ? "Write numbers without quotes." : "Write names of columns without quotes, or in backquotes.",
      );
    }
    const { name, field } = other;
    const value = field && valueOfText(field, text);
    if (value !== undefined) return { ...other, value: constant(place, value) };
    const labels = field?.domain?.kind === "category" ? field.domain.labels : [];
    const near = nearest(text, labels);
    if (name === "text" || name === "truth")
      throw this.#refuse(
        place,
        field
          ? `"${field.name}" has no category "${shownText(text)}".`
          : `"${shownText(text)}" is compared with ${NAMES[name]}.`,
        near === undefined ? `There are ${listed(labels)}.` : `Did you mean '${near}'?`,
      );
    throw this.#refuse(
      place,
      `"${shownText(text)}" is not ${NAMES[name]} in the format of "${field!.name}".`,
      `Write it as in the table, such as ${exampleOf(field!)}.`,
    );
  }

  #refuse(place: Place, message: string, hint: string): Error {
    return refusal(this.text, place, message, hint);
  }
}

function placed({ at, end }: Place, parts: readonly Part[]): Part {
  const columns = [...new Set(parts.flatMap((part) => part.columns))].sort((a, b) => a - b);
  return { at, end, columns };
}

const constant = ({ at, end }: Place, value: number): Value => ({ at, end, columns: [], op: "constant", value });

/** The result of an operation on doubles; NaN is no value. */
export function calculate(op: Arithmetic, left: number, right: number): number {
  if (op === "+") return left + right;
  if (op === "-") return left - right;
  if (op === "*") return left * right;
  return right === 0 ? Number.NaN : left / right;
}

/** The value of a term without columns. */
export function constantOf(value: Value): number {
  if (value.op === "constant") return value.value;
  if (value.op === "column") return Number.NaN;
  const [left, right] = value.of;
  return calculate(value.op, constantOf(left), constantOf(right));
}

/** The right side of a comparison. Categories of another column get the numbers of those on the left, by label. */
function sameLabels({ name, field, value: left }: Typed, { field: other, value }: Typed): Value {
  const areColumns = left.op === "column" && value.op === "column";
  if (!areColumns || name !== "text" || !field || !other || field === other) return value;
  const labels = labelsOf(field);
  return { ...value, rename: Float64Array.from(labelsOf(other), (label) => labels.indexOf(label)) };
}

const labelsOf = ({ domain }: Field): readonly string[] => (domain?.kind === "category" ? domain.labels : []);

const MOST_LISTED = 8;

const listed = (labels: readonly string[]): string =>
  [...labels.slice(0, MOST_LISTED).map((label) => `'${label}'`), ...(labels.length > MOST_LISTED ? ["…"] : [])].join(
    ", ",
  );

/** A value of a field of dates or times, in quotes. */
function exampleOf(field: Field): string {
  const { domain } = field;
  return `'${domain?.kind === "grid" ? pointText(field, domain, 0) : labelsOf(field)[0]}'`;
}
