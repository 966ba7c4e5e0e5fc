#include "support.h"

#include <ctype.h>

_Noreturn void fail(const char *file, int line, const char *message) {
  fprintf(stderr, "%s:%d: %s\n", file, line, message);
  exit(1);
}

void must(const char *file, int line, standin_error *error) {
  if (error) fail(file, line, error->message);
}

void refused(const char *file, int line, standin_error *error, const char *code) {
  if (!error) fail(file, line, code);
  if (strcmp(error->code, code)) fail(file, line, error->message);
  standin_free_error(error);
}

char *file_text(const char *path) {
  char whole[4096];
  snprintf(whole, sizeof whole, "%s/%s", root, path);
  FILE *file = fopen(whole, "rb");
  if (!file) fail(whole, 0, "cannot be opened");
  CHECK(!fseek(file, 0, SEEK_END));
  const size_t length = (size_t)ftell(file);
  char *text = calloc(1, length + 1);
  rewind(file);
  CHECK(text && fread(text, 1, length, file) == length);
  fclose(file);
  return text;
}

char *compact(const char *json) {
  char *made = calloc(1, strlen(json) + 1), *to = made;
  CHECK(made);
  for (int is_inside = 0; *json; json++) {
    if (is_inside && *json == '\\')
      *to++ = *json++;
    else if (*json == '"')
      is_inside = !is_inside;
    if (is_inside || !isspace((unsigned char)*json)) *to++ = *json;
  }
  return made;
}

char *string_member(const char *json, const char *name) {
  char *member = standin_member(json, name);
  char *text = standin_string(member);
  free(member);
  CHECK(text);
  return text;
}

int contains(const void *bytes, size_t length, const char *text) {
  const size_t size = strlen(text);
  for (size_t at = 0; at + size <= length; at++)
    if (!memcmp((const char *)bytes + at, text, size)) return 1;
  return 0;
}

char *repeated(const char *begin, const char *text, size_t times) {
  const size_t before = strlen(begin), length = strlen(text);
  char *made = calloc(1, before + times * length + 1);
  CHECK(made);
  memcpy(made, begin, before);
  for (size_t at = 0; at < times; at++) memcpy(made + before + at * length, text, length);
  return made;
}

static ptrdiff_t read_piece(void *data, void *into, size_t bytes) {
  struct reading *reading = data;
  if (bytes > reading->piece) bytes = reading->piece;
  if (bytes > reading->left) bytes = reading->left;
  memcpy(into, reading->text, bytes);
  reading->text += bytes;
  reading->left -= bytes;
  return (ptrdiff_t)bytes;
}

standin_source source_of(struct reading *reading) { return (standin_source){.read = read_piece, .data = reading}; }

standin_core *opened(void) {
  standin_core *core;
  MUST(standin_open(cache, &core));
  return core;
}

standin_schema *schema_of(standin_core *core, const char *descriptor) {
  standin_schema *schema;
  MUST(standin_parse_schema(core, descriptor, &schema));
  return schema;
}

standin_table *table_of(const standin_schema *schema, const char *csv) {
  struct reading reading = {csv, strlen(csv), SIZE_MAX};
  standin_table *table;
  MUST(standin_read_csv(schema, source_of(&reading), &table));
  return table;
}

struct writing {
  char *text;
  size_t length;
};

static int keep_piece(void *data, const void *from, size_t bytes) {
  struct writing *writing = data;
  writing->text = realloc(writing->text, writing->length + bytes + 1);
  CHECK(writing->text);
  memcpy(writing->text + writing->length, from, bytes);
  writing->text[writing->length += bytes] = 0;
  return 0;
}

char *written(const standin_table *table) {
  struct writing writing = {0};
  MUST(standin_write_csv(table, (standin_sink){keep_piece, &writing}));
  return writing.text;
}

struct vector vector_of(const char *name) {
  char path[64], options[64] = "{";
  snprintf(path, sizeof path, "test/vectors/%s.json", name);
  char *json = file_text(path);
  char *seed = standin_member(json, "seed"), *rows = standin_member(json, "rows");
  snprintf(options, sizeof options, rows ? "{\"seed\":%s,\"rows\":%s}" : "{\"seed\":%s}", seed, rows);
  char *key = string_member(json, "noiseKey"), *output = standin_member(json, "output");
  char *release = standin_member(json, "release");
  struct vector vector = {
      .schema = standin_member(json, "schema"),
      .csv = string_member(json, "csv"),
      .plan = standin_member(json, "plan"),
      .options = repeated(options, "", 0),
      .release = compact(release),
      .rows = string_member(output, "csv"),
  };
  for (size_t at = 0; at < 32; at++) {
    const char digits[] = {key[2 * at], key[2 * at + 1], 0};
    vector.key[at] = (uint8_t)strtoul(digits, NULL, 16);
  }
  char *const used[] = {json, seed, rows, key, output, release};
  for (size_t at = 0; at < sizeof used / sizeof *used; at++) free(used[at]);
  return vector;
}

void free_vector(struct vector *vector) {
  char *const used[] = {vector->schema, vector->csv, vector->plan, vector->options, vector->release, vector->rows};
  for (size_t at = 0; at < sizeof used / sizeof *used; at++) free(used[at]);
}

void begin(standin_core *core, const struct vector *vector, standin_plan **plan, standin_table **table) {
  standin_schema *schema = schema_of(core, vector->schema);
  MUST(standin_make_plan(schema, vector->plan, NULL, plan));
  *table = table_of(schema, vector->csv);
  standin_close_schema(schema);
}

void remake(standin_core *core, const char *name) {
  struct vector vector = vector_of(name);
  standin_plan *plan;
  standin_table *table;
  standin_release *release, *kept;
  standin_synthetic made;
  begin(core, &vector, &plan, &table);
  MUST(standin_unsafe_measure(table, plan, vector.options, NULL, NULL, vector.key, &release));
  CHECK(!strcmp(standin_release_text(release), vector.release));
  char *reason = string_member(standin_release_facts(release), "noGuarantee");
  CHECK(*reason);
  MUST(standin_parse_release(core, standin_release_text(release), &kept));
  MUST(standin_resample(kept, NULL, NULL, NULL, &made));
  char *rows = written(made.tables[0]);
  CHECK(made.count == 1 && !strcmp(rows, vector.rows));
  free(reason);
  free(rows);
  standin_close_synthetic(&made);
  standin_close_release(kept);
  standin_close_release(release);
  standin_close_table(table);
  standin_close_plan(plan);
  free_vector(&vector);
}
