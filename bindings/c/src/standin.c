#include "standin.h"

#include <stdlib.h>
#include <string.h>

#include "ask.h"

/** How many bytes of a file are read at once, if the engine has room for them. */
#define MOST_AT_ONCE (1u << 20)
#define NONE "{}"

standin_error *standin_version(standin_core *core, char **version) {
  struct text request = {0};
  struct answer answer = {0};
  stn_format(&request, "{'request':'version'");
  standin_error *error = stn_ask(core, &request, &answer);
  if (error) return error;
  *version = standin_string(stn_json_member(answer.value, "version"));
  stn_clear(&answer);
  return *version ? NULL : stn_out_of_memory();
}

void standin_close_schema(standin_schema *schema) { stn_close_object((struct object *)schema); }
void standin_close_plan(standin_plan *plan) { stn_close_object((struct object *)plan); }
void standin_close_table(standin_table *table) { stn_close_object((struct object *)table); }
void standin_close_release(standin_release *release) { stn_close_object((struct object *)release); }
void standin_close_budget(standin_budget *budget) { stn_close_object((struct object *)budget); }

const char *standin_schema_facts(const standin_schema *schema) { return schema->is.facts; }
const char *standin_plan_facts(const standin_plan *plan) { return plan->is.facts; }
const char *standin_table_columns(const standin_table *table) { return table->is.facts; }
const char *standin_release_text(const standin_release *release) { return release->is.text; }
const char *standin_release_facts(const standin_release *release) { return release->is.facts; }
const char *standin_budget_state(const standin_budget *budget) { return budget->is.facts; }

standin_error *standin_parse_schema(standin_core *core, const char *descriptor, standin_schema **schema) {
  struct text request = {0};
  struct answer answer = {0};
  stn_format(&request, "{'request':'schema','descriptor':%q", descriptor);
  standin_error *error = stn_ask(core, &request, &answer);
  return error ? error : stn_keep(core, &answer, "schema", NULL, schema);
}

standin_error *standin_confirm_facts(standin_core *core, const char *descriptor, const char *columns,
                                     char **confirmed) {
  struct text request = {0};
  struct answer answer = {0};
  stn_format(&request, "{'request':'confirm','descriptor':%q", descriptor);
  if (columns) stn_format(&request, ",'columns':%j", columns);
  standin_error *error = stn_ask(core, &request, &answer);
  return error ? error : stn_give(&answer, "descriptor", confirmed);
}

/** Adds the member that names a thing, unless there is none. */
static void add_object(struct text *request, const char *member, const void *object) {
  if (object) stn_format(request, ",%q:%u", member, ((const struct object *)object)->number);
}

standin_error *standin_make_plan(const standin_schema *schema, const char *options, const standin_table *public_table,
                                 standin_plan **plan) {
  standin_core *core = schema->is.core;
  struct text request = {0};
  struct answer answer = {0};
  standin_error *error = stn_strangers(core, public_table, NULL, NULL);
  if (error) return error;
  stn_format(&request, "{'request':'plan','options':%j", options ? options : NONE);
  add_object(&request, "schema", schema);
  add_object(&request, "publicTable", public_table);
  error = stn_ask(core, &request, &answer);
  return error ? error : stn_keep(core, &answer, "plan", "facts", plan);
}

static ptrdiff_t read_file(void *file, void *into, size_t bytes) {
  const size_t count = fread(into, 1, bytes, file);
  return ferror((FILE *)file) ? -1 : (ptrdiff_t)count;
}

standin_source standin_from_file(FILE *file) { return (standin_source){.read = read_file, .data = file}; }

static int write_file(void *file, const void *from, size_t bytes) { return fwrite(from, 1, bytes, file) != bytes; }

standin_sink standin_to_file(FILE *file) { return (standin_sink){write_file, file}; }

static standin_error *callback_failed(void) {
  return stn_failure("host/callback", "A function of the caller has failed.", "");
}

/** Asks for a part of the engine's memory, which is an error's business to be outside of it. */
static standin_error *place(standin_core *core, struct text *request, uint8_t **bytes, uint32_t *length) {
  struct answer answer = {0};
  standin_error *error = stn_ask(core, request, &answer);
  if (error) return error;
  *length = stn_json_number(answer.value, "bytes");
  const uint32_t instance = stn_json_number(answer.value, "instance");
  *bytes = stn_engine_bytes(core, instance, stn_json_number(answer.value, "pointer"), *length);
  stn_clear(&answer);
  return *bytes || !*length ? NULL : stn_failure("core/fault", "The core named a place that is none.", "");
}

/** Passes a file to a reader, until its end. */
static standin_error *read_all(standin_core *core, uint32_t reader, standin_source source) {
  for (ptrdiff_t count = 1; count > 0;) {
    struct text room = {0}, took = {0};
    uint8_t *into;
    uint32_t most, filled = 0;
    stn_format(&room, "{'request':'room','reader':%u,'bytes':%u", reader, MOST_AT_ONCE);
    standin_error *error = place(core, &room, &into, &most);
    if (error) return error;
    while (filled < most && (count = source.read(source.data, into + filled, most - filled)) > 0)
      filled += (uint32_t)count;
    if (count < 0) return callback_failed();
    stn_format(&took, "{'request':'took','reader':%u,'bytes':%u", reader, filled);
    if ((error = stn_tell(core, &took))) return error;
  }
  return NULL;
}

