/** A core, as a host that runs its module and gives it its verbs. */
#ifndef STANDIN_CORE_H
#define STANDIN_CORE_H

#include <wasmtime.h>

#include "standin.h"

/** One instance of the engine, in a store of its own: only with its store does wasmtime give back its memory. */
struct engine;

struct standin_core {
  wasm_engine_t *runtime;
  /** The engine's module. */
  wasmtime_module_t *module;
  wasmtime_store_t *store;
  wasmtime_memory_t memory;
  wasmtime_func_t initialize, start, alloc, request, answer_length, free;
  /** By their numbers less 1; NULL where one was dropped. */
  struct engine **engines;
  size_t engine_count;
  /** Those of the request that is being answered, or NULL. */
  const standin_hooks *hooks;
  /** Things that were made from it and are not closed yet. */
  size_t held;
  int is_started, is_busy, is_broken, is_closed;
};

/** The two modules, which the build embeds. */
extern const unsigned char standin_core_wasm[], standin_engine_wasm[];
extern const size_t standin_core_wasm_length, standin_engine_wasm_length;

/** Makes an error from texts that it copies. */
standin_error *stn_failure(const char *code, const char *message, const char *hint);

/** Starts a core, all of whose members are 0. stn_host_close ends it, even after an error. */
standin_error *stn_host_open(standin_core *core, const char *cache);
/** Ends a core's instances, whose memories it overwrites with zeros as it does the core's, and its runtime. */
void stn_host_close(standin_core *core);

/** Defines the verbs that the core imports. */
wasmtime_error_t *stn_provide_verbs(standin_core *core, wasmtime_linker_t *linker);
/** Runs what the core's module runs first. Not 0 if it has. */
int stn_host_begin(standin_core *core);
/** Whether the system's cryptographic generator has filled a place. */
int stn_is_random(uint8_t *into, size_t length);

/** Passes a request of `count` parts to the core. Returns where its answer is, or 0 if there is none. */
uint32_t stn_host_send(standin_core *core, const void *const *parts, const size_t *lengths, uint32_t count);
/** The bytes of the last answer. */
uint32_t stn_host_answer_length(standin_core *core);
/** Frees an answer. */
void stn_host_free(standin_core *core, uint32_t answer);

/** A part of the core's memory itself, valid until the core runs again. NULL outside of the memory. */
uint8_t *stn_core_bytes(standin_core *core, uint32_t pointer, size_t length);
/** The same of an instance of the engine. */
uint8_t *stn_engine_bytes(standin_core *core, uint32_t instance, uint32_t pointer, size_t length);

#endif
