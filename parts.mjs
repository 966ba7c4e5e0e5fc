// What entries share (entries.mjs): esbuild puts it into modules, one for each set of entries that need the same code.

/** In the script of a thread: esbuild, and tools that use it, may have functions call this to keep their names. */
const HELPER = "const __name=value=>value;";

/** An import of another module that esbuild made: its names, if any, and the module. */
const MADE = /import(?:\{([^}]*)\}from)?"\.\/([\w-]+-[A-Z\d]{8}\.js)";/g;

/**
 * The statements of a module that esbuild made: the line for a shell, imports of other such modules, other imports, the
 * code, and exports as [name here, name there].
 */
export function statementsOf(text) {
  const [, shell = "", imports, body, list] =
    /^(#!.*?\n)?((?:import\b(?!\()[^;]*;)*)(.*?)(?:export\{([^}]*)\};)?\s*$/s.exec(text);
  return {
    shell,
    needs: Array.from(imports.matchAll(MADE), ([statement, names, from]) => ({ statement, names, from })),
    imports: imports.replace(MADE, ""),
    body,
    exports: (list?.split(",") ?? []).map((name) => (([here, there = here]) => [here, there])(name.split(" as "))),
  };
}

/** The modules that some take something from, each after those that it takes something from itself. */
export function neededBy(modules, names, found = new Set()) {
  for (const name of names) {
    const needed = takenBy(modules.get(name)).map(({ from }) => from);
    neededBy(modules, needed, found);
    for (const module of needed) found.add(module);
  }
  return found;
}

/** An import without names is there for an effect. */
const takenBy = ({ needs }) => needs.filter(({ names }) => names);

/**
 * The modules that all main entries need, in two files, since every file takes time to load. In these, a module is a
 * part: what a function has returned that takes the parts which the module needs. Other threads run the text of such
 * functions.
 */
export class Parts {
  /** For what must start fast. */
  static FIRST = "shared/first-parts.js";
  /** The others, and `threadScript`. */
  static OTHERS = "shared/parts.js";

  #modules;
  #thread;
  /** Each with its name and its file, after those that it needs. */
  #parts;
  /** Those that threads need. */
  #inThreads;

  /**
   * @param modules esbuild's, by name
   * @param main a module that needs all parts, and no others
   * @param first one that needs the first parts
   * @param thread what threads run
   */
  constructor(modules, main, first, thread) {
    this.#modules = modules;
    this.#thread = thread;
    this.#inThreads = neededBy(modules, [thread]);
    const isFirst = neededBy(modules, [first]);
    const names = [...neededBy(modules, [main])];
    this.#parts = new Map(
      names.map((name, at) => [name, { name: `part${at}`, file: isFirst.has(name) ? Parts.FIRST : Parts.OTHERS }]),
    );
  }

  has(module) {
    return this.#parts.has(module);
  }

  /**
   * The statements that give a module what it takes from parts.
   * @param pathTo gives the path from there to a file of dist/
   */
  givenTo(module, pathTo) {
    const taken = takenBy(module).filter(({ from }) => this.has(from));
    const imports = [Parts.FIRST, Parts.OTHERS].map((file) => {
      const names = taken.map(({ from }) => this.#parts.get(from)).filter((part) => part.file === file);
      return names.length ? `import{${names.map(({ name }) => name)}}from"${pathTo(file)}";` : "";
    });
    const patterns = taken.map(({ names, from }) => `const${patternOf(names)}=${this.#nameOf(from)};`);
    return [...imports, ...patterns].join("");
  }

  /** The two files, with their texts. */
  files() {
    const first = this.#madeIn(Parts.FIRST);
    const others = this.#madeIn(Parts.OTHERS);
    const imports = `import{${first.names}}from"./first-parts.js";`;
    return [
      [Parts.FIRST, `${first.code}export{${first.names}};`],
      [Parts.OTHERS, `${imports}${others.code}${this.#threadScript()}export{${others.names},threadScript};`],
    ];
  }

  #madeIn(file) {
    const modules = [...this.#parts.keys()].filter((module) => this.#parts.get(module).file === file);
    const codeOf = (module) => `code_${this.#nameOf(module)}`;
    const made = modules.map((module) => {
      const code = this.#functionOf(module);
      return this.#inThreads.has(module)
        ? `const ${codeOf(module)}=${code},${this.#nameOf(module)}=${this.#call(codeOf(module), module)};`
        : `const ${this.#nameOf(module)}=${this.#call(code, module)};`;
    });
    const names = [
      ...modules.map((module) => this.#nameOf(module)),
      ...modules.filter((module) => this.#inThreads.has(module)).map(codeOf),
    ];
    return { code: made.join(""), names };
  }

  /** A function that gives the script of another thread, whose end of the connection is the value of `port`. */
  #threadScript() {
    const parts = Array.from(this.#inThreads, (module) => {
      const name = this.#nameOf(module);
      return `const ${name}=${this.#call(`\${code_${name}}`, module)};`;
    });
    const served = this.#call(`\${${this.#functionOf(this.#thread)}}`, this.#thread);
    return `const threadScript=port=>\`"use strict";${HELPER}${parts.join("")}${served}.serve(\${port})\`;`;
  }

  /** A module's code as a function of the parts that it takes something from. */
  #functionOf(module) {
    const { imports, body, exports } = this.#modules.get(module);
    const others = takenBy(this.#modules.get(module)).filter(({ from }) => !this.has(from));
    if (imports || others.length || /\bimport\(/.test(body)) throw new Error(`${module} needs more than parts.`);
    const returned = exports.map(([here, there]) => `${there}:${here}`);
    const patterns = takenBy(this.#modules.get(module)).map(({ names }) => patternOf(names));
    return `function(${patterns}){${body}return{${returned}}}`;
  }

  #call(code, module) {
    return `(${code})(${takenBy(this.#modules.get(module)).map(({ from }) => this.#nameOf(from))})`;
  }

  #nameOf(module) {
    return this.#parts.get(module).name;
  }
}

/** The names of an import, in a pattern that takes an object apart. */
const patternOf = (names) => `{${names.replaceAll(" as ", ":")}}`;
