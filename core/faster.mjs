// Makes faster what QuickJS does slowly and standin does often.

const EDITS = [
  // The places of keys in maps and sets are the low bits of what map_hash_key returns. It multiplies an address, or the
  // halves of a double, by an odd constant: bits that are zero in all addresses, and in all small whole numbers, stay
  // zero, so that most places of a table are never used.
  {
    within: "static uint32_t map_hash_key(",
    from: "return h ^ ctx->hash_seed ^ hash32(tag);",
    to: "h = hash32(h ^ ctx->hash_seed ^ hash32(tag)); return h ^ h >> 16;",
  },
  // Garbage in cycles is rare, and looking for it takes as long as there are objects: a small heap may grow first.
  {
    within: "static void js_trigger_gc(",
    from: "(rt->malloc_state.malloc_size >> 1)",
    to: "max_int(rt->malloc_state.malloc_size >> 1, 2 << 20)",
  },
  // Errors do not record where they were made, which no script reads.
  {
    within: "static void build_backtrace(",
    from: "    bool backtrace_barrier, has_prepare, has_filter_func;\n",
    to: "    return;\n$&",
  },
  // Arrays of counts become arrays of doubles number by number, not property by property.
  {
    within: "static JSValue js_typed_array_constructor_ta(",
    from: "    } else {\n        for(i = 0; i < len; i++) {\n",
    to: `    } else if (classid == JS_CLASS_FLOAT64_ARRAY && p->class_id == JS_CLASS_INT32_ARRAY) {
        const int32_t *counts = (int32_t *)(src_abuf->data + ta->offset);
        for(i = 0; i < len; i++) ((double *)abuf->data)[i] = counts[i];
$&`,
  },
  // So do lists of numbers, up to the first entry that is none.
  {
    within: "static JSValue js_typed_array_set_internal(",
    from: "    for(i = 0; i < src_len; i++) {\n",
    to: `    i = 0;
    if (p->class_id == JS_CLASS_FLOAT64_ARRAY && src_p->class_id == JS_CLASS_ARRAY && src_p->fast_array &&
        src_len == src_p->u.array.count) {
        double *to = p->u.array.u.double_ptr + offset;
        for(; i < src_len; i++) {
            JSValueConst number = src_p->u.array.u.values[i];
            if (JS_VALUE_GET_TAG(number) == JS_TAG_INT) to[i] = JS_VALUE_GET_INT(number);
            else if (JS_TAG_IS_FLOAT64(JS_VALUE_GET_TAG(number))) to[i] = JS_VALUE_GET_FLOAT64(number);
            else break;
        }
    }
    for(; i < src_len; i++) {
`,
  },
];

/** What a program without errors never notices, whose checks take time and bytes. */
const CHECKS = [
  // Variables are read and written without a check whether their declaration has been executed, unless it is that of
  // `this`, and so need no mark before it.
  ...["get_loc", "put_loc", "get_var_ref", "put_var_ref"].map((operation) => ({
    within: "static int resolve_scope_var(",
    from: `dbuf_putc(bc, OP_${operation}_check);`,
    to: `dbuf_putc(bc, OP_${operation});`,
  })),
  ...["get_loc", "get_var_ref"].map((operation) => ({
    within: "static int resolve_scope_var(",
    from: `get_op = OP_${operation}_check;`,
    to: `get_op = OP_${operation};`,
  })),
  {
    within: "static __exception int resolve_variables(",
    from: "} else {\n                                /* XXX: should check if variable can be used\n",
    to: "} else if (vd->var_name == JS_ATOM_this) {\n/*\n",
  },
  // Functions do not get the names of the variables that they are assigned to.
  {
    within: "static __exception int resolve_variables(",
    from: "                if (name == JS_ATOM_NULL)\n                    break;\n            }\n            goto no_change;",
    to: "            }\n            break;",
  },
];

/** @param source the text of quickjs.c, which runs scripts */
export function makeFaster(source) {
  return edited(source, EDITS);
}

/** @param source the text of quickjs.c, which compiles scripts */
export function dropChecks(source) {
  return edited(source, CHECKS);
}

function edited(source, edits) {
  return edits.reduce((text, { within, from, to }) => {
    const start = text.lastIndexOf(`\n${within}`);
    const [before, after] = [text.slice(0, start), text.slice(start)];
    const end = after.indexOf("\n}\n");
    if (start < 0 || after.slice(0, end).split(from).length !== 2) throw new Error(`quickjs.c differs: ${within}`);
    return before + after.replace(from, to);
  }, source);
}
