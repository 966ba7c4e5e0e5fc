#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE // getentropy
#endif
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _WIN32
#include <windows.h>
// What it needs comes before it.
#include <bcrypt.h>
#else
#include <sys/random.h>
#include <unistd.h>
#endif

#include "core.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Values cross between WebAssembly and this host in little-endian order."
#endif

/** More arguments than any export of the engine has. */
#define MOST_ARGUMENTS 16
/** More exports than the engine has, and longer names. */
#define MOST_EXPORTS 256
#define LONGEST_NAME 32
/** What verbs take at most; and the type of what some return. */
#define MOST_PARAMETERS 6
#define NOTHING -1

struct export {
  char name[LONGEST_NAME];
  size_t length;
  wasmtime_func_t function;
};

struct engine {
  wasmtime_store_t *store;
  wasmtime_instance_t instance;
  wasmtime_memory_t memory;
  struct export exports[MOST_EXPORTS];
  size_t export_count;
};

/** Overwrites bytes that nobody reads afterwards, which a compiler would leave out. */
static void *(*const volatile wipe)(void *, int, size_t) = memset;

int stn_is_random(uint8_t *into, size_t length) {
#ifdef _WIN32
  return !BCryptGenRandom(NULL, into, (ULONG)length, BCRYPT_USE_SYSTEM_PREFERRED_RNG);
#else
  for (size_t most = 256; length; into += most, length -= most) {
    if (most > length) most = length;
    if (getentropy(into, most)) return 0;
  }
  return 1;
#endif
}

static uint8_t *bytes_in(wasmtime_store_t *store, const wasmtime_memory_t *memory, uint32_t pointer, size_t length) {
  wasmtime_context_t *context = wasmtime_store_context(store);
  const size_t size = wasmtime_memory_data_size(context, memory);
  return pointer <= size && length <= size - pointer ? wasmtime_memory_data(context, memory) + pointer : NULL;
}

uint8_t *stn_core_bytes(standin_core *core, uint32_t pointer, size_t length) {
  return bytes_in(core->store, &core->memory, pointer, length);
}

static struct engine *engine_of(standin_core *core, uint32_t instance) {
  return instance && instance <= core->engine_count ? core->engines[instance - 1] : NULL;
}

uint8_t *stn_engine_bytes(standin_core *core, uint32_t instance, uint32_t pointer, size_t length) {
  struct engine *engine = engine_of(core, instance);
  return engine ? bytes_in(engine->store, &engine->memory, pointer, length) : NULL;
}

/** Calls a function with raw values, which its result replaces. Not 0 if it failed. */
static int call(wasmtime_store_t *store, const wasmtime_func_t *function, wasmtime_val_raw_t values[MOST_ARGUMENTS]) {
  wasm_trap_t *trap = NULL;
  wasmtime_context_t *context = wasmtime_store_context(store);
  wasmtime_error_t *error = wasmtime_func_call_unchecked(context, function, values, MOST_ARGUMENTS, &trap);
  if (error) wasmtime_error_delete(error);
  if (trap) wasm_trap_delete(trap);
  return error || trap;
}

/** Deletes a store with a memory, which it overwrites with zeros. */
static void delete_store(wasmtime_store_t *store, const wasmtime_memory_t *memory) {
  wasmtime_context_t *context = wasmtime_store_context(store);
  wipe(wasmtime_memory_data(context, memory), 0, wasmtime_memory_data_size(context, memory));
  wasmtime_store_delete(store);
}

static void close_engine(struct engine *engine) {
  delete_store(engine->store, &engine->memory);
  free(engine);
}

/** A new instance of the engine, or NULL if there is no room for one. */
static struct engine *open_engine(standin_core *core) {
  struct engine *engine = calloc(1, sizeof *engine);
  if (!engine) return NULL;
  wasm_trap_t *trap = NULL;
  wasmtime_extern_t memory;
  engine->store = wasmtime_store_new(core->runtime, NULL, NULL);
  wasmtime_context_t *context = wasmtime_store_context(engine->store);
  wasmtime_error_t *error = wasmtime_instance_new(context, core->module, NULL, 0, &engine->instance, &trap);
  if (error) wasmtime_error_delete(error);
  if (trap) wasm_trap_delete(trap);
  if (error || trap || !wasmtime_instance_export_get(context, &engine->instance, "memory", 6, &memory)) {
    wasmtime_store_delete(engine->store);
    free(engine);
    return NULL;
  }
  engine->memory = memory.of.memory;
  return engine;
}

