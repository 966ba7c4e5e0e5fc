#include <stdlib.h>
#include <string.h>

#include "ask.h"

/** How many rows enter the engine at once: whole bytes of validity. */
#define MOST_ROWS ((size_t)1 << 16)

/** The types of columns: their names, and the bytes of a value. */
static const struct {
  const char *name;
  size_t width;
} TYPES[] = {
    [STANDIN_TEXT] = {"text", 0},     [STANDIN_I64] = {"i64", 8},
    [STANDIN_F64] = {"f64", 8},       [STANDIN_DICTIONARY] = {"dictionary", 4},
    [STANDIN_MOMENT] = {"moment", 8}, [STANDIN_NONE] = {"none", 0},
};

struct standin_columns {
  struct object is;
};

void standin_close_columns(standin_columns *columns) { stn_close_object((struct object *)columns); }

const char *standin_columns_facts(const standin_columns *columns) { return columns->is.facts; }

/** The texts that some rows of a column need: the place of the first in its offsets, and how many. */
struct slice {
  size_t first, count;
};

static int has_texts(const standin_column *column) {
  return column->type == STANDIN_TEXT || column->type == STANDIN_DICTIONARY;
}

static struct slice slice_of(const standin_column *column, size_t from, size_t rows) {
  return column->type == STANDIN_TEXT ? (struct slice){from, rows} : (struct slice){0, column->entries};
}

static uint32_t bytes_of(const standin_column *column, struct slice slice) {
  if (!has_texts(column)) return 0;
  const uint32_t begin = column->offsets[slice.first], end = column->offsets[slice.first + slice.count];
  return end > begin ? end - begin : 0;
}

static standin_error *nowhere(void) { return stn_failure("core/fault", "The core named a place that is none.", ""); }

/** Copies the texts of some rows, whose offsets begin at 0 there. */
static int has_copied_texts(standin_core *core, uint32_t instance, const char *room, const standin_column *column,
                            struct slice slice) {
  const uint32_t bytes = bytes_of(column, slice), *offsets = column->offsets + slice.first;
  uint8_t *into = stn_engine_bytes(core, instance, stn_json_number(room, "offsets"), 4 * (slice.count + 1));
  uint8_t *texts = stn_engine_bytes(core, instance, stn_json_number(room, "texts"), bytes);
  if (!into || !texts) return 0;
  for (size_t at = 0; at <= slice.count; at++) {
    const uint32_t offset = offsets[at] - offsets[0];
    memcpy(into + 4 * at, &offset, 4);
  }
  if (bytes) memcpy(texts, column->texts + offsets[0], bytes);
  return 1;
}

/** Copies some rows of a column to where the engine has room for them. */
static standin_error *fill(standin_core *core, uint32_t instance, const char *room, const standin_column *column,
                           size_t from, size_t rows) {
  const size_t width = TYPES[column->type].width, bits = (rows + 7) / 8;
  uint8_t *values = stn_engine_bytes(core, instance, stn_json_number(room, "values"), rows * width);
  uint8_t *validity = stn_engine_bytes(core, instance, stn_json_number(room, "validity"), bits);
  if (column->type == STANDIN_NONE) return NULL;
  if (!values || !validity) return nowhere();
  if (has_texts(column) && !has_copied_texts(core, instance, room, column, slice_of(column, from, rows)))
    return nowhere();
  if (width && rows) memcpy(values, (const char *)column->values + from * width, rows * width);
  if (column->validity)
    memcpy(validity, column->validity + from / 8, bits);
  else
    memset(validity, 0xff, bits);
  return NULL;
}

