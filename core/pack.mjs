// Packs the bytecode of a script: leaves out what only errors, debuggers and eval need, and sorts the rest into the
// streams of streams.h, each of which has bytes of one meaning. Whatever compresses the module finds more in these.
// unpack.c puts the bytecode together again.
import { readFileSync } from "node:fs";

const HEADER = readFileSync(new URL("streams.h", import.meta.url), "utf8");
const STREAMS = [...HEADER.matchAll(/^ {2}([A-Z_]+),$/gm)].map(([, name]) => name);
const [ATOM, KIND, TWO_BYTES] = ["ATOM", "KIND", "TWO_BYTES"].map((name) =>
  Number(new RegExp(`^#define ${name} (\\d+)$`, "m").exec(HEADER)[1]),
);
/** What one byte can number. */
const MOST = 256;
/** Flags of a function in its first two bytes: what eval may use in it, and where error traces end. */
const UNUSED = [0b1100_0000, 0b0000_0111];

/**
 * @param script from readBytecode
 * @param operations from operationsOf
 * @param most how many bytes QuickJS's form has, at least as many as unpack.c makes of this
 * @returns {Uint8Array} what unpack.c reads
 */
export function packed(script, operations, most) {
  return new Packer(operations, script).packed(most);
}

class Packer {
  /** The bytes of each stream, by its number. */
  #streams = STREAMS.map(() => []);
  /** The first stream of the operands of each operation. */
  #operands;
  /** The number of each combination of flags. */
  #flags = new Map();
  /** Places of common atoms, from 1. */
  #places = new Map();

  constructor(operations, script) {
    this.script = script;
    const first = new Map();
    this.#operands = operations.map(({ name, size, format, hasAtom }) => {
      if (size === 1) return 0;
      // Atoms have two streams for each operation, and bytes that follow an atom have their own.
      const kind = hasAtom ? name : format;
      if (!first.has(kind)) {
        first.set(kind, this.#streams.length);
        for (let left = hasAtom ? size - 3 : size - 1; left; left--) this.#streams.push([]);
      }
      return first.get(kind);
    });
    if (this.#streams.length > MOST) throw new Error("There are more streams than a byte can number.");
    this.#bytes("SIZES", ...operations.map(({ size, hasAtom }) => size + (hasAtom ? ATOM : 0)));
    this.#bytes("OPERANDS", ...this.#operands);
  }

  packed(most) {
    this.#atoms();
    this.#value(this.script.value);
    const numbers = [most, this.#streams.length, ...this.#streams.map(({ length }) => length)];
    return Uint8Array.from([numbers.flatMap(leb128), ...this.#streams].flat());
  }

  #bytes(stream, ...bytes) {
    this.#streams[typeof stream === "string" ? STREAMS.indexOf(stream) : stream].push(...bytes);
  }

  #numbers(stream, ...numbers) {
    this.#bytes(stream, ...numbers.flatMap(leb128));
  }

  #text(counts, texts, { count, bytes }) {
    this.#numbers(counts, count);
    this.#bytes(texts, ...bytes);
  }

  /** The table of atoms: first those that are common, by their frequency, then texts that are named once. */
  #atoms() {
    const { version, firstAtom, texts, value } = this.script;
    const counts = new Map();
    for (const atom of atomsOf(value)) counts.set(atom, (counts.get(atom) ?? 0) + 1);
    const isRare = (atom) => counts.get(atom) === 1 && texts.has(atom);
    const common = [...counts.keys()].filter((atom) => !isRare(atom)).sort((a, b) => counts.get(b) - counts.get(a));
    if (common.length >= TWO_BYTES + ((MOST - TWO_BYTES) << 8)) throw new Error("There are too many common atoms.");
    for (const [index, atom] of common.entries()) this.#places.set(atom, index + 1);
    this.#bytes("COMMON", version);
    this.#numbers("COMMON", firstAtom, common.length, ...common.map((atom) => (texts.has(atom) ? 0 : atom + 1)));
    const named = [...common, ...[...counts.keys()].filter(isRare)].filter((atom) => texts.has(atom));
    this.#numbers("NAME_LENGTH", named.length);
    for (const atom of named) this.#text("NAME_LENGTH", "NAME", texts.get(atom));
  }

  #value(value) {
    const { tag, count, bytes, values, code } = value;
    this.#bytes("TAG", tag);
    if (code) return this.#function(value);
    if (count !== undefined) this.#numbers("COUNT", count);
    if (bytes) this.#bytes("BYTES", ...bytes);
    for (const each of values ?? []) this.#value(each);
  }

  #function({ flags, taken, needed, variables, stack, captured, captures, closure, values, length, code }) {
    this.#bytes("FLAGS_OF", this.#numberOf(flags.map((byte, index) => byte & ~(UNUSED[index] ?? 0))));
    this.#numbers("ARGUMENTS", taken);
    this.#numbers("OPTIONAL", taken - needed);
    this.#numbers("VARIABLES", variables);
    this.#numbers("STACK", stack);
    this.#numbers("CAPTURED", captured);
    this.#numbers("CLOSURES", closure.length);
    this.#numbers("CONSTANTS", values.length);
    this.#numbers("LENGTH", length);
    this.#numbers("CAPTURE", ...captures.map((place) => (place === undefined ? 0 : place + 1)));
    this.#numbers("CLOSURE", ...closure.map(({ place, flags }) => (place << KIND) | (flags & ((1 << KIND) - 1))));
    for (const value of values) this.#value(value);
    for (const { number, atom, operands } of code) {
      this.#bytes("CODE", number);
      let stream = this.#operands[number];
      if (atom !== undefined) {
        this.#atom(stream, atom);
        stream += 2;
      }
      for (const [index, byte] of operands.entries()) this.#bytes(stream + index, byte);
    }
  }

  #numberOf(flags) {
    const name = flags.join();
    if (!this.#flags.has(name)) {
      this.#flags.set(name, this.#flags.size);
      this.#bytes("FLAGS", ...flags);
    }
    return this.#flags.get(name);
  }

  #atom(stream, atom) {
    const place = this.#places.get(atom) ?? 0;
    if (place < TWO_BYTES) return this.#bytes(stream, place);
    this.#bytes(stream, TWO_BYTES + ((place - TWO_BYTES) >> 8));
    this.#bytes(stream + 1, (place - TWO_BYTES) & 255);
  }
}

/** The atoms that a value's code names, in the order in which unpack.c comes to them. */
function* atomsOf({ values = [], code = [] }) {
  for (const value of values) yield* atomsOf(value);
  for (const { atom } of code) if (atom !== undefined) yield atom;
}

function leb128(number) {
  return number < 128 ? [number] : [(number & 127) | 128, ...leb128(number >>> 7)];
}
