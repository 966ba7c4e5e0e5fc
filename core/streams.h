// The streams of a packed script, in order: pack.mjs, which reads this list, writes them, and unpack.c reads them.
// Numbers are LEB128.
enum {
  /** What an operation's number says: its size in bytes, plus ATOM if it names an atom. */
  SIZES,
  /** And the stream of its first operand. Further bytes are in the streams that follow. */
  OPERANDS,
  /** The version of the format, the first number of an atom of the script, the number of common atoms, and for each 0,
      or 1 plus its number if QuickJS itself has it. */
  COMMON,
  /** How many texts are atoms, and for each its length: first those of common atoms, then those named only once. */
  NAME_LENGTH,
  NAME,
  /** Flags of functions, three bytes each, and which of them a function has. */
  FLAGS,
  FLAGS_OF,
  /** For each function, how many arguments it has, how many of them from the first with a default value, and so on. */
  ARGUMENTS,
  OPTIONAL,
  VARIABLES,
  STACK,
  CAPTURED,
  CLOSURES,
  CONSTANTS,
  LENGTH,
  /** For each argument and variable 0, or 1 plus its place among those that are captured. */
  CAPTURE,
  /** For each variable of a closure, its kind in the low KIND bits, and above them its place. */
  CLOSURE,
  /** Constants: their tags, the lengths of those that have one, and their bytes. */
  TAG,
  COUNT,
  BYTES,
  /** Operations, without operands. */
  CODE,
  /** The first of the streams of operands. */
  OPERAND,
};

#define ATOM 128
#define KIND 3
/** An atom's place among the common ones takes a second byte from here on. Place 0 is the next atom named only once. */
#define TWO_BYTES 224
