// The 64 sets of three columns of Adult that Liu et al. 2021 draw at random (458,996 cells).
import { join } from "node:path";
import type { Schema, Table } from "../src/node.js";
import { codedTable } from "./tables.js";

/** The columns of each set, by their places in the table, in base 14. */
const SETS =
  "57a 58c 46d 038 135 45d 7cd 59d 4bd 179 469 139 367 2bd 18c 234 04d 6ad 13d 36b 346 027 018 167 1ac 156 79c 035 47a " +
  "267 68c 145 01d 238 48c 67d 68a 34b 256 0cd 6bc 35c 689 89c 3cd 9bd 369 23d 123 35d 37c 289 067 26c 359 46c 58d 089 " +
  "567 489 48a 048 159 157";

/** The table, from the folder of real tables, and the sets. */
export function adult64(data: string): { schema: Schema; table: Table; workload: string[][] } {
  const { schema, table } = codedTable(join(data, "adult"), "adult_coded");
  const nameOf = (place: string) => schema.attributes[Number.parseInt(place, 14)].name;
  return { schema, table, workload: SETS.split(" ").map((set) => [...set].map(nameOf)) };
}
