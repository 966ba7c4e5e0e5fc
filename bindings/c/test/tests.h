/** The tests, by their names, and one for each vector. */
#ifndef TESTS_H
#define TESTS_H

#include "support.h"

#define TESTS(TEST)                                                                                                    \
  TEST(threads)                                                                                                        \
  TEST(refusals)                                                                                                       \
  TEST(json)                                                                                                           \
  TEST(reading)                                                                                                        \
  TEST(encodings)                                                                                                      \
  TEST(writing)                                                                                                        \
  TEST(columns)                                                                                                        \
  TEST(facts)                                                                                                          \
  TEST(comparisons)                                                                                                    \
  TEST(proposals)                                                                                                      \
  TEST(hooks)                                                                                                          \
  TEST(cancelling)                                                                                                     \
  TEST(resuming)                                                                                                       \
  TEST(closing)                                                                                                        \
  TEST(caching)                                                                                                        \
  TEST(wiping)                                                                                                         \
  TEST(vaults)

#define DECLARED(name) void test_##name(void);
TESTS(DECLARED)
void test_vector(const char *name);

#endif
