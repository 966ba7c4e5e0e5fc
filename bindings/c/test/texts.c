#include "json.h"
#include "tests.h"

static void expect_string(const char *json, const char *expected) {
  char *text = standin_string(json);
  CHECK(expected ? text && !strcmp(text, expected) : !text);
  free(text);
}

static void expect_member(const char *json, const char *name, const char *expected) {
  char *member = standin_member(json, name);
  CHECK(expected ? member && !strcmp(member, expected) : !member);
  free(member);
}

void test_json(void) {
  static const char *const VALUES[] = {
      "1",
      "-0.5e+3",
      " true",
      "null",
      "\"\"",
      "{}",
      "[ ]",
      "[1, {\"a\": [2]}]",
      "\"\\\\\\\"\\u00e4\"",
      "{\"a\" : {}, \"b\":[[]]}",
  };
  static const char *const WRONG[] = {
      "",        "{",         "[1",     "[1,]",      "{\"a\"}",           "{\"a\":}", "{a:1}", "\"a",
      "\"\\x\"", "\"\\u12\"", "\"\n\"", "[\"a\" 1]", "{\"a\":1 \"b\":2}", "nil",      "\"\\",
  };
  for (size_t at = 0; at < sizeof VALUES / sizeof *VALUES; at++)
    CHECK(stn_json_end(VALUES[at]) == VALUES[at] + strlen(VALUES[at]));
  for (size_t at = 0; at < sizeof WRONG / sizeof *WRONG; at++) CHECK(!stn_json_end(WRONG[at]));
  char *deep = repeated("", "[", 100000);
  CHECK(!stn_json_end(deep));
  free(deep);

  static const char OBJECT[] =
      " { \"one\": 1, \"list\" : [10, \"]\", {\"one\": 3}], \"on\": {\"e\": 4}, \"e\": \"5\" }";
  expect_member(OBJECT, "one", "1");
  expect_member(OBJECT, "list", "[10, \"]\", {\"one\": 3}]");
  expect_member(OBJECT, "on", "{\"e\": 4}");
  expect_member(OBJECT, "e", "\"5\"");
  expect_member(OBJECT, "o", NULL);
  expect_member("{\"a\": 1, \"a\": 2}", "a", "2");
  expect_member("[\"a\"]", "a", NULL);
  expect_member("{\"a\": 1", "a", NULL);
  char *item = standin_item("[10, \"]\", {\"one\": 3}]", 2);
  CHECK(item && !strcmp(item, "{\"one\": 3}") && !standin_item("[1]", 1) && !standin_item("{}", 0));
  free(item);

  expect_string("\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "a\"\\/\b\f\n\r\t");
  expect_string("\"\\u0041\\u00e4\\u20ac\\ud83d\\ude00\"", "A\u00e4\u20ac\U0001f600");
  expect_string("\"\\ud83dx\\u0000\"", "\xef\xbf\xbdx\xef\xbf\xbd");
  expect_string("\"\\ud83d\\u0041\"", "\xef\xbf\xbd"
                                      "A");
  expect_string("1", NULL);
  expect_string(NULL, NULL);

  struct text text = {0};
  stn_format(&text, "{'a':%u,%q:%j", 4000000000u, "\"\\\n\x01 \xc3\xa4", "[1]");
  CHECK(!strcmp(text.bytes, "{\"a\":4000000000,\"\\u0022\\u005c\\u000a\\u0001 \xc3\xa4\":[1]") && !text.is_wrong);
  stn_format(&text, "%j", "1} ");
  CHECK(text.is_wrong);
  free(text.bytes);
}
