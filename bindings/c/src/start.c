#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

/** Bytes of stack for a module: the core's, and that of an instance of the engine which it calls. */
#define STACK ((size_t)2 << 20)
/** All that a module can address. A memory that never moves leaves no copy of rows behind. */
#define WHOLE_MEMORY ((uint64_t)1 << 32)
#define LONGEST_PATH 4096

/** Turns an error of wasmtime's or a trap, if there is one, into an error. */
static standin_error *failed(wasmtime_error_t *error, wasm_trap_t *trap) {
  wasm_byte_vec_t message;
  if (error) {
    wasmtime_error_message(error, &message);
    wasmtime_error_delete(error);
  } else if (trap) {
    wasm_trap_message(trap, &message);
    wasm_trap_delete(trap);
  } else {
    return NULL;
  }
  char text[512];
  snprintf(text, sizeof text, "The core does not start: %.*s", (int)message.size, message.data);
  wasm_byte_vec_delete(&message);
  return stn_failure("host/start", text, "");
}

/** Writes a file that others read at any time: it is there as a whole, or not at all. */
static int is_written(const char *path, const wasm_byte_vec_t *bytes) {
  char staged[LONGEST_PATH + 32];
  uint32_t random;
  if (!stn_is_random((uint8_t *)&random, sizeof random)) return 0;
  snprintf(staged, sizeof staged, "%s.%08x", path, (unsigned)random);
  FILE *file = fopen(staged, "wb");
  if (!file) return 0;
  const int is_whole = fwrite(bytes->data, 1, bytes->size, file) == bytes->size;
  const int is_there = !fclose(file) && is_whole && !rename(staged, path);
  if (!is_there) remove(staged);
  return is_there;
}

/** Where a folder keeps a module's machine code: a name for these bytes, by FNV-1a, and this version of wasmtime. */
static int path_of(char path[LONGEST_PATH], const char *folder, const unsigned char *bytes, size_t length) {
  uint64_t hash = 0xcbf29ce484222325;
  for (size_t at = 0; at < length; at++) hash = (hash ^ bytes[at]) * 0x100000001b3;
  const int needed = snprintf(path, LONGEST_PATH, "%s/standin-%016llx-wasmtime-%s", folder, (unsigned long long)hash,
                              WASMTIME_VERSION);
  return needed > 0 && needed < LONGEST_PATH;
}

/** Compiles a module, or takes its machine code from a folder, if there is one, which keeps it for the next time. */
static standin_error *load(wasm_engine_t *runtime, const char *folder, const unsigned char *bytes, size_t length,
                           wasmtime_module_t **module) {
  char path[LONGEST_PATH];
  if (folder) {
    if (!path_of(path, folder, bytes, length)) return stn_failure("host/cache", "The cache's path is too long.", "");
    wasmtime_error_t *error = wasmtime_module_deserialize_file(runtime, path, module);
    if (!error) return NULL;
    wasmtime_error_delete(error); // it is not there, or was made for another machine
  }
  standin_error *error = failed(wasmtime_module_new(runtime, bytes, length, module), NULL);
  if (error || !folder) return error;
  wasm_byte_vec_t code;
  if ((error = failed(wasmtime_module_serialize(*module, &code), NULL))) return error;
  if (!is_written(path, &code))
    error = stn_failure("host/cache", "The cache's folder is missing, or cannot be written to. Make it first.",
                        "Make it first.");
  wasm_byte_vec_delete(&code);
  return error;
}

static int is_function(standin_core *core, const wasmtime_instance_t *instance, const char *name,
                       wasmtime_func_t *function) {
  wasmtime_extern_t item;
  wasmtime_context_t *context = wasmtime_store_context(core->store);
  if (!wasmtime_instance_export_get(context, instance, name, strlen(name), &item)) return 0;
  *function = item.of.func;
  return item.kind == WASMTIME_EXTERN_FUNC;
}

/** Makes the instance of the core. */
static standin_error *instantiate(standin_core *core, const wasmtime_module_t *module) {
  wasmtime_instance_t instance;
  wasmtime_extern_t memory;
  wasm_trap_t *trap = NULL;
  wasmtime_context_t *context = wasmtime_store_context(core->store);
  wasmtime_linker_t *linker = wasmtime_linker_new(core->runtime);
  wasmtime_error_t *wrong = stn_provide_verbs(core, linker);
  if (!wrong) wrong = wasmtime_linker_instantiate(linker, context, module, &instance, &trap);
  wasmtime_linker_delete(linker);
  standin_error *error = failed(wrong, trap);
  if (error) return error;
  const int is_whole = wasmtime_instance_export_get(context, &instance, "memory", 6, &memory) &&
                       is_function(core, &instance, "_initialize", &core->initialize) &&
                       is_function(core, &instance, "core_start", &core->start) &&
                       is_function(core, &instance, "core_alloc", &core->alloc) &&
                       is_function(core, &instance, "core_request", &core->request) &&
                       is_function(core, &instance, "core_answer_length", &core->answer_length) &&
                       is_function(core, &instance, "core_free", &core->free);
  core->is_started = is_whole;
  if (is_whole) core->memory = memory.of.memory;
  return is_whole && stn_host_begin(core) ? NULL : stn_failure("host/start", "The core does not start.", "");
}

standin_error *stn_host_open(standin_core *core, const char *cache) {
  wasm_config_t *config = wasm_config_new();
  wasmtime_config_max_wasm_stack_set(config, STACK);
  wasmtime_config_memory_reservation_set(config, WHOLE_MEMORY);
  wasmtime_config_memory_may_move_set(config, false);
  core->runtime = wasm_engine_new_with_config(config);
  core->store = wasmtime_store_new(core->runtime, NULL, NULL);
  wasmtime_module_t *module = NULL;
  standin_error *error = load(core->runtime, cache, standin_engine_wasm, standin_engine_wasm_length, &core->module);
  if (!error) error = load(core->runtime, cache, standin_core_wasm, standin_core_wasm_length, &module);
  if (!error) error = instantiate(core, module);
  if (module) wasmtime_module_delete(module);
  return error;
}
