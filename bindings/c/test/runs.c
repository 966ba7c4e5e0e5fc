#include "tests.h"

#define STATE "{\"epsilon\": 500, \"delta\": 1e-3, \"neighbours\": \"add-remove\", \"unit\": \"row\", \"spent\": []}"

/** What a run has told so far. */
struct heard {
  standin_core *core;
  /** A letter for each call of a hook. */
  char calls[4096];
  /** What it told last. */
  char *budget, *unfinished;
  size_t count;
  int most_rounds, is_cancelled;
};

static void note(struct heard *heard, char call) {
  if (heard->count + 1 < sizeof heard->calls) heard->calls[heard->count++] = call;
}

static int hear_charge(void *data, const char *state) {
  struct heard *heard = data;
  note(heard, 'c');
  free(heard->budget);
  heard->budget = repeated(state, "", 0);
  return 0;
}

static int hear_round(void *data, const char *unfinished) {
  struct heard *heard = data;
  note(heard, 'r');
  free(heard->unfinished);
  heard->unfinished = repeated(unfinished, "", 0);
  return --heard->most_rounds == 0;
}

static void hear_progress(void *data, const char *progress) {
  struct heard *heard = data;
  char *phase = string_member(progress, "phase"), *version;
  if (!strchr(heard->calls, *phase)) note(heard, *phase);
  free(phase);
  REFUSED(standin_version(heard->core, &version), "host/busy");
}

static int hear_question(void *data) { return ((struct heard *)data)->is_cancelled; }

static standin_hooks hooks_of(struct heard *heard) {
  return (standin_hooks){hear_charge, hear_round, hear_progress, hear_question, heard};
}

static void forget(struct heard *heard) {
  free(heard->budget);
  free(heard->unfinished);
}

void test_hooks(void) {
  standin_core *core = opened();
  struct vector vector = vector_of("rounds");
  struct heard heard = {.core = core};
  const standin_hooks hooks = hooks_of(&heard);
  standin_plan *plan;
  standin_table *table;
  standin_budget *budget;
  standin_release *release;
  standin_synthetic made;
  begin(core, &vector, &plan, &table);
  MUST(standin_parse_budget(core, STATE, &budget));
  MUST(standin_measure(table, plan, NULL, budget, &hooks, &release));
  // The charge comes before anything is measured; the count of what a round measured is in the budget before the round.
  const char *round = strchr(heard.calls, 'r'), *measure = strchr(heard.calls, 'm');
  CHECK(heard.calls[0] == 'c' && measure && round && strchr(round + 1, 'r'));
  CHECK(memchr(heard.calls + 1, 'c', (size_t)(round - heard.calls) - 1));
  CHECK(!strcmp(standin_budget_state(budget), heard.budget));
  MUST(standin_resample(release, "{\"rows\": 2000}", NULL, &hooks, &made));
  CHECK(strchr(heard.calls, 's'));
  standin_close_synthetic(&made);
  standin_close_release(release);
  standin_close_budget(budget);
  standin_close_table(table);
  standin_close_plan(plan);
  forget(&heard);
  free_vector(&vector);
  standin_close(core);
}

void test_cancelling(void) {
  standin_core *core = opened();
  struct vector vector = vector_of("rounds");
  struct heard heard = {.core = core, .is_cancelled = 1};
  const standin_hooks hooks = hooks_of(&heard);
  standin_plan *plan;
  standin_table *table;
  standin_release *release;
  standin_synthetic made;
  begin(core, &vector, &plan, &table);
  REFUSED(standin_measure(table, plan, NULL, NULL, &hooks, &release), "host/cancelled");
  MUST(standin_parse_release(core, vector.release, &release));
  REFUSED(standin_resample(release, "{\"rows\": 100000}", NULL, &hooks, &made), "host/cancelled");
  standin_close_release(release);
  standin_close_table(table);
  standin_close_plan(plan);
  remake(core, "rounds");
  forget(&heard);
  free_vector(&vector);
  standin_close(core);
}

/** A run that ends after its first round goes on in another core, and cannot go on twice. */
void test_resuming(void) {
  standin_core *core = opened(), *other = opened();
  struct vector vector = vector_of("rounds");
  struct heard heard = {.core = core, .most_rounds = 1};
  const standin_hooks hooks = hooks_of(&heard);
  standin_plan *plan, *same;
  standin_table *table, *again;
  standin_budget *budget, *shared;
  standin_release *unfinished, *release;
  standin_synthetic made;
  begin(core, &vector, &plan, &table);
  MUST(standin_parse_budget(core, STATE, &budget));
  REFUSED(standin_measure(table, plan, NULL, budget, &hooks, &release), "host/callback");
  CHECK(!strcmp(standin_budget_state(budget), heard.budget));

  begin(other, &vector, &same, &again);
  MUST(standin_parse_release(other, heard.unfinished, &unfinished));
  char *is_unfinished = standin_member(standin_release_facts(unfinished), "isUnfinished");
  CHECK(!strcmp(is_unfinished, "true"));
  REFUSED(standin_resample(unfinished, NULL, NULL, NULL, &made), "release/unfinished");
  REFUSED(standin_resume(again, unfinished, NULL, NULL, NULL, &release), "budget/missing");
  REFUSED(standin_resume(table, unfinished, NULL, NULL, NULL, &release), "host/handle");
  MUST(standin_parse_budget(other, heard.budget, &shared));
  MUST(standin_resume(again, unfinished, NULL, shared, NULL, &release));
  char *guarantee = standin_member(standin_release_facts(release), "guarantee");
  char *neighbours = string_member(guarantee, "neighbours");
  CHECK(!strcmp(neighbours, "add-remove") && strcmp(standin_budget_state(shared), heard.budget));
  standin_release *twice;
  REFUSED(standin_resume(again, unfinished, NULL, shared, NULL, &twice), "budget/resumed");

  free(is_unfinished);
  free(guarantee);
  free(neighbours);
  standin_close_release(release);
  standin_close_release(unfinished);
  standin_close_budget(budget);
  standin_close_budget(shared);
  standin_close_table(table);
  standin_close_table(again);
  standin_close_plan(plan);
  standin_close_plan(same);
  forget(&heard);
  free_vector(&vector);
  standin_close(core);
  standin_close(other);
}
