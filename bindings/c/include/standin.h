/**
 * standin: differentially private synthetic tables, from a sensitive table to a stand-in with a guarantee.
 *
 * A core runs the code of the npm package in WebAssembly. The same table, plan, key and seed give the same bytes in
 * every language. Private rows exist only in an engine's memory.
 *
 * Functions that can fail return NULL or an error, which the caller frees. They store what they make where their last
 * argument points. Options and facts are JSON, and all texts are UTF-8. A `char *` from a function is the caller's to
 * free (standin_free); a `const char *` belongs to the object that it describes.
 *
 * Only one thread at a time may use a core and what was made from it. Other threads open cores of their own. Each
 * thread needs a stack of 4 MiB.
 */
#ifndef STANDIN_H
#define STANDIN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An error that was raised on purpose. It says nothing about any record. */
typedef struct standin_error {
  /** A code that programs may test, "<room>/<what>", such as "schema/unknown-column" or "budget/exceeded". */
  const char *code;
  /** Says what was expected, what was found and what to do. */
  const char *message;
  /** What to do about it: the end of the message. It may be empty. */
  const char *hint;
} standin_error;

/** Frees an error. Like all functions that free, it accepts NULL. */
void standin_free_error(standin_error *error);
/** Frees a text that a function gave to the caller. */
void standin_free(char *text);

/** Makes stand-ins. What was made from a core cannot be used with another. */
typedef struct standin_core standin_core;

/**
 * Starts a core.
 * @param cache a folder in which to keep the core's machine code, so that later cores start faster, or NULL. They
 *   execute what they find there, so nobody else may be able to write to it.
 */
standin_error *standin_open(const char *cache, standin_core **core);
/**
 * Overwrites the memory of a core with zeros, and frees it. What was made from the core can be closed before or after,
 * but no longer used.
 */
void standin_close(standin_core *core);
/** The version of the standin package whose core this is. */
standin_error *standin_version(standin_core *core, char **version);

/** The public facts of a table. */
typedef struct standin_schema standin_schema;
/** What will be measured of a table, with what noise, at what price. It was made without looking at any table. */
typedef struct standin_plan standin_plan;
/** Rows: private ones that were read, or synthetic ones. */
typedef struct standin_table standin_table;
/** The noisy answers about a table, with everything that is needed to make rows from them. */
typedef struct standin_release standin_release;
/** A budget that several releases of the same rows share. */
typedef struct standin_budget standin_budget;

/** Each of these closes an object, and overwrites the private rows that it holds with zeros. */
void standin_close_schema(standin_schema *schema);
void standin_close_plan(standin_plan *plan);
void standin_close_table(standin_table *table);
void standin_close_release(standin_release *release);
void standin_close_budget(standin_budget *budget);

/** Reads a schema: the JSON of a Frictionless Table Schema with standin blocks. */
standin_error *standin_parse_schema(standin_core *core, const char *descriptor, standin_schema **schema);
/** JSON: "fields", each with "name", "type" and so on; "readFacts": a plan with any has no guarantee; … */
const char *standin_schema_facts(const standin_schema *schema);
/**
 * The same schema with facts that were read from the rows marked as declared, because someone knows them independently
 * of this table: the facts of these columns, or with NULL all facts, including those of the table as a whole.
 * @param columns a JSON list of names, or NULL
 */
standin_error *standin_confirm_facts(standin_core *core, const char *descriptor, const char *columns, char **confirmed);

/**
 * Plans a release without touching anything private.
 * @param options JSON: "epsilon" or "rho", and others of the npm package's plan()
 * @param public_table public rows of the same schema, or NULL
 */
standin_error *standin_make_plan(const standin_schema *schema, const char *options, const standin_table *public_table,
                                 standin_plan **plan);
/** What the command "standin plan --json" prints. */
const char *standin_plan_facts(const standin_plan *plan);

/** Where a file's bytes come from. */
typedef struct standin_source {
  /**
   * Writes at most this many bytes of the file into a part of the engine's memory.
   * @returns the number of bytes; 0 at the end; a negative number to end reading with the code "host/callback"
   */
  ptrdiff_t (*read)(void *data, void *into, size_t bytes);
  void *data;
  /** Nonzero if the bytes are UTF-8, whatever the schema states. */
  int is_decoded;
} standin_source;

/**
 * A source that reads a stream to its end. To keep private bytes out of the stream's own buffer, open it with
 * setvbuf(file, NULL, _IONBF, 0).
 */
