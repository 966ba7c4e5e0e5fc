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
  const { rows } = readRowOptions(options);
  const plan = await readPlan(options);
  if (rows !== undefined) plan.checkRows(rows);
  const ledger = options.text("ledger");
  if (ledger !== undefined) checkLedger(ledger, plan);
  await print(options.has("json") ? `${JSON.stringify(plan, null, 2)}\n` : planText(plan));
}

function planText(plan: Plan): string {
  const { rho, mechanism, estimate, stages } = plan.toJSON();
  const columns = plan.schema.fields.map((field) => [field.name, modelOf(field)]);
  const order = stages ? counted(stages, "stage", "stages") : "rounds";
  return [
    tableText([["column", "modelled as"], ...columns], []),
    ledgerText(plan),
    `${mechanism}, estimate ${estimate}, ${order}, budget rho = ${rho.toPrecision(5)}: ${promiseOf(plan)}\n`,
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

type PlannedItem = ReturnType<Plan["toJSON"]>["items"][number];

/** The items of the ledger; those that repeat in every round are one line with their sums. */
function ledgerText(plan: Plan): string {
  const { items, cap, rule } = plan.toJSON();
  const alike = new Map<string, { item: PlannedItem; times: number }>();
  for (const item of items) {
    const name = JSON.stringify(item);
    alike.set(name, { item, times: (alike.get(name)?.times ?? 0) + 1 });
  }
  const rows = [...alike.values()].map(({ item, times }) => itemRow(item, times));
  const planned = items.filter((item) => cap === undefined || (item.kind === "measurement" && item.columns));
  const open = plan.ledger.second.length ? undefined : cap;
  const rho = planned.reduce((sum, item) => sum + item.rho, open ?? 0);
  const cells = planned.reduce((sum, item) => sum + (item.kind === "measurement" ? item.cells : 0), 0);
  if (open !== undefined) rows.push(["rounds", "all, as noisy answers decide", "", "", open.toPrecision(5)]);
  rows.push(["sum", counted(planned.length, "item", "items"), String(cells), "", rho.toPrecision(5)]);
  const table = tableText([["query", "columns", "cells", "sigma", "rho"], ...rows], [2, 3, 4]);
  return cap === undefined ? table : `${table}\n\nOf this, rho = ${cap.toPrecision(5)} is spent by a rule. ${rule}`;
}

function itemRow(item: PlannedItem, times: number): string[] {
  const rho = (times * item.rho).toPrecision(5);
  const each = times > 1 ? `${times} times ` : "";
  if (item.kind === "selection")
    return ["choice", `${each}${item.picks} of ${item.candidates} by ${item.score}`, "", "", rho];
  const columns = item.columns?.join(" × ") ?? `${each}one that was chosen`;
  const cells = item.columns ? String(item.cells) : `≤ ${item.cells}`;
  return [item.query ?? "marginal", columns, cells, Math.sqrt(item.sigma2).toPrecision(5), rho];
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
