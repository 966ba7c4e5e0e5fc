#include "tests.h"

#define SEX "{\"name\": \"sex\", \"type\": \"string\", \"constraints\": {\"enum\": [\"F\", \"M\"], \"required\": true}}"
#define NUMBER(name, more)                                                                                             \
  "{\"name\": \"" name "\", \"type\": \"integer\", \"constraints\": {\"minimum\": 0, \"maximum\": 9}" more "}"

enum { ROWS = 150000 };

static ptrdiff_t fail_to_read(void *data, void *into, size_t bytes) {
  (void)data, (void)into, (void)bytes;
  return -1;
}

void test_reading(void) {
  standin_core *core = opened();
  standin_schema *schema = schema_of(core, "{\"fields\": [" SEX "]}");
  char *text = repeated("\xef\xbb\xbfnote,sex\r\n", "\"a, b\",F\r\nsome words,M\r\n", ROWS / 2);
  char *expected = repeated("sex\n", "F\nM\n", ROWS / 2);
  for (size_t piece = 7; piece; piece = piece == 7 ? SIZE_MAX : 0) {
    struct reading reading = {text, strlen(text), piece};
    standin_table *table;
    MUST(standin_read_csv(schema, source_of(&reading), &table));
    char *rows = written(table);
    CHECK(!strcmp(rows, expected) && !strcmp(standin_table_columns(table), "[\"sex\"]"));
    free(rows);
    standin_close_table(table);
  }
  standin_table *table;
  REFUSED(standin_read_csv(schema, (standin_source){.read = fail_to_read}, &table), "host/callback");
  struct reading empty = {"", 0, 1};
  REFUSED(standin_read_csv(schema, source_of(&empty), &table), "files/empty");
  FILE *file = tmpfile();
  CHECK(file && !setvbuf(file, NULL, _IONBF, 0) && fputs("sex\nM\n", file) >= 0);
  rewind(file);
  MUST(standin_read_csv(schema, standin_from_file(file), &table));
  rewind(file);
  MUST(standin_write_csv(table, standin_to_file(file)));
  rewind(file);
  char line[8];
  CHECK(fgets(line, sizeof line, file) && fgets(line, sizeof line, file) && !strcmp(line, "M\n"));
  fclose(file);
  free(text);
  free(expected);
  standin_close_table(table);
  standin_close_schema(schema);
  standin_close(core);
}

/** Reads a file of these bytes as a table, and closes it if there is no error. */
static standin_error *try_to_read(const standin_schema *schema, const char *bytes, size_t length, int is_decoded) {
  struct reading reading = {bytes, length, 3};
  standin_source source = source_of(&reading);
  standin_table *table;
  source.is_decoded = is_decoded;
  standin_error *error = standin_read_csv(schema, source, &table);
  if (error) return error;
  char *rows = written(table);
  CHECK(!strcmp(rows, "n\n\xc3\xa4\n"));
  free(rows);
  standin_close_table(table);
  return NULL;
}

void test_encodings(void) {
#define UMLAUT "{\"name\": \"n\", \"type\": \"string\", \"constraints\": {\"enum\": [\"\xc3\xa4\"]}}"
#define ENCODED(name) "{\"fields\": [" UMLAUT "], \"encoding\": \"" name "\"}"
  static const char UTF_8[] = "\xef\xbb\xbfn\n\xc3\xa4\n", UTF_16[] = "\xff\xfen\0\n\0\xe4\0\n";
  static const char LATIN[] = "n\n\xe4\n";
  standin_core *core = opened();
  standin_schema *latin = schema_of(core, ENCODED("latin1")), *greek = schema_of(core, ENCODED("iso-8859-7"));
  MUST(try_to_read(latin, LATIN, sizeof LATIN - 1, 0));
  MUST(try_to_read(latin, UTF_8, sizeof UTF_8 - 1, 0));
  MUST(try_to_read(latin, UTF_16, sizeof UTF_16, 0));
  MUST(try_to_read(greek, UTF_8 + 3, sizeof UTF_8 - 4, 1));
  REFUSED(try_to_read(greek, UTF_8 + 3, sizeof UTF_8 - 4, 0), "host/encoding");
  standin_close_schema(latin);
  standin_close_schema(greek);
  standin_close(core);
}

static int fail_later(void *data, const void *from, size_t bytes) {
  (void)from, (void)bytes;
  return --*(int *)data < 0;
}

void test_writing(void) {
  standin_core *core = opened();
  standin_schema *schema = schema_of(core, "{\"fields\": [" NUMBER("n", "") "]}");
  char *text = repeated("n\n", "1\n", 100000);
  standin_table *table = table_of(schema, text);
  int pieces = 1;
  REFUSED(standin_write_csv(table, (standin_sink){fail_later, &pieces}), "host/callback");
  CHECK(pieces == -1);
  char *rows = written(table);
  CHECK(!strcmp(rows, text));
  free(rows);
  free(text);
  standin_close_table(table);
  standin_close_schema(schema);
  standin_close(core);
}

