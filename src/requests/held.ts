// What hosts hold by number, of all requests.
import type { Table } from "../core/table.js";
import type { Release } from "../frame/release.js";
import type { Schema } from "../schema/schema.js";
import type { Given } from "./message.js";
import { Shelf } from "./shelf.js";

export const shelf = new Shelf();

export const schemaOf = (given: Given) => shelf.get<Schema>("schema", given.schema);
export const tableOf = (number: unknown) => shelf.get<Table>("table", number);
export const releaseOf = (given: Given) => shelf.get<Release>("release", given.release);
export const publicTableOf = ({ publicTable }: Given) => (publicTable === undefined ? undefined : tableOf(publicTable));
