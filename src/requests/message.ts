import type { Watcher } from "../core/progress.js";

/** An answer: JSON, and texts in parts of their own. */
export interface Message {
  readonly json: object | null;
  readonly parts: readonly string[];
}

/** A request's members, not checked yet. */
export type Given = Readonly<Record<string, unknown>>;

/** A part of a request. */
export interface Part {
  readonly bytes: Uint8Array;
  text(): string;
}

/** Answers one kind of request. The caller receives its progress and can cancel. */
export type Handler = (given: Given, parts: readonly Part[], caller: Required<Watcher>) => Message | Promise<Message>;

export const message = (json: object | null, ...parts: string[]): Message => ({ json, parts });

/** No engine has memory for more. */
const MOST = 2 ** 32 - 1;

/** A number of rows, bytes and so on. */
export function count(value: unknown): number {
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST) return value as number;
  throw malformed();
}

export const malformed = () => new TypeError("The request is not well-formed.");
