// Objects of a page as if they were here: calls become messages, and every method's result a promise. Objects that are
// here can be used in the same way.
import type { Page } from "playwright-core";
import { StandinError } from "../src/core/errors.js";

/** An object whose methods all return promises, as those of an object elsewhere do. */
export type Remote<T> = {
  readonly [Name in keyof T]: T[Name] extends (...values: infer Values) => infer Result
    ? (...values: Values) => Promise<Awaited<Result>>
    : T[Name];
};

/** An object of this process, used like one of a page. */
export function remote<T extends object>(local: T): Remote<T> {
  return new Proxy(local, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? async (...values: unknown[]) => member.apply(target, values) : member;
    },
  }) as Remote<T>;
}

/** The number of an object in the page, by the object that stands for it here. */
const numbers = new WeakMap<object, number>();
/** What a page's script has to call `serve` with is the object 0. */
const ROOT = 0;

/** The object that a page's script serves. */
export const remoteRoot = <T extends object>(page: Page): Remote<T> => standIn(page, ROOT) as Remote<T>;

function standIn(page: Page, number: number, members: object = {}): object {
  const proxy = new Proxy(members, {
    get: (target, name) => {
      if (typeof name === "symbol" || name === "then") return undefined;
      if (name in target) return Reflect.get(target, name);
      return async (...values: unknown[]) => {
        const message = { number, name, values: values.map((value) => packed(value)) };
        const { code, message: text, result } = await page.evaluate((call) => globalThis.answerCall(call), message);
        if (code) throw new StandinError(code, text!);
        return unpacked(page, result);
      };
    },
  });
  numbers.set(proxy, number);
  return proxy;
}

const ARRAYS = { Float32Array, Int32Array, Uint32Array, Uint16Array, Uint8Array, Float64Array, BigInt64Array };
type ArrayName = keyof typeof ARRAYS;

/** A value as JSON: arrays of numbers as their bytes, objects of the page as their numbers. */
function packed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (numbers.has(value)) return { object: numbers.get(value) };
  if (Array.isArray(value)) return value.map((entry) => packed(entry));
  if (ArrayBuffer.isView(value)) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return { array: value.constructor.name, base64: bytes.toString("base64") };
  }
  return { members: Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, packed(entry)])) };
}

function unpacked(page: Page, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => unpacked(page, entry));
  if (typeof value !== "object" || value === null) return value;
  const given = value as { object?: number; array?: ArrayName; base64?: string; members: Record<string, unknown> };
  if (given.array) {
    const bytes = Uint8Array.from(Buffer.from(given.base64!, "base64"));
    return new ARRAYS[given.array](bytes.buffer);
  }
  const members = Object.fromEntries(
    Object.entries(given.members).map(([name, entry]) => [name, unpacked(page, entry)]),
  );
  return given.object === undefined ? members : standIn(page, given.object, members);
}

/** What a call returned, or the error of standin's that it threw. */
export interface Answer {
  readonly result?: unknown;
  readonly code?: string;
  readonly message?: string;
}

declare global {
  /** What `serve` puts into a page. */
  var answerCall: (call: unknown) => Promise<Answer>;
}