/** Reads a file: the request that makes a reader, the file's bytes, and the request that ends the reader. */
static standin_error *read_with(standin_core *core, struct text *begin, standin_source source, const char *end,
                                struct answer *answer) {
  struct text request = {0};
  if (source.is_decoded) stn_format(begin, ",'decoded':true");
  standin_error *error = stn_ask(core, begin, answer);
  if (error) return error;
  const uint32_t reader = stn_json_number(answer->value, "reader");
  stn_clear(answer);
  if (!(error = read_all(core, reader, source))) {
    stn_format(&request, "{'request':%q,'reader':%u", end, reader);
    error = stn_ask(core, &request, answer);
  }
  if (error) stn_drop(core, reader);
  return error;
}

standin_error *standin_read_csv(const standin_schema *schema, standin_source source, standin_table **table) {
  standin_core *core = schema->is.core;
  struct text request = {0};
  struct answer answer = {0};
  stn_format(&request, "{'request':'read','schema':%u", schema->is.number);
  standin_error *error = read_with(core, &request, source, "table", &answer);
  return error ? error : stn_keep(core, &answer, "table", "columns", table);
}

standin_error *standin_non_private_proposal(standin_core *core, standin_source source, const char *options,
                                            char **proposal) {
  struct text request = {0};
  struct answer answer = {0};
  stn_format(&request, "{'request':'propose','options':%j", options ? options : NONE);
  standin_error *error = read_with(core, &request, source, "proposal", &answer);
  return error ? error : stn_give(&answer, NULL, proposal);
}

standin_error *standin_non_private_check(const standin_schema *schema, standin_source source, char **check) {
  struct text request = {0};
  struct answer answer = {0};
  stn_format(&request, "{'request':'check','schema':%u", schema->is.number);
  standin_error *error = read_with(schema->is.core, &request, source, "checked", &answer);
  return error ? error : stn_give(&answer, NULL, check);
}

/** Passes on what leaves a run before its end. */
static standin_error *hear(const standin_hooks *hooks, standin_budget *budget, struct answer *answer) {
  const int is_charge = !strncmp(stn_json_member(answer->value, "event"), "\"charged\"", 9);
  int (*const hook)(void *, const char *) = !hooks ? NULL : is_charge ? hooks->on_charge : hooks->on_round;
  if (is_charge && budget) {
    free(budget->is.facts);
    budget->is.facts = answer->text;
    answer->text = NULL;
  }
  const char *text = is_charge && budget ? budget->is.facts : answer->text;
  return hook && hook(hooks->data, text) ? callback_failed() : NULL;
}

/** Asks for a run's events until it is done. */
static standin_error *follow(standin_core *core, uint32_t run, standin_budget *budget, const standin_hooks *hooks,
                             standin_release **release) {
  for (;;) {
    struct text request = {0};
    struct answer answer = {0};
    stn_format(&request, "{'request':'next','run':%u", run);
    standin_error *error = stn_ask_with(core, &request, NULL, 0, hooks, &answer);
    if (error) return error;
    if (stn_json_member(answer.value, "release")) return stn_keep(core, &answer, "release", "facts", release);
    error = hear(hooks, budget, &answer);
    stn_clear(&answer);
    if (error) return error;
  }
}

/** Begins a run and follows it. A run that ends early is dropped, which overwrites its rows. */
static standin_error *measured(standin_core *core, struct text *request, const uint8_t *key, standin_budget *budget,
                               const standin_hooks *hooks, standin_release **release) {
  struct answer answer = {0};
  add_object(request, "budget", budget);
  if (hooks && hooks->on_round) stn_format(request, ",'rounds':true");
  standin_error *error = stn_ask_with(core, request, key, key ? 32 : 0, hooks, &answer);
  if (error) return error;
  const uint32_t run = stn_json_number(answer.value, "run");
  stn_clear(&answer);
  error = follow(core, run, budget, hooks, release);
  stn_drop(core, run);
  return error;
}

standin_error *standin_unsafe_measure(const standin_table *table, const standin_plan *plan, const char *options,
                                      standin_budget *budget, const standin_hooks *hooks, const uint8_t *key,
                                      standin_release **release) {
  standin_core *core = table->is.core;
  struct text request = {0};
  standin_error *error = stn_strangers(core, plan, budget, NULL);
  if (error) return error;
  stn_format(&request, "{'request':'measure','options':%j", options ? options : NONE);
  add_object(&request, "table", table);
  add_object(&request, "plan", plan);
  return measured(core, &request, key, budget, hooks, release);
}

standin_error *standin_measure(const standin_table *table, const standin_plan *plan, const char *options,
                               standin_budget *budget, const standin_hooks *hooks, standin_release **release) {
  return standin_unsafe_measure(table, plan, options, budget, hooks, NULL, release);
}

