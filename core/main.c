// The core: QuickJS with standin's TypeScript as bytecode, for hosts of any language. It imports the verbs of its host
// and nothing else, not even WASI. Its memory holds no private row, except cells that a schema is proposed for.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "quickjs.h"
#include "unpack.h"

#define EXPORT(name) __attribute__((export_name(#name)))
#define VERB(name) __attribute__((import_module("standin"), import_name(#name)))

/** A new instance of the engine: at least 1, or 0 where the host can make none. */
VERB(instance) int32_t host_instance(void);
/** Forgets an instance. */
VERB(drop) void host_drop(int32_t instance);
/** Calls an export with raw WASM values, each in a slot of 8 bytes. Not 0 if it trapped. */
VERB(call)
int32_t host_call(int32_t instance, const char *name, size_t name_length, const int64_t *arguments, size_t count,
                  int64_t *result);
/** Copies bytes of an instance's memory into the core's. */
VERB(read) void host_read(int32_t instance, uint32_t pointer, uint8_t *into, size_t length);
/** Copies bytes of the core's memory into an instance's. */
VERB(write) void host_write(int32_t instance, uint32_t pointer, const uint8_t *from, size_t length);
/** Copies bytes of one instance's memory into another's, so that none pass through the core. */
VERB(copy) void host_copy(int32_t instance, uint32_t pointer, int32_t other, uint32_t from, size_t length);
/** Lets the machine's cryptographic generator write into an instance's memory. Not 0 where there is none. */
VERB(fill_key) int32_t host_fill_key(int32_t instance, uint32_t pointer, size_t length);
/**
 * The host's turn between two slices of work. It gets the JSON of the last progress event since its previous turn, or 0
 * bytes if there is none. Not 0 if the caller has cancelled.
 */
VERB(breathe) int32_t host_breathe(const char *progress, size_t length);
/** Milliseconds since some moment. They decide how long a slice of work is, and nothing else. */
VERB(now) double host_now(void);

/** More arguments than any export of the engine has. */
#define MOST_ARGUMENTS 16
/**
 * How deep scripts may nest, in bytes of the core's own stack, of which the build reserves twice as much: beyond it
 * they fail with an exception. Runtimes keep a stack of their own beside it, which grows several times as fast.
 */
#define MOST_STACK (64 * 1024)

static const uint8_t SCRIPT[] = {
#embed <script>
};

static JSContext *context;
static size_t answer_length;

/** The bytes of a Uint8Array. NULL, with an exception, for anything else. An empty one may have no bytes. */
static uint8_t *bytes_of(JSContext *ctx, JSValueConst value, size_t *length) {
  static uint8_t none;
  uint8_t *bytes = JS_GetUint8Array(ctx, length, value);
  return bytes || JS_HasException(ctx) ? bytes : &none;
}

static JSValue verb_instance(JSContext *ctx, JSValueConst self, int count, JSValueConst *arguments) {
  return JS_NewInt32(ctx, host_instance());
}

/** drop(instance) */
static JSValue verb_drop(JSContext *ctx, JSValueConst self, int count, JSValueConst *arguments) {
  int32_t instance;
  if (JS_ToInt32(ctx, &instance, arguments[0])) return JS_EXCEPTION;
  host_drop(instance);
  return JS_UNDEFINED;
}

/** A value as WASM sees it, given its type. Not 0, with an exception, if it has none. */
static int slot_of(JSContext *ctx, int64_t *slot, JSValueConst value, char type) {
  union {
    int64_t slot;
    int32_t i32;
    double f64;
  } raw = {0};
  int failed = type == 'i'   ? JS_ToInt32(ctx, &raw.i32, value)
               : type == 'j' ? JS_ToBigInt64(ctx, &raw.slot, value)
                             : JS_ToFloat64(ctx, &raw.f64, value);
  *slot = raw.slot;
  return failed;
}

static JSValue value_of(JSContext *ctx, int64_t slot, char type) {
  union {
    int64_t slot;
    double f64;
  } raw = {slot};
  if (type == 'i') return JS_NewInt32(ctx, (int32_t)slot);
  if (type == 'j') return JS_NewBigInt64(ctx, slot);
  return type == 'd' ? JS_NewFloat64(ctx, raw.f64) : JS_UNDEFINED;
}

/**
 * call(instance, name, types, ...arguments): types is one letter for the result, v for none, then one for each
 * argument: i is i32, j is i64 and d is f64.
 */
