// e^−1 … e^−64 as fractions of 192 bits, rounded down. They decide exact Bernoulli trials and the levels of a
// selection. An instance computes them when it starts, since code is smaller than the digits are. A test recomputes
// every digit.
import { EXP_DIGITS, EXP_LEVELS } from "../layout";

/** Two digits more than are kept: what is lost below the last of them changes none that is kept. */
const DIGITS: i32 = EXP_DIGITS + 2;
/** e^−1 is computed as far as its term 1/64!, which is below the last digit. */
const TERMS: u32 = 64;

const TABLE = memory.data(EXP_LEVELS * EXP_DIGITS * 4, 16);
// Numbers of DIGITS digits, the most significant first. A product has room for one that it drops.
const FIRST = memory.data(DIGITS * 4, 4);
const POWER = memory.data(DIGITS * 4, 4);
const PRODUCT = memory.data((DIGITS + 1) * 4, 4);

fillTable();

/** The address of the table. */
export function expTable(): usize {
  return TABLE;
}

function fillTable(): void {
  for (let term = TERMS; term > 0; term--) subtractFromOne(term);
  memory.fill(POWER, 0xff, DIGITS * 4);
  for (let level: usize = 0; level < <usize>EXP_LEVELS; level++) {
    memory.fill(PRODUCT, 0, DIGITS * 4);
    for (let digit = DIGITS - 1; digit >= 0; digit--) addMultiple(load<u32>(POWER + (<usize>digit << 2)));
    memory.copy(POWER, PRODUCT, DIGITS * 4);
    memory.copy(TABLE + level * (EXP_DIGITS * 4), PRODUCT, EXP_DIGITS * 4);
  }
}

// FIRST becomes 1 − FIRST/term: e^−1 = 1 − 1/1·(1 − 1/2·(1 − 1/3·(…))).
function subtractFromOne(term: u32): void {
  let rest: u64 = 0;
  for (let at = FIRST; at < FIRST + DIGITS * 4; at += 4) {
    rest = (rest << 32) | load<u32>(at);
    store<u32>(at, ~(<u32>(rest / term)));
    rest %= term;
  }
}

// PRODUCT becomes (PRODUCT + times·FIRST)/2^32: the product with a number, digit by digit from its last.
function addMultiple(times: u64): void {
  let carry: u64 = 0;
  for (let at: i32 = DIGITS * 4 - 4; at >= 0; at -= 4) {
    carry += times * load<u32>(FIRST + at) + load<u32>(PRODUCT + at);
    store<u32>(PRODUCT + at, <u32>carry, 4);
    carry >>= 32;
  }
  store<u32>(PRODUCT, <u32>carry);
}