/** Adds some rows of all columns to a reader's. */
static standin_error *add_rows(standin_core *core, uint32_t reader, const standin_column *columns, size_t count,
                               size_t from, size_t rows) {
  struct text batch = {0}, coded = {0};
  struct answer answer = {0};
  stn_format(&batch, "{'request':'batch','reader':%u,'rows':%u,'bytes':[", reader, (unsigned)rows);
  for (size_t at = 0; at < count; at++)
    stn_format(&batch, at ? ",%u" : "%u", (unsigned)bytes_of(&columns[at], slice_of(&columns[at], from, rows)));
  stn_format(&batch, "],'entries':[");
  for (size_t at = 0; at < count; at++) {
    const int is_dictionary = columns[at].type == STANDIN_DICTIONARY;
    stn_format(&batch, at ? ",%u" : "%u", is_dictionary ? (unsigned)columns[at].entries : 0);
  }
  stn_format(&batch, "]");
  standin_error *error = stn_ask(core, &batch, &answer);
  if (error) return error;
  const uint32_t instance = stn_json_number(answer.value, "instance");
  const char *rooms = stn_json_member(answer.value, "columns"), *room;
  for (size_t at = 0; !error && at < count; at++) {
    room = stn_json_item(rooms, at);
    error = room ? fill(core, instance, room, &columns[at], from, rows) : nowhere();
  }
  stn_clear(&answer);
  if (error) return error;
  stn_format(&coded, "{'request':'coded','reader':%u", reader);
  return stn_tell(core, &coded);
}

standin_error *standin_read_columns(const standin_schema *schema, const standin_column *columns, size_t count,
                                    size_t rows, standin_table **table) {
  standin_core *core = schema->is.core;
  struct text begin = {0}, end = {0};
  struct answer answer = {0};
  stn_format(&begin, "{'request':'read','schema':%u,'columns':[", schema->is.number);
  for (size_t at = 0; at < count; at++)
    stn_format(&begin, at ? ",{'name':%q,'type':%q}" : "{'name':%q,'type':%q}", columns[at].name,
               TYPES[columns[at].type].name);
  stn_format(&begin, "]");
  standin_error *error = stn_ask(core, &begin, &answer);
  if (error) return error;
  const uint32_t reader = stn_json_number(answer.value, "reader");
  stn_clear(&answer);
  for (size_t from = 0; !error && (from < rows || !rows); from += MOST_ROWS) {
    error = add_rows(core, reader, columns, count, from, rows - from < MOST_ROWS ? rows - from : MOST_ROWS);
    if (!rows) break;
  }
  if (!error) {
    stn_format(&end, "{'request':'table','reader':%u", reader);
    error = stn_ask(core, &end, &answer);
  }
  if (!error) return stn_keep(core, &answer, "table", "columns", table);
  stn_drop(core, reader);
  return error;
}

standin_error *standin_open_columns(const standin_table *table, standin_columns **columns) {
  struct text request = {0};
  struct answer answer = {0};
  stn_format(&request, "{'request':'columns','table':%u", table->is.number);
  standin_error *error = stn_ask(table->is.core, &request, &answer);
  return error ? error : stn_keep(table->is.core, &answer, "writer", "columns", columns);
}

/** A part of the engine's memory that an answer names, or NULL where it names none. */
static const void *part(standin_core *core, const char *value, const char *name, size_t length) {
  const uint32_t pointer = stn_json_number(value, name);
  return pointer ? stn_engine_bytes(core, stn_json_number(value, "instance"), pointer, length) : NULL;
}

standin_error *standin_get_column(standin_columns *columns, size_t place, size_t from, size_t most,
                                  standin_column *column, size_t *rows) {
  standin_core *core = columns->is.core;
  struct text request = {0};
  struct answer answer = {0};
  stn_format(&request, "{'request':'column','writer':%u,'place':%u,'from':%u,'rows':%u", columns->is.number,
             (unsigned)place, (unsigned)from, (unsigned)most);
  standin_error *error = stn_ask(core, &request, &answer);
  if (error) return error;
  const char *type = stn_json_member(stn_json_item(columns->is.facts, place), "type"), *value = answer.value;
  *column = (standin_column){.type = STANDIN_TEXT};
  while (column->type < STANDIN_NONE && strncmp(type + 1, TYPES[column->type].name, strlen(TYPES[column->type].name)))
    column->type++;
  *rows = stn_json_number(value, "rows");
  column->values = part(core, value, "values", *rows * TYPES[column->type].width);
  column->offsets = part(core, value, "offsets", 4 * (*rows + 1));
  column->texts = part(core, value, "texts", stn_json_number(value, "bytes"));
  column->validity = part(core, value, "validity", (*rows + 7) / 8);
  stn_clear(&answer);
  return NULL;
}
