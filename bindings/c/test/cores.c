#include "core.h"
#include "tests.h"

#define FIELDS(...) "{\"fields\": [" __VA_ARGS__ "]}"
#define SEX "{\"name\": \"sex\", \"type\": \"string\", \"constraints\": {\"enum\": [\"F\"]}}"
#define SECRET "a secret of somebody"

void test_closing(void) {
  standin_core *core = opened();
  struct vector vector = vector_of("pairs");
  standin_plan *plan;
  standin_table *table;
  begin(core, &vector, &plan, &table);
  standin_close_plan(plan);
  standin_close(core);
  REFUSED(standin_write_csv(table, standin_to_file(stdout)), "host/closed");
  standin_close_table(table);
  standin_close(NULL);
  standin_close_table(NULL);
  standin_free_error(NULL);
  free_vector(&vector);
}

void test_caching(void) {
  char folder[4096];
  standin_core *core;
  snprintf(folder, sizeof folder, "%s/none", cache);
  REFUSED(standin_open(folder, &core), "host/cache");
  CHECK(!core);
  MUST(standin_open(NULL, &core));
  remake(core, "pairs");
  standin_close(core);
}

/** Memories of the engine's instances, which have to be zeros when wasmtime takes them back. */
static struct {
  const uint8_t *bytes;
  size_t length;
} watched[64];
static size_t watched_count;

void __real_wasmtime_store_delete(wasmtime_store_t *store);
void __wrap_wasmtime_store_delete(wasmtime_store_t *store);

/** Stands before wasmtime's function (the linker's --wrap). No memory that is in use is all zeros. */
void __wrap_wasmtime_store_delete(wasmtime_store_t *store) {
  for (size_t at = watched_count; at-- > 0;) {
    size_t zeros = 0;
    while (zeros < watched[at].length && !watched[at].bytes[zeros]) zeros++;
    if (zeros == watched[at].length) watched[at] = watched[--watched_count];
  }
  __real_wasmtime_store_delete(store);
}

static void watch_memory(uint8_t *bytes, size_t length) {
  watched[watched_count].bytes = bytes;
  watched[watched_count++].length = length;
}

/** Returns the number of instances. */
static size_t watch(standin_core *core) {
  const size_t page = 1 << 16;
  watched_count = 0;
  for (uint32_t instance = 1; instance <= core->engine_count; instance++) {
    size_t length = 0;
    while (stn_engine_bytes(core, instance, 0, length + page)) length += page;
    if (!length) continue;
    watch_memory(stn_engine_bytes(core, instance, 0, length), length);
  }
  return watched_count;
}

void test_wiping(void) {
  standin_core *core = opened();
  standin_schema *schema = schema_of(core, FIELDS(SEX));
  char *csv = repeated("sex,note\n", "F," SECRET "\n", 5000);
  standin_table *table = table_of(schema, csv);
  size_t size = 1 << 16;
  while (stn_core_bytes(core, 0, size)) size += 1 << 16;
  CHECK(!contains(stn_core_bytes(core, 0, size - (1 << 16)), size - (1 << 16), SECRET));
  const size_t before = watch(core);
  CHECK(before > 0);
  standin_close_table(table);
  CHECK(watched_count == before - 1 && watch(core) == before - 1);
  table = table_of(schema, csv);
  CHECK(watch(core) == before);
  watch_memory(stn_core_bytes(core, 0, size - (1 << 16)), size - (1 << 16));
  standin_close(core);
  CHECK(!watched_count);
  standin_close_table(table);
  standin_close_schema(schema);
  free(csv);
}

struct counting {
  standin_core *core;
  size_t during;
};

static int count_and_end(void *data, const char *unfinished) {
  struct counting *counting = data;
  (void)unfinished;
  counting->during = watch(counting->core);
  return 1;
}

void test_vaults(void) {
#define BOOLEAN(name) "{\"name\": \"" name "\", \"type\": \"boolean\", \"constraints\": {\"required\": true}}"
  struct counting counting = {opened(), 0};
  const standin_hooks hooks = {.on_round = count_and_end, .data = &counting};
  standin_schema *schema = schema_of(counting.core, FIELDS(BOOLEAN("a") "," BOOLEAN("b") "," BOOLEAN("c")));
  standin_table *table = table_of(schema, "a,b,c\ntrue,false,true\n");
  standin_plan *plan;
  standin_release *first, *second;
  MUST(standin_make_plan(schema, "{\"epsilon\": 1, \"rounds\": 2}", NULL, &plan));
  // What a finished run leaves, such as the instance that all requests share, stays. No key is used twice.
  MUST(standin_measure(table, plan, "{\"seed\": 1}", NULL, NULL, &first));
  MUST(standin_measure(table, plan, "{\"seed\": 1}", NULL, NULL, &second));
  CHECK(strcmp(standin_release_text(first), standin_release_text(second)));
  const size_t before = watch(counting.core);
  standin_release *none;
  REFUSED(standin_measure(table, plan, NULL, NULL, &hooks, &none), "host/callback");
  CHECK(counting.during > before && watch(counting.core) == before);
  standin_close_release(first);
  standin_close_release(second);
  standin_close_plan(plan);
  standin_close_table(table);
  standin_close_schema(schema);
  standin_close(counting.core);
}
