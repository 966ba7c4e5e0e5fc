// What R's .Call needs of the C library: a function that measures, and one that makes rows. R's errors jump out of a
// function, so everything is closed before one is raised. (Where R has no memory left, a core stays open.)
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
  standin_columns *columns;
};

static const char *text_of(SEXP value) { return Rf_translateCharUTF8(STRING_ELT(value, 0)); }

static SEXP text_from(const char *text) { return Rf_ScalarString(Rf_mkCharCE(text, CE_UTF8)); }

/** Closes everything, and raises the error, if there is one. */
static void end(struct held *held, standin_error *error) {
  char message[2048] = "";
  if (error) strncpy(message, error->message, sizeof message - 1);
  standin_free_error(error);
  standin_close_columns(held->columns);
  standin_close_synthetic(&held->made);
  standin_close_release(held->release);
  standin_close_table(held->table);
  standin_close_plan(held->plan);
  standin_close_schema(held->schema);
  standin_close(held->core);
  if (*message) Rf_error("%s", message);
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
  SEXP text = PROTECT(error ? R_NilValue : text_from(standin_release_text(held.release)));
  end(&held, error);
  UNPROTECT(1);
  return text;
}

/** A member of JSON that is a text, or an empty one. */
static SEXP string_from(char *json) {
  char *text = standin_string(json);
  SEXP made = Rf_mkCharCE(text ? text : "", CE_UTF8);
  standin_free(text);
  standin_free(json);
  return made;
}

static void be_factor(SEXP values, const char *facts) {
  char *labels = standin_member(facts, "labels"), *label;
  R_xlen_t count = 0;
  for (; (label = standin_item(labels, (size_t)count)); count++) standin_free(label);
  SEXP levels = PROTECT(Rf_allocVector(STRSXP, count));
  for (R_xlen_t at = 0; at < count; at++) SET_STRING_ELT(levels, at, string_from(standin_item(labels, (size_t)at)));
  standin_free(labels);
  Rf_setAttrib(values, R_LevelsSymbol, levels);
  Rf_setAttrib(values, R_ClassSymbol, Rf_mkString("factor"));
  UNPROTECT(1);
}

static void be_moments(SEXP values, int are_days) {
  SEXP class = PROTECT(Rf_mkString(are_days ? "Date" : "POSIXct"));
  if (!are_days) {
    class = PROTECT(Rf_lengthgets(class, 2));
    SET_STRING_ELT(class, 1, Rf_mkChar("POSIXt"));
    Rf_setAttrib(values, Rf_install("tzone"), Rf_mkString("UTC"));
  }
  Rf_setAttrib(values, R_ClassSymbol, class);
  UNPROTECT(are_days ? 1 : 2);
}

/** The values of a column as R has them: a factor, numbers, dates, moments in UTC, or texts. */
static SEXP values_of(const standin_column *column, const char *facts, size_t rows) {
  const SEXPTYPE type = column->type == STANDIN_TEXT ? STRSXP : column->type == STANDIN_DICTIONARY ? INTSXP : REALSXP;
  SEXP values = PROTECT(Rf_allocVector(type, (R_xlen_t)rows));
  char *unit = standin_member(facts, "unit");
  const double microseconds = column->type != STANDIN_MOMENT ? 1 : unit ? 86400e6 : 1e6;
  for (size_t row = 0; row < rows; row++) {
    const int is_there = column->validity[row / 8] >> row % 8 & 1;
    if (type == STRSXP) {
      const uint32_t begin = column->offsets[row], length = column->offsets[row + 1] - begin;
      SEXP text = is_there ? Rf_mkCharLenCE(column->texts + begin, (int)length, CE_UTF8) : NA_STRING;
      SET_STRING_ELT(values, (R_xlen_t)row, text);
    } else if (type == INTSXP) {
      INTEGER(values)[row] = is_there ? ((const int32_t *)column->values)[row] + 1 : NA_INTEGER;
    } else if (column->type == STANDIN_F64) {
      REAL(values)[row] = is_there ? ((const double *)column->values)[row] : NA_REAL;
    } else {
      REAL(values)[row] = is_there ? (double)((const int64_t *)column->values)[row] / microseconds : NA_REAL;
    }
  }
  if (type == INTSXP) be_factor(values, facts);
  if (column->type == STANDIN_MOMENT) be_moments(values, unit != NULL);
  standin_free(unit);
  UNPROTECT(1);
  return values;
}

/** Makes rows from the text of a release. Returns a list of columns with names. */
SEXP standin_r_resample(SEXP release, SEXP options, SEXP cache) {
  struct held held = {0};
  const char *texts[] = {text_of(release), text_of(options), text_of(cache)};
  standin_error *error = standin_open(texts[2], &held.core);
  if (!error) error = standin_parse_release(held.core, texts[0], &held.release);
  if (!error) error = standin_resample(held.release, texts[1], NULL, NULL, &held.made);
  if (!error) error = standin_open_columns(held.made.tables[0], &held.columns);
  R_xlen_t count = 0;
  char *facts;
  for (; !error && (facts = standin_item(standin_columns_facts(held.columns), (size_t)count)); count++)
    standin_free(facts);
  SEXP list = PROTECT(Rf_allocVector(VECSXP, count)), names = PROTECT(Rf_allocVector(STRSXP, count));
  for (R_xlen_t place = 0; !error && place < count; place++) {
    standin_column column;
    size_t rows;
    error = standin_get_column(held.columns, (size_t)place, 0, held.made.rows, &column, &rows);
    if (error) break;
    facts = standin_item(standin_columns_facts(held.columns), (size_t)place);
    SET_STRING_ELT(names, place, string_from(standin_member(facts, "name")));
    SET_VECTOR_ELT(list, place, values_of(&column, facts, rows));
    standin_free(facts);
  }
  Rf_setAttrib(list, R_NamesSymbol, names);
  end(&held, error);
  UNPROTECT(2);
  return list;
}