standin_error *standin_resume(const standin_table *table, const standin_release *unfinished,
                              const standin_table *public_table, standin_budget *budget, const standin_hooks *hooks,
                              standin_release **release) {
  standin_core *core = table->is.core;
  struct text request = {0};
  standin_error *error = stn_strangers(core, unfinished, public_table, budget);
  if (error) return error;
  stn_format(&request, "{'request':'resume','options':{}");
  add_object(&request, "table", table);
  add_object(&request, "release", unfinished);
  add_object(&request, "publicTable", public_table);
  return measured(core, &request, NULL, budget, hooks, release);
}

standin_error *standin_parse_release(standin_core *core, const char *text, standin_release **release) {
  struct text request = {0};
  struct answer answer = {0};
  stn_format(&request, "{'request':'release'");
  standin_error *error = stn_ask_with(core, &request, text, strlen(text), NULL, &answer);
  if (error) return error;
  free(answer.text);
  answer.text = stn_copied(text, strlen(text));
  return stn_keep(core, &answer, "release", "facts", release);
}

standin_error *standin_parse_budget(standin_core *core, const char *state, standin_budget **budget) {
  struct text request = {0};
  struct answer answer = {0};
  stn_format(&request, "{'request':'budget','state':%q", state);
  standin_error *error = stn_ask(core, &request, &answer);
  return error ? error : stn_keep(core, &answer, "budget", "state", budget);
}

void standin_close_synthetic(standin_synthetic *synthetic) {
  for (size_t at = 0; at < synthetic->count; at++) standin_close_table(synthetic->tables[at]);
  standin_close_release(synthetic->release);
  free(synthetic->tables);
  free(synthetic->outcome);
  *synthetic = (standin_synthetic){0};
}

standin_error *standin_resample(const standin_release *release, const char *options, const standin_table *public_table,
                                const standin_hooks *hooks, standin_synthetic *synthetic) {
  standin_core *core = release->is.core;
  struct text request = {0};
  struct answer answer = {0};
  standin_error *error = stn_strangers(core, public_table, NULL, NULL);
  if (error) return error;
  stn_format(&request, "{'request':'resample','options':%j", options ? options : NONE);
  add_object(&request, "release", release);
  add_object(&request, "publicTable", public_table);
  if ((error = stn_ask_with(core, &request, NULL, 0, hooks, &answer))) return error;
  *synthetic = (standin_synthetic){.rows = stn_json_number(answer.value, "rows")};
  synthetic->outcome = stn_taken(stn_json_member(answer.value, "outcome"));
  const char *tables = stn_json_member(answer.value, "tables"), *columns = stn_json_member(answer.value, "columns");
  while (stn_json_item(tables, synthetic->count)) synthetic->count++;
  synthetic->tables = calloc(synthetic->count, sizeof *synthetic->tables);
  if (!synthetic->tables) synthetic->count = 0;
  for (size_t at = 0; at < synthetic->count; at++) {
    const uint32_t number = (uint32_t)strtoul(stn_json_item(tables, at), NULL, 10);
    synthetic->tables[at] = (standin_table *)stn_object_of(core, number, stn_taken(columns), NULL);
  }
  error = stn_keep(core, &answer, "release", "facts", &synthetic->release);
  const int is_whole = synthetic->count && synthetic->tables[synthetic->count - 1] && synthetic->outcome;
  if (!error && !is_whole) error = stn_out_of_memory();
  if (error) standin_close_synthetic(synthetic);
  return error;
}

standin_error *standin_write_csv(const standin_table *table, standin_sink sink) {
  standin_core *core = table->is.core;
  struct text request = {0};
  struct answer answer = {0};
  stn_format(&request, "{'request':'write','table':%u", table->is.number);
  standin_error *error = stn_ask(core, &request, &answer);
  if (error) return error;
  const uint32_t writer = stn_json_number(answer.value, "writer");
  stn_clear(&answer);
  for (uint32_t length = 1; !error && length;) {
    struct text chunk = {0};
    uint8_t *bytes;
    stn_format(&chunk, "{'request':'chunk','writer':%u", writer);
    error = place(core, &chunk, &bytes, &length);
    if (!error && length && sink.write(sink.data, bytes, length)) error = callback_failed();
  }
  if (error) stn_drop(core, writer);
  return error;
}

standin_error *standin_non_private_query_errors(const standin_table *real, const standin_table *synthetic,
                                                const standin_schema *schema, const char *options,
                                                const standin_table *test, const standin_hooks *hooks, char **errors) {
  standin_core *core = schema->is.core;
  struct text request = {0};
  struct answer answer = {0};
  standin_error *error = stn_strangers(core, real, synthetic, test);
  if (error) return error;
  stn_format(&request, "{'request':'evaluate','options':%j", options ? options : NONE);
  add_object(&request, "schema", schema);
  add_object(&request, "real", real);
  add_object(&request, "synthetic", synthetic);
  add_object(&request, "test", test);
  error = stn_ask_with(core, &request, NULL, 0, hooks, &answer);
  return error ? error : stn_give(&answer, NULL, errors);
}