/** How many facts of a schema were read from the rows. */
static size_t read_facts(standin_core *core, const char *descriptor, const char *beginning) {
  standin_schema *schema = schema_of(core, descriptor);
  char *facts = standin_member(standin_schema_facts(schema), "readFacts"), *fact;
  size_t count = 0;
  for (; (fact = standin_item(facts, count)); count++) {
    CHECK(!strncmp(fact + 1, beginning, strlen(beginning)));
    free(fact);
  }
  free(facts);
  standin_close_schema(schema);
  return count;
}

void test_facts(void) {
#define READ_FROM_ROWS ", \"standin\": {\"provenance\": \"read\"}"
  static const char DESCRIPTOR[] = "{\"fields\": [" NUMBER("a", READ_FROM_ROWS) ", " NUMBER("b", READ_FROM_ROWS) "]}";
  standin_core *core = opened();
  char *some, *all;
  MUST(standin_confirm_facts(core, DESCRIPTOR, "[\"a\"]", &some));
  MUST(standin_confirm_facts(core, DESCRIPTOR, NULL, &all));
  CHECK(read_facts(core, DESCRIPTOR, "") > read_facts(core, some, "b"));
  CHECK(read_facts(core, some, "b") > 0 && !read_facts(core, all, ""));
  free(some);
  free(all);
  REFUSED(standin_confirm_facts(core, DESCRIPTOR, "[\"c\"]", &some), "schema/unknown-column");
  standin_close(core);
}

static void hear_training(void *data, const char *progress) {
  if (strstr(progress, "\"train\"")) *(int *)data = 1;
}

void test_comparisons(void) {
  standin_core *core = opened();
  struct vector vector = vector_of("pairs");
  standin_schema *schema = schema_of(core, vector.schema);
  standin_table *table = table_of(schema, vector.csv), *public_table = table_of(schema, vector.rows);
  standin_plan *plan;
  standin_release *release;
  standin_synthetic made;
  MUST(standin_make_plan(schema, "{\"epsilon\": 2}", public_table, &plan));
  MUST(standin_measure(table, plan, NULL, NULL, NULL, &release));
  REFUSED(standin_resample(release, NULL, NULL, NULL, &made), "public/missing");
  MUST(standin_resample(release, "{\"rows\": 50}", public_table, NULL, &made));
  CHECK(made.rows == 50 && made.count == 1 && *made.outcome == '{');
  char *errors;
  const standin_table *rows_made = made.tables[0];
  MUST(standin_non_private_query_errors(table, rows_made, schema, NULL, NULL, NULL, &errors));
  char *rows = standin_member(errors, "rows"), *worst = standin_member(errors, "worst");
  CHECK(!strcmp(rows, "{\"real\":240,\"synthetic\":50}") && strlen(worst) > 2 && !standin_member(errors, "utility"));
  free(rows);
  free(worst);
  free(errors);
  static const char ASKED[] = "{\"queries\": [{\"expression\": \"age < 30\"}], \"targets\": [\"sex\"]}";
  int has_trained = 0;
  const standin_hooks hooks = {.on_progress = hear_training, .data = &has_trained};
  MUST(standin_non_private_query_errors(table, rows_made, schema, ASKED, public_table, &hooks, &errors));
  char *classes = standin_member(errors, "classes"), *utility = standin_member(errors, "utility");
  CHECK(strstr(classes, "\"expression\"") && strstr(utility, "\"testRows\":244") && has_trained);
  free(classes);
  free(utility);
  free(errors);
  REFUSED(standin_non_private_query_errors(table, rows_made, schema, NULL, table, NULL, &errors), "options/argument");
  REFUSED(standin_non_private_query_errors(table, rows_made, schema, "{\"workload\": \"9-way\"}", NULL, NULL, &errors),
          "workload/unknown");
  REFUSED(standin_make_plan(schema, "{\"epsilon\": 2", NULL, &plan), "host/request");
  standin_close_synthetic(&made);
  standin_close_release(release);
  standin_close_plan(plan);
  standin_close_table(public_table);
  standin_close_table(table);
  standin_close_schema(schema);
  free_vector(&vector);
  standin_close(core);
}

void test_proposals(void) {
  standin_core *core = opened();
  char *csv = repeated("sex;n\n", "F;1\nM;2\n", 50), *proposal, *check;
  struct reading reading = {csv, strlen(csv), 100};
  MUST(standin_non_private_proposal(core, source_of(&reading), "{\"dialect\": {\"delimiter\": \";\"}}", &proposal));
  char *descriptor = standin_member(proposal, "descriptor"), *facts = standin_member(proposal, "readFacts");
  CHECK(strstr(descriptor, "\"M\"") && strlen(facts) > 2);
  standin_schema *schema = schema_of(core, descriptor);
  struct reading again = {csv, strlen(csv), 100};
  MUST(standin_non_private_check(schema, source_of(&again), &check));
  char *rows = standin_member(check, "rows");
  CHECK(!strcmp(rows, "100"));
  struct reading broken = {csv, 3, 1};
  REFUSED(standin_non_private_check(schema, source_of(&broken), &check), "files/missing-column");
  char *const used[] = {csv, proposal, check, descriptor, facts, rows};
  for (size_t at = 0; at < sizeof used / sizeof *used; at++) free(used[at]);
  standin_close_schema(schema);
  standin_close(core);
}
