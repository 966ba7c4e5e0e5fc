#include "json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "standin.h"

/** How deep JSON may nest. */
#define MOST_DEPTH 100
/** No item is looked for. */
#define NOWHERE SIZE_MAX

void stn_append(struct text *text, const char *bytes, size_t length) {
  if (text->length + length >= text->room) {
    size_t room = 2 * (text->length + length) + 64;
    char *grown = realloc(text->bytes, room);
    if (!grown) text->is_short = 1;
    if (text->is_short) return;
    text->bytes = grown;
    text->room = room;
  }
  memcpy(text->bytes + text->length, bytes, length);
  text->bytes[text->length += length] = 0;
}

static void append_string(struct text *text, const char *string) {
  stn_append(text, "\"", 1);
  for (; *string; string++) {
    char escape[8];
    if (*string == '"' || *string == '\\' || (unsigned char)*string < ' ')
      stn_append(text, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", *string));
    else
      stn_append(text, string, 1);
  }
  stn_append(text, "\"", 1);
}

void stn_format(struct text *text, const char *pattern, ...) {
  va_list given;
  va_start(given, pattern);
  for (; *pattern; pattern++) {
    char number[16];
    const char *json;
    if (*pattern != '%') {
      stn_append(text, *pattern == '\'' ? "\"" : pattern, 1);
      continue;
    }
    switch (*++pattern) {
    case 'u':
      stn_append(text, number, (size_t)snprintf(number, sizeof number, "%u", va_arg(given, unsigned)));
      break;
    case 'q':
      append_string(text, va_arg(given, const char *));
      break;
    case 'j':
      json = va_arg(given, const char *);
      text->is_wrong |= !stn_json_end(json) || stn_json_end(json)[strspn(stn_json_end(json), " \t\n\r")];
      stn_append(text, json, strlen(json));
    }
  }
  va_end(given);
}

char *stn_copied(const char *text, size_t length) {
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

static const char *past_spaces(const char *at) { return at + strspn(at, " \t\n\r"); }

static const char *past_string(const char *at) {
  if (*at != '"') return NULL;
  while (*++at != '"') {
    if ((unsigned char)*at < ' ') return NULL;
    if (*at != '\\') continue;
    if (!*++at || !strchr("\"\\/bfnrtu", *at)) return NULL;
    if (*at == 'u' && strspn(at + 1, "0123456789abcdefABCDEF") < 4) return NULL;
  }
  return at + 1;
}

static const char *past_scalar(const char *at) {
  static const char *const LITERALS[] = {"true", "false", "null"};
  for (size_t which = 0; which < 3; which++) {
    size_t length = strlen(LITERALS[which]);
    if (!strncmp(at, LITERALS[which], length)) return at + length;
  }
  size_t digits = strspn(at, "+-.0123456789eE");
  return digits ? at + digits : NULL;
}

/**
 * @param name the member of an object, or NULL
 * @param place the item of a list, or NOWHERE
 * @param found gets that value's place, of members with the same name the last
 * @returns what follows the value at a place, or NULL if there is none
 */
static const char *walk(const char *at, int depth, const char *name, size_t place, const char **found) {
  at = past_spaces(at);
  if (*at == '"') return past_string(at);
  if (*at != '{' && *at != '[') return past_scalar(at);
  const int is_object = *at == '{';
  const char end = is_object ? '}' : ']';
  at = past_spaces(at + 1);
  if (*at == end) return at + 1;
  for (size_t index = 0;; index++, at++) {
    at = past_spaces(at);
    int is_it = !is_object && index == place;
    if (is_object) {
      const char *key = at;
      if (!(at = past_string(key)) || *past_spaces(at) != ':') return NULL;
      size_t length = (size_t)(at - key) - 2;
      is_it = name && strlen(name) == length && !strncmp(key + 1, name, length);
      at = past_spaces(past_spaces(at) + 1);
    }
    if (is_it) *found = at;
    if (!depth || !(at = walk(at, depth - 1, NULL, NOWHERE, found))) return NULL;
    at = past_spaces(at);
    if (*at == end) return at + 1;
    if (*at != ',') return NULL;
  }
}

const char *stn_json_end(const char *json) { return walk(json, MOST_DEPTH, NULL, NOWHERE, NULL); }

static const char *found_in(const char *json, const char *name, size_t place) {
  const char *found = NULL;
  return json && walk(json, MOST_DEPTH, name, place, &found) ? found : NULL;
}

const char *stn_json_member(const char *json, const char *name) { return found_in(json, name, NOWHERE); }

const char *stn_json_item(const char *json, size_t place) { return found_in(json, NULL, place); }

uint32_t stn_json_number(const char *json, const char *name) {
  const char *found = stn_json_member(json, name);
  return found ? (uint32_t)strtoul(found, NULL, 10) : 0;
}

char *standin_member(const char *json, const char *name) {
  const char *found = stn_json_member(json, name);
  return found ? stn_copied(found, (size_t)(stn_json_end(found) - found)) : NULL;
}

char *standin_item(const char *json, size_t place) {
  const char *found = stn_json_item(json, place);
  return found ? stn_copied(found, (size_t)(stn_json_end(found) - found)) : NULL;
}

/** Appends the character of an escape \uxxxx, or of two that stand for one. Returns how many bytes they have. */
static size_t append_escaped(struct text *text, const char *at) {
  static const unsigned char FIRST[] = {0, 0xc0, 0xe0, 0xf0};
  unsigned high, low;
  char four[5] = {0};
  high = (unsigned)strtoul(memcpy(four, at + 2, 4), NULL, 16);
  const int is_pair = (high & 0xfc00) == 0xd800 && at[6] == '\\' && at[7] == 'u';
  low = is_pair ? (unsigned)strtoul(memcpy(four, at + 8, 4), NULL, 16) : 0;
  if ((low & 0xfc00) == 0xdc00)
    high = 0x10000 + ((high & 0x3ff) << 10 | (low & 0x3ff));
  else if (high >> 11 == 0x1b || !high)
    high = 0xfffd; // half a character, or one that would end the text
  const int more = high < 0x80 ? 0 : high < 0x800 ? 1 : high < 0x10000 ? 2 : 3;
  char bytes[4];
  bytes[0] = (char)(FIRST[more] | high >> 6 * more);
  for (int next = 1; next <= more; next++) bytes[next] = (char)(0x80 | (high >> 6 * (more - next) & 0x3f));
  stn_append(text, bytes, (size_t)more + 1);
  return (low & 0xfc00) == 0xdc00 ? 12 : 6;
}

char *standin_string(const char *json) {
  static const char LETTERS[] = "bfnrt", MEANINGS[] = "\b\f\n\r\t";
  struct text text = {0};
  const char *end = json ? past_string(json) : NULL;
  if (!end) return NULL;
  stn_append(&text, "", 0);
  for (const char *at = json + 1; at < end - 1;) {
    if (*at != '\\') {
      stn_append(&text, at++, 1);
    } else if (at[1] == 'u') {
      at += append_escaped(&text, at);
    } else {
      const char *letter = strchr(LETTERS, at[1]);
      stn_append(&text, letter ? &MEANINGS[letter - LETTERS] : at + 1, 1);
      at += 2;
    }
  }
  return text.bytes;
}
