#include <math.h>

#include "tests.h"

#define FIELD(name, type, constraints, more)                                                                           \
  "{\"name\": \"" name "\", \"type\": \"" type "\", \"constraints\": {" constraints "}" more "}"
#define QUARTERS ", \"standin\": {\"granularity\": 0.25}"
// clang-format off
static const char DESCRIPTOR[] = "{\"fields\": ["
    FIELD("sex", "string", "\"enum\": [\"F\", \"M\"]", "") ","
    FIELD("city", "string", "\"enum\": [\"Ulm\", \"K\xc3\xb6ln\", \"Bonn\"]", "") ","
    FIELD("age", "integer", "\"minimum\": 0, \"maximum\": 99", "") ","
    FIELD("height", "number", "\"minimum\": 0, \"maximum\": 4", QUARTERS) ","
    FIELD("born", "date", "\"minimum\": \"1990-01-01\", \"maximum\": \"1990-12-31\"", "") "]}";
// clang-format on
#define DAY (86400 * (int64_t)1000000)
/** Of 1990-01-01 since 1970-01-01. */
#define FIRST_DAY 7305

/** More rows than enter the engine at once. */
enum { ROWS = 70003 };
static const char *const CITIES[] = {"Ulm", "K\xc3\xb6ln", "Bonn"};

/** A table as columns and as a file. */
static struct {
  int32_t sex[ROWS];
  uint32_t offsets[ROWS + 1];
  char cities[8 * ROWS];
  int64_t age[ROWS], born[ROWS];
  double height[ROWS];
  uint8_t has_age[(ROWS + 7) / 8];
  char csv[64 * ROWS];
} rows;

static int is_set(const uint8_t *validity, size_t row) { return validity[row / 8] >> row % 8 & 1; }

static void make_rows(void) {
  char *csv = rows.csv + sprintf(rows.csv, "sex,city,age,height,born\n");
  for (size_t row = 0; row < ROWS; row++) {
    const char *city = CITIES[row * row % 3];
    rows.sex[row] = (int32_t)(row % 5 % 3) - (row % 7 == 0); // -1 and 2 are outside of the dictionary
    rows.offsets[row + 1] = rows.offsets[row] + (uint32_t)strlen(city);
    memcpy(rows.cities + rows.offsets[row], city, strlen(city));
    rows.age[row] = (int64_t)(row % 100);
    if (row % 11) rows.has_age[row / 8] |= (uint8_t)(1 << row % 8);
    rows.height[row] = row % 13 ? (double)(row % 17) / 4 : NAN;
    rows.born[row] = (FIRST_DAY + (int64_t)(row % 31)) * DAY;
    static const char *const SEXES[] = {"", "F", "M", ""};
    csv += sprintf(csv, "%s,%s,", SEXES[rows.sex[row] + 1], city);
    csv += row % 11 ? sprintf(csv, "%d,", (int)rows.age[row]) : sprintf(csv, ",");
    csv += row % 13 ? sprintf(csv, "%.2f,", rows.height[row]) : sprintf(csv, ",");
    csv += sprintf(csv, "1990-01-%02d\n", (int)(row % 31) + 1);
  }
}

/** Whether a row of the table is as it was given: its value in a column, or that there is none. */
static int is_same(const standin_column *column, size_t place, size_t at, size_t row) {
  const int32_t *codes = column->values;
  const int64_t *whole = column->values;
  const double *numbers = column->values;
  const int is_there = is_set(column->validity, at);
  switch (place) {
  case 0:
    return rows.sex[row] == 0 || rows.sex[row] == 1 ? is_there && codes[at] == rows.sex[row] : !is_there;
  case 1:
    return is_there && codes[at] == (int32_t)(row * row % 3);
  case 2:
    return is_set(rows.has_age, row) ? is_there && whole[at] == rows.age[row] : !is_there;
  case 3:
    return isnan(rows.height[row]) ? !is_there : is_there && numbers[at] == rows.height[row];
  default:
    return is_there && whole[at] == rows.born[row];
  }
}

static void expect_rows(standin_columns *columns, size_t from, size_t most) {
  static const standin_type TYPES[] = {
      STANDIN_DICTIONARY, STANDIN_DICTIONARY, STANDIN_I64, STANDIN_F64, STANDIN_MOMENT,
  };
  for (size_t place = 0; place < 5; place++) {
    standin_column column;
    size_t found;
    MUST(standin_get_column(columns, place, from, most, &column, &found));
    CHECK(column.type == TYPES[place] && found == (ROWS - from < most ? ROWS - from : most));
    for (size_t at = 0; at < found; at++) CHECK(is_same(&column, place, at, from + at));
  }
}

void test_columns(void) {
  make_rows();
  static const uint32_t ENDS[] = {0, 1, 2};
  const standin_column given[] = {
      {.name = "sex", .type = STANDIN_DICTIONARY, .values = rows.sex, .offsets = ENDS, .texts = "FM", .entries = 2},
      {.name = "city", .type = STANDIN_TEXT, .offsets = rows.offsets, .texts = rows.cities},
      {.name = "note", .type = STANDIN_NONE},
      {.name = "age", .type = STANDIN_I64, .values = rows.age, .validity = rows.has_age},
      {.name = "height", .type = STANDIN_F64, .values = rows.height},
      {.name = "born", .type = STANDIN_MOMENT, .values = rows.born},
  };
  standin_core *core = opened();
  standin_schema *schema = schema_of(core, DESCRIPTOR);
  standin_table *from_file = table_of(schema, rows.csv), *table, *none;
  MUST(standin_read_columns(schema, given, 6, ROWS, &table));
  char *expected = written(from_file), *found = written(table);
  CHECK(strlen(expected) > 10 * (size_t)ROWS && !strcmp(expected, found));

  standin_columns *columns;
  MUST(standin_open_columns(table, &columns));
  char *city = standin_item(standin_columns_facts(columns), 1), *labels = standin_member(city, "labels");
  CHECK(!strcmp(labels, "[\"Ulm\",\"K\xc3\xb6ln\",\"Bonn\"]"));
  expect_rows(columns, 0, 1000);
  expect_rows(columns, ROWS - 3, 1000);
  expect_rows(columns, 0, ROWS);
  standin_close_columns(columns);

  standin_column wrong = given[0];
  wrong.type = STANDIN_MOMENT;
  REFUSED(standin_read_columns(schema, &wrong, 1, ROWS, &none), "files/missing-column");
  const standin_column moments[] = {wrong, given[1], given[3], given[4], given[5]};
  REFUSED(standin_read_columns(schema, moments, 5, ROWS, &none), "frames/type");
  char *const used[] = {expected, found, city, labels};
  for (size_t at = 0; at < sizeof used / sizeof *used; at++) free(used[at]);
  standin_close_table(from_file);
  standin_close_table(table);
  standin_close_schema(schema);
  standin_close(core);
}
