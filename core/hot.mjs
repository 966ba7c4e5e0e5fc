// Says which functions of QuickJS are compiled for speed. All others are compiled for size.

/** Functions that take 97 % of the time that the core spends outside the engine, as sampled over bench/runtimes. */
const HOT = `
  __JS_AtomToValue __JS_NewAtom add_fast_array_element add_property add_shape_property bc_get_buf expand_fast_array
  free_gc_object free_property free_var_ref gc_decref_child gc_scan_incref_child get_var_ref hash_string is_num_string
  js_alloc_string js_alloc_string_rt js_arena_free js_arena_malloc js_array_buffer_constructor3 js_array_every
  js_array_finalizer js_array_find js_array_from js_array_includes js_array_iterator_next js_array_join js_array_mark
  js_array_push js_array_reduce JS_ArraySpeciesCreate js_atof JS_AtomGetKind JS_AtomIsArrayIndex
  JS_AtomIsNumericIndex1 js_bigint_divrem js_binary_arith_slow js_binary_logic_slow js_bytecode_function_finalizer
  js_bytecode_function_mark js_call_c_function JS_CallInternal js_calloc_rt JS_CheckBrand js_clone_shape js_closure
  js_closure2 JS_CopyDataProperties js_create_array js_create_array_iterator JS_CreateProperty js_dataview_setValue
  JS_DefineAutoInitProperty JS_DefineProperty JS_DefinePropertyValueValue js_eq_slow JS_FlattenIntoArray
  js_free_prop_enum js_free_rt js_free_shape0 js_free_string0 JS_FreeValueRT js_get_fast_array_element
  JS_GetFunctionRealm JS_GetOwnPropertyInternal2 JS_GetPropertyInt64 JS_GetPropertyInternal JS_GetPropertyValue
  JS_IsInstanceOf JS_IteratorClose JS_IteratorNext JS_IteratorNext2 js_json_to_str js_malloc js_malloc_rt
  js_map_constructor js_map_get js_map_set js_new_string8_len JS_NewArrayFrom JS_NewObjectFromShape
  JS_NewObjectProtoClass js_number js_number_constructor js_operator_typeof js_realloc js_realloc_rt
  js_relational_slow JS_RunGC JS_SetPropertyValue js_strict_eq2 js_string_concat JS_ToCStringLen2 JS_ToFloat64
  JS_ToIndex JS_ToInt32Free JS_ToNumberHintFree JS_ToStringFree JS_ToStringInternal JS_TryGetPropertyInt64
  js_typed_array_constructor js_typed_array_constructor_ta js_typed_array_get_length js_typed_array_join
  js_typed_array_set JS_ValueToAtomInternal json_parse_value map_find_record map_hash_key mark_children
  resize_properties set_array_length string_buffer_concat_value_free string_buffer_putc8 string_buffer_realloc
  string_buffer_write8 string_getc typed_array_is_oob
`;

/** The head of a function's definition, up to its body. */
const HEAD = /^(?:\w+ )*\w+[ *]+(\w+)\((?:[^(){};]|\([^()]*\))*\)\n\{/gm;

/**
 * @param source the text of quickjs.c
 * @returns the text, in which the functions that are not hot ask to be small
 */
export function coolDown(source) {
  const hot = new Set(HOT.trim().split(/\s+/));
  const unseen = new Set(hot);
  const cooled = source.replace(HEAD, (head, name) => {
    unseen.delete(name);
    return hot.has(name) || /^[^(]*\binline\b/.test(head) ? head : `__attribute__((minsize)) ${head}`;
  });
  if (unseen.size) throw new Error(`quickjs.c differs: ${[...unseen].join(", ")}`);
  return cooled;
}
