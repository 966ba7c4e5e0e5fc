// The ledger of a plan or a release, class by class.
import { RHO_UNIT } from "../privacy/accounting.js";
import { chargeOf } from "../privacy/items.js";
import { isQueryItem, type Ledger } from "../privacy/ledger.js";
import { classNamed } from "../queries/index.js";
import type { ReleasedItem } from "./release.js";

/** What is measured of a class of queries. */
export interface ClassLedger {
  /** The name of the class. */
  readonly query: string;
  /** How many measurements its queries have. In a plan with choices at most; absent where that is not known. */
  readonly items?: number;
  /** How many candidates of the plan's choices are of the class. Absent where there are no choices. */
  readonly candidates?: number;
  /** The ρ of its measurements; in a plan with choices, at most. The choices themselves come on top. */
  readonly rho: number;
}

/** How many candidates of each class there are, by its name. */
export type ClassCandidates = Readonly<Record<string, number>>;

/** The sums of one class. */
interface Sums {
  items: number;
  units: bigint;
}

/** Sums by the name of the class, in the order in which the classes occur. */
class ClassSums extends Map<string, Sums> {
  add(name: string, items: number, units: bigint): void {
    const sums = this.get(name) ?? { items: 0, units: 0n };
    this.set(name, { items: sums.items + items, units: sums.units + units });
  }

  ledger(candidates: ClassCandidates | undefined, isKnown = true): ClassLedger[] {
    return [...this].map(([query, { items, units }]) => ({
      query,
      ...(isKnown && { items }),
      ...(candidates && { candidates: candidates[query] ?? 0 }),
      rho: Number(units) * RHO_UNIT,
    }));
  }
}

/** The candidates of each class, or undefined if there are none. */
export function candidatesByClass({ candidates }: Pick<Ledger, "candidates">): ClassCandidates | undefined {
  const counts: Record<string, number> = {};
  for (const { one, count } of candidates) counts[one.kind] = (counts[one.kind] ?? 0) + count;
  return candidates.length ? counts : undefined;
}

/** What a plan measures of each class at most. */
export function plannedClasses(ledger: Ledger): ClassLedger[] {
  const { items, shown, cap } = ledger;
  const sums = new ClassSums();
  for (const item of items) if (isQueryItem(item)) sums.add(item.query.kind, 1, chargeOf(item));
  const candidates = candidatesByClass(ledger);
  for (const name of Object.keys(candidates ?? {})) sums.add(name, 0, 0n);
  for (const item of shown) if (isQueryItem(item)) sums.add(item.query.kind, 0, 0n);
  if (cap !== undefined) for (const name of [...sums.keys()]) sums.add(name, 0, cap);
  const open = items.filter((item) => item.kind === "measurement" && !isQueryItem(item)).map(chargeOf);
  for (const [name, count] of Object.entries(candidates ?? {})) {
    const most = open.slice(0, count);
    sums.add(
      name,
      most.length,
      most.reduce((sum, charge) => sum + charge, 0n),
    );
  }
  return sums.ledger(candidates, cap === undefined);
}

/** What a release has measured of each class. */
export function releasedClasses(
  items: readonly ReleasedItem[],
  candidates: ClassCandidates | undefined,
): ClassLedger[] {
  const sums = new ClassSums();
  for (const entry of items)
    if ("measurement" in entry) sums.add(entry.measurement.query.kind, 1, BigInt(entry.item.rho / RHO_UNIT));
  for (const name of Object.keys(candidates ?? {})) sums.add(name, 0, 0n);
  return sums.ledger(candidates);
}

/** Whether some of these classes are not of column sets, so that a ledger of each class says something new. */
export const haveOtherClasses = (names: readonly string[]): boolean =>
  names.some((name) => !classNamed(name)?.isColumnSet);

/** The ledger of each class where it says something new. */
export const toldClasses = (classes: readonly ClassLedger[]): readonly ClassLedger[] | undefined =>
  haveOtherClasses(classes.map(({ query }) => query)) ? classes : undefined;