/** An export by its name. The ones in use move to the front. */
static const wasmtime_func_t *function_of(struct engine *engine, const char *name, size_t length) {
  for (size_t at = 0; at < engine->export_count; at++) {
    struct export found = engine->exports[at];
    if (found.length != length || memcmp(found.name, name, length)) continue;
    engine->exports[at] = engine->exports[at / 2];
    engine->exports[at / 2] = found;
    return &engine->exports[at / 2].function;
  }
  wasmtime_extern_t item;
  if (length > LONGEST_NAME || engine->export_count == MOST_EXPORTS) return NULL;
  wasmtime_context_t *context = wasmtime_store_context(engine->store);
  if (!wasmtime_instance_export_get(context, &engine->instance, name, length, &item)) return NULL;
  if (item.kind != WASMTIME_EXTERN_FUNC) return NULL;
  struct export *made = &engine->exports[engine->export_count++];
  memcpy(made->name, name, length);
  made->length = length;
  made->function = item.of.func;
  return &made->function;
}

#define VERB(verb)                                                                                                     \
  static wasm_trap_t *verb(void *env, wasmtime_caller_t *caller, wasmtime_val_raw_t *values, size_t count)
/** A value of a verb's: the first is 0. */
#define U32(at) ((uint32_t)values[at].i32)
#define MAY_BE_UNUSED (void)env, (void)caller, (void)values, (void)count

static wasm_trap_t *outside(void) {
  static const char MESSAGE[] = "standin: the core named a place or an export that is none";
  return wasmtime_trap_new(MESSAGE, sizeof MESSAGE - 1);
}

/** Copies between places of which each may be none. */
static wasm_trap_t *copy(uint8_t *into, const uint8_t *from, size_t length) {
  if (!into || !from) return outside();
  memmove(into, from, length);
  return NULL;
}

VERB(verb_instance) {
  MAY_BE_UNUSED;
  standin_core *core = env;
  size_t place = 0;
  while (place < core->engine_count && core->engines[place]) place++;
  values[0].i32 = 0;
  if (place == core->engine_count) {
    struct engine **grown = realloc(core->engines, (place + 1) * sizeof *grown);
    if (!grown) return NULL;
    core->engines = grown;
    core->engines[core->engine_count++] = NULL;
  }
  core->engines[place] = open_engine(core);
  if (core->engines[place]) values[0].i32 = (int32_t)place + 1;
  return NULL;
}

VERB(verb_drop) {
  MAY_BE_UNUSED;
  standin_core *core = env;
  struct engine *engine = engine_of(core, U32(0));
  if (!engine) return outside();
  core->engines[U32(0) - 1] = NULL;
  close_engine(engine);
  return NULL;
}

VERB(verb_call) {
  MAY_BE_UNUSED;
  standin_core *core = env;
  struct engine *engine = engine_of(core, U32(0));
  const uint8_t *name = stn_core_bytes(core, U32(1), U32(2));
  const size_t arguments = U32(4);
  const uint8_t *slots = stn_core_bytes(core, U32(3), 8 * arguments);
  uint8_t *result = stn_core_bytes(core, U32(5), 8);
  const wasmtime_func_t *function = engine && name ? function_of(engine, (const char *)name, U32(2)) : NULL;
  if (!function || !slots || !result || arguments > MOST_ARGUMENTS) return outside();
  // wasmtime's slots have room for vectors, too.
  wasmtime_val_raw_t crossing[MOST_ARGUMENTS];
  for (size_t at = 0; at < arguments; at++) memcpy(&crossing[at], slots + 8 * at, 8);
  values[0].i32 = call(engine->store, function, crossing);
  if (!values[0].i32) memcpy(result, crossing, 8);
  return NULL;
}

VERB(verb_read) {
  MAY_BE_UNUSED;
  return copy(stn_core_bytes(env, U32(2), U32(3)), stn_engine_bytes(env, U32(0), U32(1), U32(3)), U32(3));
}

VERB(verb_write) {
  MAY_BE_UNUSED;
  return copy(stn_engine_bytes(env, U32(0), U32(1), U32(3)), stn_core_bytes(env, U32(2), U32(3)), U32(3));
}

VERB(verb_copy) {
  MAY_BE_UNUSED;
  return copy(stn_engine_bytes(env, U32(0), U32(1), U32(4)), stn_engine_bytes(env, U32(2), U32(3), U32(4)), U32(4));
}

VERB(verb_fill_key) {
  MAY_BE_UNUSED;
  uint8_t *into = stn_engine_bytes(env, U32(0), U32(1), U32(2));
  if (!into) return outside();
  values[0].i32 = !stn_is_random(into, U32(2));
  return NULL;
}

VERB(verb_breathe) {
  MAY_BE_UNUSED;
  standin_core *core = env;
  const standin_hooks *hooks = core->hooks;
  const size_t length = U32(1);
  const uint8_t *json = stn_core_bytes(core, U32(0), length);
  if (!json) return outside();
  if (length && hooks && hooks->on_progress) {
    char *progress = malloc(length + 1);
    if (!progress) return outside();
    memcpy(progress, json, length);
    progress[length] = 0;
    hooks->on_progress(hooks->data, progress);
    free(progress);
  }
  values[0].i32 = hooks && hooks->is_cancelled && hooks->is_cancelled(hooks->data);
  return NULL;
}

