// Cuts from QuickJS what its scripts cannot name. The tables of built-in functions keep what a script mentions and what
// the language itself looks up; what only the others need, the linker drops.

/** What the language looks up by name, whatever a script says. Functions named by symbols stay too. */
const LOOKED_UP = new Set(
  `concat constructor exec flags get hasIndices global ignoreCase multiline dotAll unicode unicodeSets sticky lastIndex
  message name next resolve return set then throw toJSON toString valueOf
  values entries parseInt parseFloat dispose disposeAsync`.split(/\s+/),
);
/** Tables of functions that Node 20 does not have, named like some that it has. */
const TOO_NEW = ["js_iterator_proto_funcs", "js_iterator_funcs"];

const ENTRY = /^ *JS_(?:CFUNC|CGETSET|PROP|ITERATOR_NEXT|ALIAS_DEF)\w*\("(\w+)",.*\),?[^\n(]*\n/gm;

/**
 * @param source the text of quickjs.c
 * @param script what it will run
 * @returns the text without what the script does not name
 */
export function cutBuiltins(source, script) {
  const words = new Set(script.match(/\w+/g));
  const newer = TOO_NEW.reduce((text, table) => {
    const list = new RegExp(`JSCFunctionListEntry ${table}\\[\\] = \\{\n.*?\n\\};`, "s");
    if (!list.test(text)) throw new Error(`quickjs.c differs: ${table}`);
    return text.replace(list, (entries) => entries.replace(ENTRY, ""));
  }, source);
  return newer.replace(ENTRY, (entry, name) => (words.has(name) || LOOKED_UP.has(name) ? entry : ""));
}

const PROPERTY = /(\nstatic int parse_unicode_property\([^)]*\)\n\{)\n.*?(\n\}\n)/s;

/**
 * @param source the text of libregexp.c
 * @param script what QuickJS will run
 * @returns the text without properties of Unicode (\p), whose tables are large
 */
export function cutProperties(source, script) {
  if (/\\p\{/i.test(script)) throw new Error("The script uses properties of Unicode in a regular expression.");
  if (!PROPERTY.test(source)) throw new Error("libregexp.c differs: parse_unicode_property");
  return source.replace(PROPERTY, '$1\n    return re_parse_error(s, "no properties");$2');
}
