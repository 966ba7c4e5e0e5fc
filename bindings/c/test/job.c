// standin-job <cache>: does whole jobs for tests and benches of all languages (test/runtimes/programs.ts). A line of
// input is a job, and each is answered with a line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "standin.h"

/** What a line has, between tabs. */
enum { SCHEMA, CSV, PLAN_OPTIONS, ROW_OPTIONS, OUT, PARTS };

static FILE *opened(const char *path, const char *mode) {
  FILE *file = fopen(path, mode);
  if (!file) exit(1);
  setvbuf(file, NULL, _IONBF, 0);
  return file;
}

static char *text_of(const char *path) {
  FILE *file = opened(path, "rb");
  fseek(file, 0, SEEK_END);
  const size_t length = (size_t)ftell(file);
  char *text = calloc(1, length + 1);
  rewind(file);
  if (!text || fread(text, 1, length, file) != length) exit(1);
  fclose(file);
  return text;
}

static standin_error *run(standin_core *core, char *const parts[PARTS]) {
  standin_schema *schema = NULL;
  standin_plan *plan = NULL;
  standin_table *table = NULL;
  standin_release *release = NULL;
  standin_synthetic made = {0};
  char *descriptor = text_of(parts[SCHEMA]);
  FILE *csv = opened(parts[CSV], "rb"), *out = NULL;
  standin_error *error = standin_parse_schema(core, descriptor, &schema);
  if (!error) error = standin_make_plan(schema, parts[PLAN_OPTIONS], NULL, &plan);
  if (!error) error = standin_read_csv(schema, standin_from_file(csv), &table);
  if (!error) error = standin_measure(table, plan, parts[ROW_OPTIONS], NULL, NULL, &release);
  if (!error) error = standin_resample(release, NULL, NULL, NULL, &made);
  if (!error) error = standin_write_csv(made.tables[0], standin_to_file(out = opened(parts[OUT], "wb")));
  if (out && fclose(out)) exit(1);
  fclose(csv);
  free(descriptor);
  standin_close_synthetic(&made);
  standin_close_release(release);
  standin_close_table(table);
  standin_close_plan(plan);
  standin_close_schema(schema);
  return error;
}

int main(int count, char **arguments) {
  static char line[1 << 20];
  standin_core *core;
  if (count != 2 || standin_open(arguments[1], &core)) return 1;
  while (fgets(line, sizeof line, stdin)) {
    char *parts[PARTS] = {0};
    for (size_t at = 0; at < PARTS; at++) parts[at] = strtok(at ? NULL : line, "\t\n");
    if (!parts[PARTS - 1]) return 1;
    standin_error *error = run(core, parts);
    if (error)
      printf("%s %s\n", error->code, error->message);
    else
      printf("done\n");
    fflush(stdout);
    standin_free_error(error);
  }
  standin_close(core);
  return 0;
}