standin_source standin_from_file(FILE *file);

/**
 * Reads a table as CSV whose first line is a header. The engine decodes UTF-8, UTF-16 and Windows-1252, by a byte order
 * mark or as the schema states, and refuses other encodings with the code "host/encoding".
 */
standin_error *standin_read_csv(const standin_schema *schema, standin_source source, standin_table **table);
/** The names of the columns that a table keeps, as a JSON list. */
const char *standin_table_columns(const standin_table *table);

/** How a column's values are stored. Layouts are those of Arrow, in little-endian order. */
typedef enum standin_type {
  /** Cells as in a file, without quotes: `offsets` has one element more than there are rows. */
  STANDIN_TEXT,
  /** int64_t. */
  STANDIN_I64,
  /** double. A NaN is a missing cell. */
  STANDIN_F64,
  /** int32_t: indices into a dictionary of texts, whose `offsets` has one element more than there are `entries`. */
  STANDIN_DICTIONARY,
  /**
   * int64_t: microseconds since 1970-01-01T00:00:00, or since midnight for times, whatever the field's format. They are
   * in UTC where the schema's facts give the field an "offset", otherwise in local wall-clock time.
   */
  STANDIN_MOMENT,
  /** No values: the schema does not need the column. */
  STANDIN_NONE
} standin_type;

/** A column of a table. Members that its type does not need may be NULL. */
typedef struct standin_column {
  const char *name;
  standin_type type;
  const void *values;
  /** Where each text begins and the one before ends, in ascending order. */
  const uint32_t *offsets;
  /** UTF-8. */
  const char *texts;
  size_t entries;
  /** One bit per row, lowest first: a 0 is a missing cell. If NULL, none is missing. */
  const uint8_t *validity;
} standin_column;

/** Reads a table whose rows are in columns. The schema's facts say in "reads" which columns it needs. */
standin_error *standin_read_columns(const standin_schema *schema, const standin_column *columns, size_t count,
                                    size_t rows, standin_table **table);

/**
 * Proposes a schema for a file. THE RESULT IS NOT PRIVATE: it is only for the owner of the table, who confirms facts
 * that are known from elsewhere. Texts of cells may stay in the core: open another one for private work.
 * @param options JSON, or NULL: "maxCategories", "dialect", "missingValues"
 * @param proposal JSON: "descriptor", "notes", "readFacts"
 */
standin_error *standin_non_private_proposal(standin_core *core, standin_source source, const char *options,
                                            char **proposal);
/**
 * Counts what reading a file with a schema would change. THE RESULT IS NOT PRIVATE.
 * @param check what the command "standin check --json" prints
 */
standin_error *standin_non_private_check(const standin_schema *schema, standin_source source, char **check);

/** What a run shares with its caller. Each function may be NULL. None may use the core. */
typedef struct standin_hooks {
  /**
   * Gets a budget's state each time it has changed. The state must be on disk when the function returns. A nonzero
   * result ends the run with the code "host/callback".
   */
  int (*on_charge)(void *data, const char *state);
  /**
   * Gets an unfinished release each time a round has been added, and can end the run in the same way. If the run does
   * not finish, standin_resume continues from this release at no further cost.
   */
  int (*on_round)(void *data, const char *unfinished);
  /** Gets JSON such as {"phase": "measure", "done": 3, "of": 40}. */
  void (*on_progress)(void *data, const char *progress);
  /** Whether to end early, with the code "host/cancelled". It is asked several times a second. */
  int (*is_cancelled)(void *data);
  /** Passed to all of them. */
  void *data;
} standin_hooks;

/**
 * Measures a table, and nothing more. Save the release's text before making rows, so that no later failure costs budget
 * again.
 * @param options JSON, or NULL: "rows" and "seed", for the rows that will be made
 * @param budget charged before anything is measured, or NULL
 */
standin_error *standin_measure(const standin_table *table, const standin_plan *plan, const char *options,
                               standin_budget *budget, const standin_hooks *hooks, standin_release **release);
/**
 * For tests only: measures with a noise key of 32 bytes that everyone may know. The release has no guarantee.
 */
standin_error *standin_unsafe_measure(const standin_table *table, const standin_plan *plan, const char *options,
                                      standin_budget *budget, const standin_hooks *hooks, const uint8_t *key,
                                      standin_release **release);
