// QuickJS's compiler, which the build runs: a script in, its bytecode out.
#include <stdint.h>
#include <stdlib.h>
#include "quickjs.h"

#define EXPORT(name) __attribute__((export_name(#name)))

static size_t bytecode_length;

EXPORT(alloc) void *alloc(size_t bytes) { return calloc(bytes, 1); }

/** @returns the bytecode, of bytecode_bytes() bytes; 0 if the script is wrong. The text must end with a 0. */
EXPORT(compile) uint8_t *compile(const char *text, size_t length) {
  JSContext *context = JS_NewContext(JS_NewRuntime());
  JSValue script = JS_Eval(context, text, length, "core", JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_COMPILE_ONLY);
  if (JS_IsException(script)) return NULL;
  int flags = JS_WRITE_OBJ_BYTECODE | JS_WRITE_OBJ_STRIP_SOURCE | JS_WRITE_OBJ_STRIP_DEBUG;
  return JS_WriteObject(context, &bytecode_length, script, flags);
}

EXPORT(bytecode_bytes) size_t bytecode_bytes(void) { return bytecode_length; }
