// Puts a script's bytecode together from the streams of pack.mjs, in the form in which QuickJS reads it.
#include "unpack.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "streams.h"

enum { FLOAT64 = 6, STRING = 7, BIG_INT = 10, TEMPLATE = 11, FUNCTION = 12 };
/** An atom's type: a string. */
#define NAMED 1
/** What vardefs say of a captured variable. */
#define IS_CAPTURED 64

/** Where the next byte of each stream is. */
static const uint8_t *from[256];
static uint8_t *to;
/** The numbers of common atoms. */
static uint32_t *common;
/** The number of the next atom. */
static uint32_t next_atom;

static uint8_t byte(int stream) { return *from[stream]++; }

static uint32_t number(int stream) {
  uint32_t value = 0, part, shift = 0;
  do {
    part = byte(stream);
    value |= (part & 127) << shift;
    shift += 7;
  } while (part > 127);
  return value;
}

static void put(uint32_t value) {
  for (; value > 127; value >>= 7) *to++ = value | 128;
  *to++ = value;
}

static uint32_t put_number(int stream) {
  uint32_t value = number(stream);
  put(value);
  return value;
}

static void put_bytes(int stream, size_t count) {
  memcpy(to, from[stream], count);
  to += count;
  from[stream] += count;
}

/** The bytes of a text whose length, in QuickJS's form, has as its lowest bit whether it has two bytes each. */
static void put_text(int lengths, int texts) {
  uint32_t length = put_number(lengths);
  put_bytes(texts, length >> 1 << (length & 1));
}

/** The table of atoms. False if there is no memory for the common ones. */
static bool put_atoms(void) {
  *to++ = byte(COMMON);
  // No checksum.
  memset(to, 255, 4);
  to += 4;
  next_atom = number(COMMON);
  uint32_t count = number(COMMON);
  common = malloc(count * sizeof *common);
  if (!common) return false;
  for (uint32_t at = 0; at < count; at++) {
    uint32_t atom = number(COMMON);
    common[at] = atom ? atom - 1 : next_atom++;
  }
  for (uint32_t left = put_number(NAME_LENGTH); left; left--) {
    *to++ = NAMED;
    put_text(NAME_LENGTH, NAME);
  }
  return true;
}

static uint32_t atom(int stream) {
  uint32_t place = byte(stream);
  if (!place) return next_atom++;
  if (place >= TWO_BYTES) place = TWO_BYTES + ((place - TWO_BYTES) << 8) + byte(stream + 1);
  return common[place - 1];
}

static void put_code(size_t length) {
  for (const uint8_t *end = to + length; to < end;) {
    uint8_t operation = *to++ = byte(CODE);
    int size = from[SIZES][operation], stream = from[OPERANDS][operation];
    if (size & ATOM) {
      uint32_t named = atom(stream);
      memcpy(to, &named, 4);
      to += 4;
      stream += 2;
      size -= ATOM + 4;
    }
    while (--size > 0) *to++ = byte(stream++);
  }
}

static void put_value(void);

static void put_function(void) {
  memcpy(to, from[FLAGS] + 3 * byte(FLAGS_OF), 3);
  to += 3;
  // Names are left out: those of the function, of its variables and of its closure's.
  put(0);
  uint32_t arguments = put_number(ARGUMENTS);
  uint32_t locals = arguments + put_number(VARIABLES);
  put(arguments - number(OPTIONAL));
  put_number(STACK);
  put_number(CAPTURED);
  uint32_t closures = put_number(CLOSURES), constants = put_number(CONSTANTS), length = put_number(LENGTH);
  put(locals);
  for (; locals; locals--) {
    uint32_t capture = number(CAPTURE);
    // No scope.
    put(0), put(0), put(0);
    put(capture ? IS_CAPTURED : 0);
    if (capture) put(capture - 1);
  }
  for (; closures; closures--) {
    uint32_t closure = number(CLOSURE);
    put(0), put(closure >> KIND), put(closure & ((1 << KIND) - 1));
  }
  for (; constants; constants--) put_value();
  put_code(length);
}

static void put_value(void) {
  uint8_t tag = *to++ = byte(TAG);
  if (tag == FLOAT64) put_bytes(BYTES, 8);
  if (tag == STRING) put_text(COUNT, BYTES);
  if (tag == BIG_INT) put_bytes(BYTES, put_number(COUNT));
  if (tag == TEMPLATE) {
    // Its texts, and then the same unread.
    for (uint32_t values = put_number(COUNT) + 1; values; values--) put_value();
  }
  if (tag == FUNCTION) put_function();
}

uint8_t *unpacked(const uint8_t *packed, size_t *length) {
  from[0] = packed;
  size_t most = number(0);
  uint32_t streams = number(0);
  const uint8_t *lengths = from[0], *start;
  for (uint32_t left = streams; left; left--) number(0);
  start = from[0];
  for (uint32_t stream = 0; stream < streams; stream++) {
    from[streams] = lengths;
    uint32_t bytes = number(streams);
    lengths = from[streams];
    from[stream] = start;
    start += bytes;
  }
  uint8_t *made = to = malloc(most);
  if (!made || !put_atoms()) {
    free(made);
    return NULL;
  }
  put_value();
  free(common);
  *length = to - made;
  return made;
}
