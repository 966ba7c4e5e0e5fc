#include <pthread.h>

#include "tests.h"

static const char *const SOME[] = {"pairs", "trees", "rounds", "persons"};

void test_vector(const char *name) {
  standin_core *core = opened();
  remake(core, name);
  remake(core, name);
  standin_close(core);
}

static void *remake_some(void *unused) {
  (void)unused;
  standin_core *core = opened();
  standin_schema *none;
  // The core's own stack ends before the thread's does.
  char *deep = repeated("", "[", 1000000);
  REFUSED(standin_parse_schema(core, deep, &none), "schema/json");
  free(deep);
  for (size_t at = 0; at < 4; at++) remake(core, SOME[at]);
  standin_close(core);
  return NULL;
}

void test_threads(void) {
  pthread_t threads[3];
  pthread_attr_t attributes;
  // What standin.h says that a thread needs.
  CHECK(!pthread_attr_init(&attributes) && !pthread_attr_setstacksize(&attributes, (size_t)4 << 20));
  for (size_t at = 0; at < 3; at++) CHECK(!pthread_create(&threads[at], &attributes, remake_some, NULL));
  for (size_t at = 0; at < 3; at++) CHECK(!pthread_join(threads[at], NULL));
  CHECK(!pthread_attr_destroy(&attributes));
}

/** One of the errors that the npm package raises, which bindings/go/testdata/record.mjs has recorded. */
static void expect_refusal(standin_core *core, const char *refusal) {
  char *descriptor = standin_member(refusal, "schema"), *csv = standin_member(refusal, "csv");
  char *options = standin_member(refusal, "options"), *expected = standin_member(refusal, "expected");
  standin_schema *schema = NULL;
  standin_error *error = standin_parse_schema(core, descriptor, &schema);
  if (!error && csv) {
    char *text = standin_string(csv);
    struct reading reading = {text, strlen(text), SIZE_MAX};
    standin_table *table;
    error = standin_read_csv(schema, source_of(&reading), &table);
    free(text);
  } else if (!error) {
    standin_plan *plan;
    error = standin_make_plan(schema, options, NULL, &plan);
  }
  CHECK(error);
  char *code = string_member(expected, "code"), *message = string_member(expected, "message");
  char *hint = string_member(expected, "hint");
  CHECK(!strcmp(error->code, code) && !strcmp(error->message, message) && !strcmp(error->hint, hint));
  standin_close_schema(schema);
  standin_free_error(error);
  char *const used[] = {descriptor, csv, options, expected, code, message, hint};
  for (size_t at = 0; at < sizeof used / sizeof *used; at++) free(used[at]);
}

void test_refusals(void) {
  standin_core *core = opened();
  char *refusals = file_text("bindings/go/testdata/refusals.json"), *refusal, *version;
  for (size_t at = 0; (refusal = standin_item(refusals, at)) || at < 10; at++) {
    expect_refusal(core, refusal);
    free(refusal);
  }
  MUST(standin_version(core, &version));
  CHECK(*version);
  free(version);
  free(refusals);
  standin_close(core);
}
