// The other side of remote.ts, in the page.
import { StandinError } from "../src/core/errors.js";

const ARRAYS = { Float32Array, Int32Array, Uint32Array, Uint16Array, Uint8Array, Float64Array };

interface Call {
  readonly number: number;
  readonly name: string;
  readonly values: readonly unknown[];
}

/** Lets `remoteRoot` call the methods of an object, and of the objects that these return. */
export function serve(root: object): void {
  const objects: object[] = [root];
  const numbers = new Map<object, number>();
  globalThis.answerCall = async (call) => {
    const { number, name, values } = call as Call;
    const target = objects[number] as Record<string, (...values: unknown[]) => unknown>;
    try {
      return { result: packed(await target[name](...values.map((value) => unpacked(value)))) };
    } catch (error) {
      if (!(error instanceof StandinError)) throw error;
      return { code: error.code, message: error.message };
    }
  };

  function packed(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((entry) => packed(entry));
    if (ArrayBuffer.isView(value)) {
      const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
      let text = "";
      for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
      return { array: value.constructor.name, base64: btoa(text) };
    }
    if (!numbers.has(value)) numbers.set(value, objects.push(value) - 1);
    const plain = Object.entries(value).filter(([, entry]) => ["number", "string", "boolean"].includes(typeof entry));
    return { object: numbers.get(value), members: Object.fromEntries(plain) };
  }

  function unpacked(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((entry) => unpacked(entry));
    if (typeof value !== "object" || value === null) return value;
    const given = value as {
      object?: number;
      array?: keyof typeof ARRAYS;
      base64?: string;
      members: Record<string, unknown>;
    };
    if (given.object !== undefined) return objects[given.object];
    if (given.array)
      return new ARRAYS[given.array](Uint8Array.from(atob(given.base64!), (digit) => digit.charCodeAt(0)).buffer);
    return Object.fromEntries(Object.entries(given.members).map(([name, entry]) => [name, unpacked(entry)]));
  }
}
