/** Requests to a core, and the things that it makes. */
#ifndef STANDIN_ASK_H
#define STANDIN_ASK_H

#include "core.h"
#include "json.h"

/** A thing that a core holds by number. */
struct object {
  standin_core *core;
  uint32_t number;
  /** What the core says about it, and the text that stands for it elsewhere; each may be NULL. */
  char *facts, *text;
};

struct standin_schema {
  struct object is;
};
struct standin_plan {
  struct object is;
};
struct standin_table {
  struct object is;
};
struct standin_release {
  struct object is;
};
struct standin_budget {
  struct object is;
};

/** An answer, whose bytes stn_clear() frees. */
struct answer {
  char *json;
  /** In the JSON. */
  const char *value;
  /** The answer's second part, or NULL. */
  char *text;
};

void stn_clear(struct answer *answer);
/** Sends a request, whose closing brace is not there yet, and frees its text. */
standin_error *stn_ask(standin_core *core, struct text *request, struct answer *answer);
/** The same with a part after the JSON, of `length` bytes, and functions that it calls; each may be NULL. */
standin_error *stn_ask_with(standin_core *core, struct text *request, const void *part, size_t length,
                            const standin_hooks *hooks, struct answer *answer);
/** Sends a request for which only the error matters. */
standin_error *stn_tell(standin_core *core, struct text *request);
/** The error for things of different cores, or NULL if all are of this one or NULL. */
standin_error *stn_strangers(const standin_core *core, const void *first, const void *second, const void *third);
/** A copy of the JSON value at a place, or NULL. */
char *stn_taken(const char *value);
/** A thing whose texts are its own from now on. NULL, and they are freed, if there is not enough memory. */
struct object *stn_object_of(standin_core *core, uint32_t number, char *facts, char *text);
/**
 * Makes a thing from an answer, which it clears: its number and its facts are members of the value. Without a name for
 * them, the whole value is its facts. The answer's text becomes the thing's.
 */
standin_error *stn_keep(standin_core *core, struct answer *answer, const char *kind, const char *facts, void *object);
/** Gives a member of an answer's value to the caller, or without a name all of it, and clears the answer. */
standin_error *stn_give(struct answer *answer, const char *member, char **given);
/** Lets the core forget a number. */
void stn_drop(standin_core *core, uint32_t number);
/** Ends a thing, if it is not NULL. */
void stn_close_object(struct object *object);
standin_error *stn_out_of_memory(void);

#endif
