// Cuts from QuickJS what its script cannot come to, though the tables of the language name it: operations that the
// compiler has not used, and functions behind them and behind parts of the language that the script leaves alone.

/** Functions that become traps, unless the script has words that may lead to them. */
const UNREACHED = [
  {
    // Modules.
    words: /\bimport\b|\bexport\b/,
    functions: `JS_ReadModule js_create_module_function js_dynamic_import js_evaluate_module js_import_meta
      js_link_module js_resolve_module`,
  },
  {
    // Disposal of resources.
    words: /\busing\b|dispose/i,
    functions: `js_async_dispose_step js_async_iterator_proto_dispose js_disposable_stack_dispose
      js_iterator_proto_dispose js_new_suppressed_error`,
  },
  {
    // Methods of iterators, which Node 20 does not have.
    words: /\bIterator\b/,
    functions: `js_iterator_concat_next js_iterator_concat_return js_iterator_helper_next js_iterator_wrap_next`,
  },
  {
    // Scripts that are made of text.
    words: /\bFunction\b|\beval\b/,
    functions: "JS_EvalInternal js_function_constructor",
  },
];

/**
 * @param source the text of quickjs.c
 * @param script what it will run
 * @returns the text with traps instead of functions
 */
export function trapUnreached(source, script) {
  const names = UNREACHED.filter(({ words }) => !words.test(script)).flatMap(({ functions }) => functions.split(/\s+/));
  return names.reduce((text, name) => {
    const body = new RegExp(`(\\n\\w[\\w *]*\\b${name}\\([^;{]*\\)\\n\\{)\\n.*?(\\n\\}\\n)`, "s");
    if (!body.test(text)) throw new Error(`quickjs.c differs: ${name}`);
    return text.replace(body, "$1 __builtin_trap();$2");
  }, source);
}

const TABLE = "    __extension__ static const void * const dispatch_table[256] = {\n";

/**
 * @param source the text of quickjs.c
 * @param {Set<string>} used the names of operations in the bytecode that it will run
 * @returns the text without the other operations: they are unknown
 */
export function cutOperations(source, used) {
  const cut = [];
  const text = source.replace(/\bCASE\(OP_(\w+)\):/g, (label, name) => {
    if (used.has(name) || name === "invalid") return label;
    cut.push(name);
    return "";
  });
  if (!text.includes(TABLE)) throw new Error("quickjs.c differs: dispatch_table");
  const unknown = cut.map((name) => `#define case_OP_${name} case_default\n`).join("");
  return text.replace(TABLE, `${unknown}$&`);
}