VERB(verb_now) {
  MAY_BE_UNUSED;
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  values[0].f64 = (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
  return NULL;
}

void stn_host_close(standin_core *core) {
  for (size_t at = 0; at < core->engine_count; at++)
    if (core->engines[at]) close_engine(core->engines[at]);
  free(core->engines);
  if (core->is_started)
    delete_store(core->store, &core->memory); // a proposal leaves texts of cells there
  else
    wasmtime_store_delete(core->store);
  if (core->module) wasmtime_module_delete(core->module);
  wasm_engine_delete(core->runtime);
}

/** The verbs: their names, and the types of what they take and return. */
static const struct {
  const char *name;
  size_t parameters;
  int result;
  wasmtime_func_unchecked_callback_t function;
} VERBS[] = {
    {"instance", 0, WASM_I32, verb_instance}, {"drop", 1, NOTHING, verb_drop},        {"call", 6, WASM_I32, verb_call},
    {"read", 4, NOTHING, verb_read},          {"write", 4, NOTHING, verb_write},      {"copy", 5, NOTHING, verb_copy},
    {"fill_key", 3, WASM_I32, verb_fill_key}, {"breathe", 2, WASM_I32, verb_breathe}, {"now", 0, WASM_F64, verb_now},
};

wasmtime_error_t *stn_provide_verbs(standin_core *core, wasmtime_linker_t *linker) {
  wasmtime_error_t *error = NULL;
  for (size_t at = 0; !error && at < sizeof VERBS / sizeof *VERBS; at++) {
    const char *name = VERBS[at].name;
    wasm_valtype_t *parameters[MOST_PARAMETERS], *result;
    wasm_valtype_vec_t taken, returned;
    for (size_t parameter = 0; parameter < VERBS[at].parameters; parameter++)
      parameters[parameter] = wasm_valtype_new(WASM_I32);
    wasm_valtype_vec_new(&taken, VERBS[at].parameters, parameters);
    if (VERBS[at].result == NOTHING) {
      wasm_valtype_vec_new_empty(&returned);
    } else {
      result = wasm_valtype_new((wasm_valkind_t)VERBS[at].result);
      wasm_valtype_vec_new(&returned, 1, &result);
    }
    wasm_functype_t *type = wasm_functype_new(&taken, &returned);
    error = wasmtime_linker_define_func_unchecked(linker, "standin", 7, name, strlen(name), type, VERBS[at].function,
                                                  core, NULL);
    wasm_functype_delete(type);
  }
  return error;
}

/** Calls an export of the core. Returns its result, or 0 if it failed, after which the core answers no more. */
static uint32_t run(standin_core *core, const wasmtime_func_t *function, uint32_t first, uint32_t second) {
  wasmtime_val_raw_t values[MOST_ARGUMENTS] = {{.i32 = (int32_t)first}, {.i32 = (int32_t)second}};
  if (!call(core->store, function, values)) return (uint32_t)values[0].i32;
  core->is_broken = 1;
  return 0;
}

/** Writes a message into the core's memory: the count of its parts and their lengths, then the parts. */
static int is_packed(uint8_t *into, const void *const *parts, const size_t *lengths, uint32_t count) {
  if (!into) return 0;
  uint8_t *at = into + 4 + 4 * (size_t)count;
  memcpy(into, &count, 4);
  for (uint32_t part = 0; part < count; at += lengths[part++]) {
    const uint32_t length = (uint32_t)lengths[part];
    memcpy(into + 4 + 4 * (size_t)part, &length, 4);
    if (length) memcpy(at, parts[part], length);
  }
  return 1;
}

uint32_t stn_host_send(standin_core *core, const void *const *parts, const size_t *lengths, uint32_t count) {
  size_t length = 4 + 4 * (size_t)count;
  for (uint32_t part = 0; part < count; part++) length += lengths[part];
  const uint32_t request = length <= UINT32_MAX ? run(core, &core->alloc, (uint32_t)length, 0) : 0;
  uint32_t answer = 0;
  if (request && is_packed(stn_core_bytes(core, request, length), parts, lengths, count))
    answer = run(core, &core->request, request, (uint32_t)length);
  core->is_broken |= !answer;
  return answer;
}

uint32_t stn_host_answer_length(standin_core *core) { return run(core, &core->answer_length, 0, 0); }

void stn_host_free(standin_core *core, uint32_t answer) { run(core, &core->free, answer, 0); }

int stn_host_begin(standin_core *core) {
  wasmtime_val_raw_t values[MOST_ARGUMENTS] = {{0}};
  return !call(core->store, &core->initialize, values) && !run(core, &core->start, 0, 0) && !core->is_broken;
}
