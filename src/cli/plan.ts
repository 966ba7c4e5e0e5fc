import type { Plan } from "../node.js";
import { checkRowOptions } from "../synthesize.js";
import { checkLedger } from "./ledger-file.js";
import type { Options } from "./options.js";
import { print } from "./output.js";
import { readPlan } from "./request.js";
import { promiseOf, tableText } from "./words.js";

/** `standin plan`: what a release would measure, with what noise, at what price. Touches no data and charges nothing. */
export async function run(options: Options): Promise<void> {
  checkRowOptions({ rows: options.number("rows"), seed: options.number("seed") });
  const plan = await readPlan(options);
  const ledger = options.text("ledger");
  if (ledger !== undefined) checkLedger(ledger, plan);
  await print(options.has("json") ? `${JSON.stringify(plan, null, 2)}\n` : ledgerText(plan));
}

function ledgerText(plan: Plan): string {
  const { items, rho, mechanism } = plan.toJSON();
  const spent = items.reduce((sum, item) => sum + item.rho, 0);
  const cells = items.reduce((sum, item) => sum + item.cells, 0);
  const rows = items.map((item) => [
    item.query,
    item.columns.join(" × "),
    String(item.cells),
    Math.sqrt(item.sigma2).toPrecision(5),
    item.rho.toPrecision(5),
  ]);
  const table = tableText(
    [
      ["query", "columns", "cells", "sigma", "rho"],
      ...rows,
      ["total", `${items.length} items`, String(cells), "", spent.toPrecision(5)],
    ],
    [2, 3, 4],
  );
  return `${table}\n\n${mechanism}, budget rho = ${rho.toPrecision(5)}: ${promiseOf(plan)}\n`;
}
