import type { Plan } from "../node.js";
import { formatDecimal } from "../schema/decimal.js";
import { valueAt } from "../schema/grid.js";
import type { Field } from "../schema/schema.js";
import { checkLedger } from "./ledger-file.js";
import type { Options } from "./options.js";
import { print } from "./output.js";
import { readPlan, readRowOptions } from "./request.js";
import { promiseOf, tableText } from "./words.js";

/** `standin plan`: what a release would measure, with what noise, at what price. Touches no data and charges nothing. */
export async function run(options: Options): Promise<void> {
  readRowOptions(options);
  const plan = await readPlan(options);
  const ledger = options.text("ledger");
  if (ledger !== undefined) checkLedger(ledger, plan);
  await print(options.has("json") ? `${JSON.stringify(plan, null, 2)}\n` : planText(plan));
}

function planText(plan: Plan): string {
  const { rho, mechanism } = plan.toJSON();
  const columns = plan.schema.fields.map((field) => [field.name, modelOf(field)]);
  return [
    tableText([["column", "modelled as"], ...columns], []),
    ledgerText(plan),
    `${mechanism}, budget rho = ${rho.toPrecision(5)}: ${promiseOf(plan)}\n`,
  ].join("\n\n");
}

function modelOf({ domain, notation, required, role }: Field): string {
  if (!domain) return `not at all (${role})`;
  return `${valuesOf(domain, notation)}${required ? "" : ", or missing"}`;
}

function valuesOf(domain: NonNullable<Field["domain"]>, notation: Field["notation"]): string {
  if (domain.kind === "category") return counted(domain.labels.length, "category", "categories");
  const { step, scale, points, tree, starts } = domain;
  const text = (point: number) => notation!.write(valueAt(domain, point));
  const unit = notation!.unit && ` ${notation!.unit}`;
  const grid = `${text(0)} to ${text(points - 1)} in steps of ${formatDecimal({ units: step, scale })}${unit}`;
  if (tree) return `${grid}, as a tree of ${starts.length} leaves`;
  return starts.length === points ? grid : `${grid}, in ${counted(starts.length, "bin", "bins")}`;
}

function ledgerText(plan: Plan): string {
  const { items } = plan.toJSON();
  const sum = (of: "cells" | "rho") => items.reduce((total, item) => total + item[of], 0);
  const rows = items.map((item) => [
    item.query,
    item.columns.join(" × "),
    String(item.cells),
    Math.sqrt(item.sigma2).toPrecision(5),
    item.rho.toPrecision(5),
  ]);
  const sums = ["sum", counted(items.length, "item", "items"), String(sum("cells")), "", sum("rho").toPrecision(5)];
  return tableText([["query", "columns", "cells", "sigma", "rho"], ...rows, sums], [2, 3, 4]);
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
