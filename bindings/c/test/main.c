// standin-tests <repository> <cache> <test>, or "vector" and its name
#include "tests.h"

const char *root, *cache;

#define NAMED(name) {#name, test_##name},

int main(int count, char **arguments) {
  static const struct {
    const char *name;
    void (*run)(void);
  } KNOWN[] = {TESTS(NAMED)};
  if (count < 4) return 2;
  root = arguments[1];
  cache = arguments[2];
  if (count == 5) test_vector(arguments[4]);
  if (count == 5) return 0;
  for (size_t at = 0; at < sizeof KNOWN / sizeof *KNOWN; at++) {
    if (strcmp(KNOWN[at].name, arguments[3])) continue;
    KNOWN[at].run();
    return 0;
  }
  return 2;
}
