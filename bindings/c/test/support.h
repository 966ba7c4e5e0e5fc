/** What the tests share. A check that fails ends the program. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "standin.h"

/** The repository's root, and a folder for machine code. */
extern const char *root, *cache;

#define CHECK(is) ((is) ? (void)0 : fail(__FILE__, __LINE__, #is))
/** Fails with an error's message, if there is an error. */
#define MUST(error) must(__FILE__, __LINE__, error)
/** Fails unless there is an error with a code, which it frees. */
#define REFUSED(error, code) refused(__FILE__, __LINE__, error, code)

_Noreturn void fail(const char *file, int line, const char *message);
void must(const char *file, int line, standin_error *error);
void refused(const char *file, int line, standin_error *error, const char *code);

/** A file of the repository. The caller frees it, as all texts here. */
char *file_text(const char *path);
/** JSON without spaces between its values. */
char *compact(const char *json);
/** A member that is a string. */
char *string_member(const char *json, const char *name);
int contains(const void *bytes, size_t length, const char *text);
/** A text `times` times, after a beginning. */
char *repeated(const char *begin, const char *text, size_t times);

/** A text as a file that is read in pieces of at most this many bytes. */
struct reading {
  const char *text;
  size_t left, piece;
};
standin_source source_of(struct reading *reading);
standin_core *opened(void);
standin_schema *schema_of(standin_core *core, const char *descriptor);
standin_table *table_of(const standin_schema *schema, const char *csv);
char *written(const standin_table *table);

/** A release from beginning to end, as the npm package makes it. */
struct vector {
  char *schema, *csv, *plan, *options, *release, *rows;
  uint8_t key[32];
};

struct vector vector_of(const char *name);
void free_vector(struct vector *vector);
/** Reads a vector's schema, plan and table. */
void begin(standin_core *core, const struct vector *vector, standin_plan **plan, standin_table **table);
/** Fails unless a core makes the bytes of a vector. */
void remake(standin_core *core, const char *name);

#endif