/** Measures the rounds that an unfinished release lacks. What it holds is neither measured nor charged again. */
standin_error *standin_resume(const standin_table *table, const standin_release *unfinished,
                              const standin_table *public_table, standin_budget *budget, const standin_hooks *hooks,
                              standin_release **release);

/** Reads the text of a release. */
standin_error *standin_parse_release(standin_core *core, const char *text, standin_release **release);
/** The JSON of a release, for saving. */
const char *standin_release_text(const standin_release *release);
/** {"guarantee": {"epsilon", …}, "isUnfinished": false}, or "noGuarantee": the reason, instead of a guarantee. */
const char *standin_release_facts(const standin_release *release);

/** Reads a budget: {"epsilon": 3, "delta": 1e-8, "neighbours": "add-remove", "unit": "row", "spent": []}. */
standin_error *standin_parse_budget(standin_core *core, const char *state, standin_budget **budget);
/** The state of a budget, with every charge so far. */
const char *standin_budget_state(const standin_budget *budget);

/** What was made from a release. */
typedef struct standin_synthetic {
  /** One table, unless the mechanism makes several. */
  standin_table **tables;
  size_t count;
  /** The number of rows of each table. */
  size_t rows;
  /** JSON: how the search for rows went, and how well they fit. */
  char *outcome;
  /** The same release, with the number of rows and the seed of these tables. */
  standin_release *release;
} standin_synthetic;

/**
 * Makes rows from a release, without data and without budget. With the release's own rows and seed, the result is
 * always the same.
 * @param options JSON, or NULL: "rows" and "seed"
 * @param public_table the one that the release was made with, or NULL
 * @param hooks only on_progress and is_cancelled are used; or NULL
 */
standin_error *standin_resample(const standin_release *release, const char *options, const standin_table *public_table,
                                const standin_hooks *hooks, standin_synthetic *synthetic);
/** Closes the tables and the release, and frees the rest. */
void standin_close_synthetic(standin_synthetic *synthetic);

/** Where a file's bytes go. */
typedef struct standin_sink {
  /** A nonzero result ends writing with the code "host/callback". */
  int (*write)(void *data, const void *from, size_t bytes);
  void *data;
} standin_sink;

/** A sink that writes to a stream. */
standin_sink standin_to_file(FILE *file);

/** Writes a table as CSV, in UTF-8 with LF line ends. */
standin_error *standin_write_csv(const standin_table *table, standin_sink sink);

/** The columns of a table, as values in the engine's memory. */
typedef struct standin_columns standin_columns;

standin_error *standin_open_columns(const standin_table *table, standin_columns **columns);
/**
 * A JSON list with the "name" and "type" of each column, the "labels" of a dictionary, the "unit" of dates ("day"), and
 * the "offset" of datetimes that have one, in seconds east of UTC.
 */
const char *standin_columns_facts(const standin_columns *columns);
/**
 * Says where the values of some rows are, until the columns are next used. The column's name and entries are left
 * empty.
 * @param place the column's number in the facts, from 0
 * @param from the number of the first row
 * @param most how many rows to get at most
 * @param rows set to how many of them the table has
 */
standin_error *standin_get_column(standin_columns *columns, size_t place, size_t from, size_t most,
                                  standin_column *column, size_t *rows);
void standin_close_columns(standin_columns *columns);

/**
 * Compares a synthetic table with the real one, exactly and without noise. THE RESULT IS NOT PRIVATE: it is only for
 * the owner of the real table, and publishing it would reveal what the release protects.
 * @param options JSON, or NULL: "workload" and "queries", as for plans; "targets", a list of columns that classifiers
 *   are trained to predict
 * @param test with targets: real rows that were held out for testing, or NULL for a fifth of the real table
 * @param hooks only on_progress and is_cancelled are used; or NULL
 * @param errors what the command "standin evaluate --json" prints
 */
standin_error *standin_non_private_query_errors(const standin_table *real, const standin_table *synthetic,
                                                const standin_schema *schema, const char *options,
                                                const standin_table *test, const standin_hooks *hooks, char **errors);

/** The JSON of an object's member, or NULL if there is none or not enough memory. */
char *standin_member(const char *json, const char *name);
/** The JSON of a list's item, or NULL. Places count from 0. */
char *standin_item(const char *json, size_t place);
/** The text of a JSON string, or NULL if it is not one. A NUL or a lone surrogate in it becomes U+FFFD. */
char *standin_string(const char *json);

#ifdef __cplusplus
}
#endif

#endif
