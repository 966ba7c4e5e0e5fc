// Reads the bytecode of a script as QuickJS writes it (JS_WriteObject), without debug information.

const [TRUE, FLOAT64, STRING, BIG_INT, TEMPLATE, FUNCTION] = [4, 6, 7, 10, 11, 12];
/** The type of atoms that are strings. */
const NAMED = 1;
/** A flag of a variable. */
const IS_CAPTURED = 64;

/**
 * @typedef {object} Text
 * @property {number} count twice its length, plus 1 if each character has two bytes
 * @property {Uint8Array} bytes
 *
 * @typedef {{ tag: number, count?: number, bytes?: Uint8Array, values?: Value[] }} Value
 * A constant, a text, or a template, whose last value has its texts as they are written; or a function, whose values
 * are its constants, and which has what #function returns.
 */

/** The operations of a QuickJS, by their number. @param {string} opcodes the text of quickjs-opcode.h */
export function operationsOf(opcodes) {
  return Array.from(opcodes.matchAll(/^DEF\( *(\w+), *(\d+), *\d+, *\d+, *(\w+)\)/gm), ([, name, size, format]) => ({
    name,
    size: Number(size),
    format,
    hasAtom: format.startsWith("atom"),
  }));
}

/**
 * @param {Uint8Array} bytecode
 * @param {ReturnType<typeof operationsOf>} operations
 * @returns the format's version, the number of the first atom that QuickJS itself does not have, the texts of atoms by
 * their numbers, and the script's function
 */
export function readBytecode(bytecode, operations) {
  return new Reader(bytecode, operations).script();
}

/** The names of the operations in the code of a value. @returns {Set<string>} */
export function usedBy({ values = [], code = [] }, operations) {
  const own = code.map(({ number }) => operations[number].name);
  return new Set([...own, ...values.flatMap((value) => [...usedBy(value, operations)])]);
}

class Reader {
  #at = 0;
  /** The largest number of an atom so far: QuickJS numbers them in the order of their first use. */
  #lastAtom = 0;

  constructor(bytecode, operations) {
    this.bytecode = bytecode;
    this.operations = operations;
  }

  script() {
    const [version] = this.#bytes(5); // and a checksum
    const texts = this.#times(this.#number(), () => {
      if (this.#byte() !== NAMED) throw new Error("An atom of the bytecode is not a string.");
      return this.#text();
    });
    const value = this.#value();
    if (this.#at !== this.bytecode.length) throw new Error("The bytecode goes on after its end.");
    const firstAtom = this.#lastAtom + 1 - texts.length;
    return { version, firstAtom, texts: new Map(texts.map((text, index) => [firstAtom + index, text])), value };
  }

  #byte() {
    return this.bytecode[this.#at++];
  }

  #bytes(count) {
    this.#at += count;
    return this.bytecode.subarray(this.#at - count, this.#at);
  }

  #number() {
    for (let value = 0, shift = 0; ; shift += 7) {
      const part = this.#byte();
      value |= (part & 127) << shift;
      if (part < 128) return value >>> 0;
    }
  }

  #times(count, read) {
    return Array.from({ length: count }, read);
  }

  #text() {
    const count = this.#number();
    return { count, bytes: this.#bytes((count >> 1) << (count & 1)) };
  }

  #value() {
    const tag = this.#byte();
    if (tag <= TRUE) return { tag };
    if (tag === FLOAT64) return { tag, bytes: this.#bytes(8) };
    if (tag === STRING) return { tag, ...this.#text() };
    if (tag === FUNCTION) return { tag, ...this.#function() };
    const count = this.#number();
    if (tag === BIG_INT) return { tag, count, bytes: this.#bytes(count) };
    if (tag === TEMPLATE) return { tag, count, values: this.#times(count + 1, () => this.#value()) };
    throw new Error(`The bytecode has a constant of the unknown tag ${tag}.`);
  }

  #function() {
    const flags = this.#bytes(3);
    this.#name();
    const [taken, variables, needed, stack, captured, closures, constants, length, locals] = this.#times(9, () =>
      this.#number(),
    );
    const captures = this.#times(locals, () => this.#capture());
    const closure = this.#times(closures, () => {
      this.#name();
      return { place: this.#number(), flags: this.#number() };
    });
    const values = this.#times(constants, () => this.#value());
    const code = this.#code(length);
    return { flags, taken, variables, needed, stack, captured, captures, closure, values, length, code };
  }

  /** Names of variables and functions count as uses of atoms, and matter to nothing else. */
  #name() {
    const name = this.#number();
    if (!(name & 1)) this.#seen(name >> 1);
  }

  #seen(atom) {
    // A number with the highest bit is the atom of an index.
    if (atom >> 31 === 0) this.#lastAtom = Math.max(this.#lastAtom, atom);
    return atom;
  }

  /** An argument's or a variable's place among the captured ones. */
  #capture() {
    this.#name();
    const [, , flags] = [this.#number(), this.#number(), this.#byte()];
    return flags & IS_CAPTURED ? this.#number() : undefined;
  }

  #code(length) {
    const code = [];
    for (const end = this.#at + length; this.#at < end; ) {
      const number = this.#byte();
      const { size, hasAtom } = this.operations[number];
      const operands = this.#bytes(size - 1);
      if (hasAtom) code.push({ number, atom: this.#seen(u32(operands)), operands: operands.subarray(4) });
      else code.push({ number, operands });
    }
    return code;
  }
}

function u32(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
}
