// What QuickJS needs of the C library, where the library's own is large: that formats numbers of 128 bits, and writes
// to files.
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include "dtoa.h"

/** Digits of any integer of 64 bits. */
#define MOST_DIGITS 20

/** Writes an integer's digits so that they end at `end`, with zeros before them up to a width. Returns their start. */
static char *digits(char *end, uint64_t value, unsigned base, int width) {
  char *start = end;
  do *--start = "0123456789abcdef"[value % base];
  while (value /= base);
  while (end - start < width) *--start = '0';
  return start;
}

/** Knows what QuickJS's messages use: %s, %.*s, %c, %d, %u, %lld and %x, the last with zeros up to a width. */
int vsnprintf(char *restrict into, size_t size, const char *restrict format, va_list values) {
  size_t length = 0;
  for (const char *at = format; *at; at++) {
    char buffer[MOST_DIGITS + 1], *const end = buffer + sizeof buffer;
    const char *text = at;
    size_t count = 1;
    if (*at == '%') {
      int width = 0, most = -1;
      bool is_long = false;
      for (at++; *at >= '0' && *at <= '9'; at++) width = 10 * width + *at - '0';
      if (*at == '.') {
        at += 2;
        most = va_arg(values, int);
      }
      for (; *at == 'l'; at++) is_long = true;
      if (*at == 's') {
        text = va_arg(values, const char *);
        count = most < 0 ? strlen(text) : strnlen(text, most);
      } else if (*at == 'c') {
        buffer[0] = va_arg(values, int);
        text = buffer;
      } else if (*at == 'd' || *at == 'u' || *at == 'x') {
        int64_t value;
        if (is_long) value = va_arg(values, int64_t);
        else if (*at == 'd') value = va_arg(values, int);
        else value = va_arg(values, unsigned);
        bool is_negative = *at == 'd' && value < 0;
        char *start = digits(end, is_negative ? -(uint64_t)value : value, *at == 'x' ? 16 : 10, width);
        if (is_negative) *--start = '-';
        text = start;
        count = end - start;
      }
    }
    for (; count; count--, text++, length++)
      if (length + 1 < size) into[length] = *text;
  }
  if (size) into[length < size ? length : size - 1] = 0;
  return length;
}

int snprintf(char *restrict into, size_t size, const char *restrict format, ...) {
  va_list values;
  va_start(values, format);
  int length = vsnprintf(into, size, format, values);
  va_end(values);
  return length;
}

/** A core has nowhere to print to. */
int printf(const char *restrict format, ...) { return 0; }

/** The number that a text of JSON is. */
double strtod(const char *restrict text, char **restrict end) {
  JSATODTempMem memory;
  return js_atod(text, (const char **)end, 10, 0, &memory);
}

/** QuickJS asks for the time to seed its hash tables. A core has no clock, and the order of no result depends on it. */
int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  *time = (struct timeval){1, 0};
  return 0;
}

/** The C library's own writes byte by byte. */
void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
  void *pointer = malloc(bytes);
  return pointer ? memset(pointer, 0, bytes) : NULL;
}