static JSValue verb_call(JSContext *ctx, JSValueConst self, int count, JSValueConst *arguments) {
  int32_t instance;
  int64_t slots[MOST_ARGUMENTS];
  int64_t result = 0;
  size_t name_length, types_length;
  JSValue value = JS_EXCEPTION;
  if (JS_ToInt32(ctx, &instance, arguments[0])) return value;
  const char *name = JS_ToCStringLen(ctx, &name_length, arguments[1]);
  const char *types = JS_ToCStringLen(ctx, &types_length, arguments[2]);
  if (!name || !types) goto done;
  if (types_length != (size_t)count - 2 || types_length > MOST_ARGUMENTS) {
    JS_ThrowTypeError(ctx, "%s takes %d arguments", name, (int)types_length - 1);
    goto done;
  }
  for (int at = 3; at < count; at++)
    if (slot_of(ctx, &slots[at - 3], arguments[at], types[at - 2])) goto done;
  if (host_call(instance, name, name_length, slots, count - 3, &result))
    JS_ThrowInternalError(ctx, "the engine trapped in %s", name);
  else
    value = value_of(ctx, result, types[0]);
done:
  JS_FreeCString(ctx, types);
  JS_FreeCString(ctx, name);
  return value;
}

/** read(instance, pointer, into), write(instance, pointer, from): `is_write` says which. */
static JSValue verb_copy(JSContext *ctx, JSValueConst self, int count, JSValueConst *arguments, int is_write) {
  int32_t instance;
  uint32_t pointer;
  size_t length;
  if (JS_ToInt32(ctx, &instance, arguments[0]) || JS_ToUint32(ctx, &pointer, arguments[1])) return JS_EXCEPTION;
  uint8_t *bytes = bytes_of(ctx, arguments[2], &length);
  if (!bytes) return JS_EXCEPTION;
  if (is_write)
    host_write(instance, pointer, bytes, length);
  else
    host_read(instance, pointer, bytes, length);
  return JS_UNDEFINED;
}

/** copy(instance, pointer, other, from, length) */
static JSValue verb_instances_copy(JSContext *ctx, JSValueConst self, int count, JSValueConst *arguments) {
  int32_t instance, other;
  uint32_t pointer, from, length;
  if (JS_ToInt32(ctx, &instance, arguments[0]) || JS_ToUint32(ctx, &pointer, arguments[1]) ||
      JS_ToInt32(ctx, &other, arguments[2]) || JS_ToUint32(ctx, &from, arguments[3]) ||
      JS_ToUint32(ctx, &length, arguments[4]))
    return JS_EXCEPTION;
  host_copy(instance, pointer, other, from, length);
  return JS_UNDEFINED;
}

/** fillKey(instance, pointer, length) */
static JSValue verb_fill_key(JSContext *ctx, JSValueConst self, int count, JSValueConst *arguments) {
  int32_t instance;
  uint32_t pointer, length;
  if (JS_ToInt32(ctx, &instance, arguments[0]) || JS_ToUint32(ctx, &pointer, arguments[1]) ||
      JS_ToUint32(ctx, &length, arguments[2]))
    return JS_EXCEPTION;
  if (host_fill_key(instance, pointer, length)) return JS_ThrowInternalError(ctx, "the host has no secure generator");
  return JS_UNDEFINED;
}

/** breathe(progress): a text, empty if there is no event. */
static JSValue verb_breathe(JSContext *ctx, JSValueConst self, int count, JSValueConst *arguments) {
  size_t length;
  const char *progress = JS_ToCStringLen(ctx, &length, arguments[0]);
  if (!progress) return JS_EXCEPTION;
  int32_t is_cancelled = host_breathe(progress, length);
  JS_FreeCString(ctx, progress);
  return JS_NewBool(ctx, is_cancelled != 0);
}

static JSValue date_now(JSContext *ctx, JSValueConst self, int count, JSValueConst *arguments) {
  return JS_NewFloat64(ctx, host_now());
}

/** textOf(bytes): UTF-8, read. Wrong bytes become U+FFFD. */
static JSValue verb_text_of(JSContext *ctx, JSValueConst self, int count, JSValueConst *arguments) {
  size_t length;
  uint8_t *bytes = bytes_of(ctx, arguments[0], &length);
  return bytes ? JS_NewStringLen(ctx, (const char *)bytes, length) : JS_EXCEPTION;
}

/** bytesOf(text): UTF-8, written. The text must be well-formed. */
static JSValue verb_bytes_of(JSContext *ctx, JSValueConst self, int count, JSValueConst *arguments) {
  size_t length;
  const char *text = JS_ToCStringLen(ctx, &length, arguments[0]);
  if (!text) return JS_EXCEPTION;
  JSValue bytes = JS_NewUint8ArrayCopy(ctx, (const uint8_t *)text, length);
  JS_FreeCString(ctx, text);
  return bytes;
}

static const JSCFunctionListEntry VERBS[] = {
    JS_CFUNC_DEF("instance", 0, verb_instance),   JS_CFUNC_DEF("drop", 1, verb_drop),
    JS_CFUNC_DEF("call", 3, verb_call),           JS_CFUNC_MAGIC_DEF("read", 3, verb_copy, 0),
    JS_CFUNC_MAGIC_DEF("write", 3, verb_copy, 1), JS_CFUNC_DEF("fillKey", 3, verb_fill_key),
    JS_CFUNC_DEF("copy", 5, verb_instances_copy),
    JS_CFUNC_DEF("breathe", 1, verb_breathe),     JS_CFUNC_DEF("textOf", 1, verb_text_of),
    JS_CFUNC_DEF("bytesOf", 1, verb_bytes_of),
};

