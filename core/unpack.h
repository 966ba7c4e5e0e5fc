#include <stddef.h>
#include <stdint.h>

/**
 * The bytecode of a script that pack.mjs has packed, as QuickJS reads it.
 * @returns its bytes, for the caller to free; NULL if there is no memory for them
 */
uint8_t *unpacked(const uint8_t *packed, size_t *length);
