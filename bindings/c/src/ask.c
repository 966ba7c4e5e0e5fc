#include "ask.h"

#include <stdlib.h>
#include <string.h>

static standin_error no_memory = {"host/memory", "There is not enough memory.", ""};

standin_error *stn_out_of_memory(void) { return &no_memory; }

standin_error *stn_failure(const char *code, const char *message, const char *hint) {
  const size_t codes = strlen(code) + 1, messages = strlen(message) + 1, hints = strlen(hint) + 1;
  standin_error *error = malloc(sizeof *error + codes + messages + hints);
  if (!error) return &no_memory;
  char *texts = (char *)(error + 1);
  error->code = memcpy(texts, code, codes);
  error->message = memcpy(texts + codes, message, messages);
  error->hint = memcpy(texts + codes + messages, hint, hints);
  return error;
}

void standin_free_error(standin_error *error) {
  if (error != &no_memory) free(error);
}

void standin_free(char *text) { free(text); }

void stn_clear(struct answer *answer) {
  free(answer->json);
  free(answer->text);
  *answer = (struct answer){0};
}

/** The error of an answer that has one. */
static standin_error *refusal(const char *json) {
  const char *error = stn_json_member(json, "error");
  if (!error) return stn_failure("core/fault", "The core answered without a value.", "");
  char *code = standin_string(stn_json_member(error, "code"));
  char *message = standin_string(stn_json_member(error, "message"));
  char *hint = standin_string(stn_json_member(error, "hint"));
  standin_error *refused = code && message ? stn_failure(code, message, hint ? hint : "") : &no_memory;
  free(code);
  free(message);
  free(hint);
  return refused;
}

/** Copies the parts of an answer out of the core. */
static standin_error *receive(standin_core *core, uint32_t pointer, struct answer *answer) {
  const uint32_t length = stn_host_answer_length(core);
  const uint8_t *bytes = stn_core_bytes(core, pointer, length);
  uint32_t head[3] = {0};
  if (!bytes || length < 8) return stn_failure("core/fault", "The core answered with less than a message.", "");
  memcpy(head, bytes, length < sizeof head ? length : sizeof head);
  const size_t begin = 4 + 4 * (size_t)head[0], second = head[0] > 1 ? head[2] : 0;
  if (!head[0] || begin + head[1] + second > length)
    return stn_failure("core/fault", "The core answered with less than a message.", "");
  answer->json = stn_copied((const char *)bytes + begin, head[1]);
  answer->text = stn_copied((const char *)bytes + begin + head[1], second);
  stn_host_free(core, pointer);
  if (!answer->json || !answer->text) return &no_memory;
  answer->value = stn_json_member(answer->json, "value");
  return answer->value ? NULL : refusal(answer->json);
}

static standin_error *unable(const standin_core *core) {
  if (core->is_closed) return stn_failure("host/closed", "This core is closed.", "");
  if (core->is_busy)
    return stn_failure("host/busy", "The core is answering another request. Use another core.", "Use another core.");
  if (core->is_broken) return stn_failure("core/fault", "The core has failed. Open another one.", "Open another one.");
  return NULL;
}

standin_error *stn_ask_with(standin_core *core, struct text *request, const void *part, size_t length,
                            const standin_hooks *hooks, struct answer *answer) {
  stn_append(request, "}", 1);
  standin_error *error = request->is_short ? &no_memory : unable(core);
  if (!error && request->is_wrong) error = stn_failure("host/request", "An option is not a JSON value.", "");
  if (!error) {
    const void *parts[] = {request->bytes, part};
    const size_t lengths[] = {request->length, length};
    core->is_busy = 1;
    core->hooks = hooks;
    const uint32_t pointer = stn_host_send(core, parts, lengths, part ? 2 : 1);
    core->is_busy = 0;
    error = pointer ? receive(core, pointer, answer) : unable(core);
  }
  free(request->bytes);
  if (error) stn_clear(answer);
  return error;
}

standin_error *stn_ask(standin_core *core, struct text *request, struct answer *answer) {
  return stn_ask_with(core, request, NULL, 0, NULL, answer);
}

standin_error *stn_tell(standin_core *core, struct text *request) {
  struct answer answer = {0};
  standin_error *error = stn_ask(core, request, &answer);
  stn_clear(&answer);
  return error;
}

standin_error *stn_strangers(const standin_core *core, const void *first, const void *second, const void *third) {
  const struct object *const objects[] = {first, second, third};
  for (size_t at = 0; at < 3; at++)
    if (objects[at] && objects[at]->core != core)
      return stn_failure("host/handle", "Objects used together must come from the same core.", "");
  return NULL;
}

char *stn_taken(const char *value) { return value ? stn_copied(value, (size_t)(stn_json_end(value) - value)) : NULL; }

struct object *stn_object_of(standin_core *core, uint32_t number, char *facts, char *text) {
  struct object *object = malloc(sizeof *object);
  if (object && facts) {
    *object = (struct object){core, number, facts, text};
    core->held++;
    return object;
  }
  free(object);
  free(facts);
  free(text);
  return NULL;
}

standin_error *stn_keep(standin_core *core, struct answer *answer, const char *kind, const char *facts, void *object) {
  const char *about = facts ? stn_json_member(answer->value, facts) : answer->value;
  struct object *made = stn_object_of(core, stn_json_number(answer->value, kind), stn_taken(about), answer->text);
  answer->text = NULL;
  stn_clear(answer);
  *(struct object **)object = made;
  return made ? NULL : &no_memory;
}

standin_error *stn_give(struct answer *answer, const char *member, char **given) {
  *given = stn_taken(member ? stn_json_member(answer->value, member) : answer->value);
  stn_clear(answer);
  return *given ? NULL : &no_memory;
}

void stn_drop(standin_core *core, uint32_t number) {
  struct text request = {0};
  stn_format(&request, "{'request':'drop','object':%u", number);
  standin_free_error(stn_tell(core, &request));
}

/** Frees a core once nothing refers to it. */
static void release(standin_core *core) {
  if (core->is_closed && !core->held) free(core);
}

void stn_close_object(struct object *object) {
  if (!object) return;
  stn_drop(object->core, object->number);
  object->core->held--;
  release(object->core);
  free(object->facts);
  free(object->text);
  free(object);
}

standin_error *standin_open(const char *cache, standin_core **core) {
  *core = calloc(1, sizeof **core);
  if (!*core) return &no_memory;
  standin_error *error = stn_host_open(*core, cache);
  if (!error) return NULL;
  standin_close(*core);
  *core = NULL;
  return error;
}

void standin_close(standin_core *core) {
  if (!core || core->is_closed) return;
  stn_host_close(core);
  core->is_closed = 1;
  release(core);
}
