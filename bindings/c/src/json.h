/**
 * Texts that grow, and just as much of JSON as requests and answers need. Names that the library keeps to itself begin
 * with stn_, so that none is also one of a program's.
 */
#ifndef STANDIN_JSON_H
#define STANDIN_JSON_H

#include <stddef.h>
#include <stdint.h>

/** Begins as {0}. Whoever has it frees the bytes. */
struct text {
  char *bytes;
  size_t length, room;
  /** There was not enough memory for all of it, or something that should be JSON is none. */
  int is_short, is_wrong;
};

void stn_append(struct text *text, const char *bytes, size_t length);
/**
 * Appends what a pattern says: ' stands for ", %u for an unsigned number, %q for a text as a JSON string, and %j for a
 * JSON text as it is.
 */
void stn_format(struct text *text, const char *pattern, ...);
/** The beginning of a text, followed by a zero. NULL if there is not enough memory. */
char *stn_copied(const char *text, size_t length);
/** What follows the JSON value at this place, or NULL if there is none. */
const char *stn_json_end(const char *json);
/** The value of an object's member, or NULL. */
const char *stn_json_member(const char *json, const char *name);
/** A list's item, or NULL. */
const char *stn_json_item(const char *json, size_t place);
/** A member that is a whole number, or 0. */
uint32_t stn_json_number(const char *json, const char *name);

#endif
