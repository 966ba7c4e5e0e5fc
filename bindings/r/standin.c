// What R's .Call needs of the C library: a function that measures, and one that makes rows. R's errors jump out of a
// function, so what R may refuse comes before anything is opened, and everything is closed before an error is raised.
#include <stdlib.h>
#include <string.h>

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>

#include <standin.h>

/** What a call holds until its end. */
struct held {
  standin_core *core;
  standin_schema *schema;
  standin_plan *plan;
  standin_table *table;
  standin_release *release;
  standin_synthetic made;
};

static const char *text_of(SEXP value) { return Rf_translateCharUTF8(STRING_ELT(value, 0)); }

/** Closes everything. Then it raises the error, or returns the call's result. */
static SEXP end(struct held *held, standin_error *error, const char *text) {
  char message[2048] = "";
  if (error) strncpy(message, error->message, sizeof message - 1);
  SEXP result = PROTECT(error ? R_NilValue : Rf_ScalarString(Rf_mkCharCE(text, CE_UTF8)));
  standin_free_error(error);
  standin_close_synthetic(&held->made);
  standin_close_release(held->release);
  standin_close_table(held->table);
  standin_close_plan(held->plan);
  standin_close_schema(held->schema);
  standin_close(held->core);
  if (*message) Rf_error("%s", message);
  UNPROTECT(1);
  return result;
}

/**
 * A column of a data frame: a factor, or doubles. A factor's values count from 1, so its dictionary begins with a text
 * that no row has; NA is outside of it.
 */
static standin_column column_of(SEXP name, SEXP values) {
  standin_column column = {.name = Rf_translateCharUTF8(name), .type = STANDIN_F64};
  if (!Rf_isFactor(values)) {
    column.values = REAL(values);
    return column;
  }
  SEXP levels = Rf_getAttrib(values, R_LevelsSymbol);
  const R_xlen_t count = XLENGTH(levels);
  size_t length = 0;
  for (R_xlen_t at = 0; at < count; at++) length += strlen(Rf_translateCharUTF8(STRING_ELT(levels, at)));
  uint32_t *offsets = (uint32_t *)R_alloc((size_t)count + 2, sizeof *offsets);
  char *texts = R_alloc(length + 1, 1);
  offsets[0] = offsets[1] = 0;
  for (R_xlen_t at = 0; at < count; at++) {
    const char *level = Rf_translateCharUTF8(STRING_ELT(levels, at));
    offsets[at + 2] = offsets[at + 1] + (uint32_t)strlen(level);
    memcpy(texts + offsets[at + 1], level, strlen(level));
  }
  column.type = STANDIN_DICTIONARY;
  column.values = INTEGER(values);
  column.offsets = offsets;
  column.texts = texts;
  column.entries = (size_t)count + 1;
  return column;
}

/** Measures a table: a list of columns with names. Returns the text of the release. */
SEXP standin_r_measure(SEXP data, SEXP descriptor, SEXP plan, SEXP options, SEXP cache) {
  struct held held = {0};
  const size_t count = (size_t)XLENGTH(data), rows = count ? (size_t)XLENGTH(VECTOR_ELT(data, 0)) : 0;
  const char *texts[] = {text_of(descriptor), text_of(plan), text_of(options), text_of(cache)};
  SEXP names = Rf_getAttrib(data, R_NamesSymbol);
  standin_column *columns = (standin_column *)R_alloc(count, sizeof *columns);
  for (size_t at = 0; at < count; at++)
    columns[at] = column_of(STRING_ELT(names, (R_xlen_t)at), VECTOR_ELT(data, (R_xlen_t)at));
  standin_error *error = standin_open(texts[3], &held.core);
  if (!error) error = standin_parse_schema(held.core, texts[0], &held.schema);
  if (!error) error = standin_make_plan(held.schema, texts[1], NULL, &held.plan);
  if (!error) error = standin_read_columns(held.schema, columns, count, rows, &held.table);
  if (!error) error = standin_measure(held.table, held.plan, texts[2], NULL, NULL, &held.release);
  return end(&held, error, error ? "" : standin_release_text(held.release));
}

/** Makes rows from the text of a release, and writes them to a file. */
SEXP standin_r_resample(SEXP release, SEXP options, SEXP path, SEXP cache) {
  struct held held = {0};
  const char *texts[] = {text_of(release), text_of(options), text_of(cache)};
  FILE *file = fopen(R_ExpandFileName(text_of(path)), "wb");
  if (!file) Rf_error("The file for the rows cannot be opened.");
  standin_error *error = standin_open(texts[2], &held.core);
  if (!error) error = standin_parse_release(held.core, texts[0], &held.release);
  if (!error) error = standin_resample(held.release, texts[1], NULL, NULL, &held.made);
  if (!error) error = standin_write_csv(held.made.tables[0], standin_to_file(file));
  fclose(file);
  return end(&held, error, "");
}