/** All that standin uses of Date. */
static const JSCFunctionListEntry DATE[] = {JS_CFUNC_DEF("now", 0, date_now)};

/** Gives scripts a global object with these functions. Not 0 if it failed. */
static int provide(JSContext *ctx, const char *name, const JSCFunctionListEntry *functions, int count) {
  JSValue global = JS_GetGlobalObject(ctx);
  JSValue object = JS_NewObject(ctx);
  int failed = JS_IsException(object) || JS_SetPropertyFunctionList(ctx, object, functions, count) ||
               JS_SetPropertyStr(ctx, global, name, object) < 0;
  JS_FreeValue(ctx, global);
  return failed;
}

/** Begins a context with what standin's TypeScript uses of the language, and nothing else. Not 0 if it failed. */
static int begin(JSRuntime *runtime) {
  JS_SetMaxStackSize(runtime, MOST_STACK);
  context = JS_NewContextRaw(runtime);
  if (!context) return 1;
  JSContext *ctx = context;
  JS_AddIntrinsicRegExpCompiler(ctx);
  if (JS_AddIntrinsicBaseObjects(ctx) || JS_AddIntrinsicRegExp(ctx) || JS_AddIntrinsicJSON(ctx) ||
      JS_AddIntrinsicMapSet(ctx) || JS_AddIntrinsicTypedArrays(ctx) || JS_AddIntrinsicPromise(ctx) ||
      JS_AddIntrinsicBigInt(ctx))
    return 1;
  if (provide(ctx, "verbs", VERBS, sizeof VERBS / sizeof VERBS[0]) || provide(ctx, "Date", DATE, 1)) return 1;
  size_t length;
  uint8_t *bytecode = unpacked(SCRIPT, &length);
  if (!bytecode) return 1;
  JSValue script = JS_ReadObject(ctx, bytecode, length, JS_READ_OBJ_BYTECODE);
  free(bytecode);
  JSValue done = JS_IsException(script) ? script : JS_EvalFunction(ctx, script);
  JS_FreeValue(ctx, done);
  return JS_IsException(done);
}

/** Starts the core, once, before anything else. 0, or 1 if memory does not suffice. */
EXPORT(core_start) int32_t core_start(void) {
  JSRuntime *runtime = JS_NewRuntime();
  return !runtime || begin(runtime);
}

/** Memory of the core for a request. 0 if there is none. */
EXPORT(core_alloc) void *core_alloc(size_t bytes) { return malloc(bytes); }

EXPORT(core_free) void core_free(void *pointer) { free(pointer); }

static void *resize(JSRuntime *runtime, void *opaque, void *pointer, size_t bytes) {
  if (bytes) return realloc(pointer, bytes);
  free(pointer);
  return NULL;
}

/** Runs what is ready until a promise is settled, and returns its value. */
static JSValue settled(JSContext *ctx, JSValue promise) {
  JSContext *other;
  while (JS_PromiseState(ctx, promise) == JS_PROMISE_PENDING && JS_ExecutePendingJob(JS_GetRuntime(ctx), &other) > 0)
    ;
  JSValue value = JS_PromiseState(ctx, promise) == JS_PROMISE_FULFILLED ? JS_PromiseResult(ctx, promise) : JS_UNDEFINED;
  JS_FreeValue(ctx, promise);
  return value;
}

/** A copy of an answer for the host. NULL if it is not an answer. */
static void *handed_over(JSContext *ctx, JSValue answer) {
  uint8_t *bytes = bytes_of(ctx, answer, &answer_length);
  void *copy = bytes ? malloc(answer_length + 1) : NULL;
  if (copy) memcpy(copy, bytes, answer_length);
  if (!bytes) JS_FreeValue(ctx, JS_GetException(ctx));
  JS_FreeValue(ctx, answer);
  return copy;
}

/**
 * Answers a request.
 * @param request from core_alloc; the core frees it
 * @returns the answer, of core_answer_length() bytes, for the host to free; 0 if the core failed
 */
EXPORT(core_request) void *core_request(uint8_t *request, size_t length) {
  JSContext *ctx = context;
  JSValue bytes = JS_NewUint8Array(ctx, request, length, resize, NULL, false);
  if (JS_IsException(bytes)) return NULL;
  JSValue global = JS_GetGlobalObject(ctx);
  JSValue answer = JS_GetPropertyStr(ctx, global, "answer");
  JSValue promise = JS_Call(ctx, answer, JS_UNDEFINED, 1, (JSValueConst *)&bytes);
  JS_FreeValue(ctx, answer);
  JS_FreeValue(ctx, global);
  JS_FreeValue(ctx, bytes);
  return handed_over(ctx, settled(ctx, promise));
}

EXPORT(core_answer_length) size_t core_answer_length(void) { return answer_length; }
