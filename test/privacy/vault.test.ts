import { describe, expect, it } from "vitest";
import {
  ADD_REMOVE,
  ARGUMENT_REFUSED,
  BUDGET_EXCEEDED,
  ITEM_REFUSED,
  KEY_BYTES,
  KEY_REFUSED,
  LAW_FLIPPED,
  LAW_PEELED,
  LAW_REPLACED,
  NO_KEY,
  NOISE_TOO_LARGE,
  OK,
  REPLACE,
  SCORE_MAX,
  VAULT_REFUSED,
} from "../../src/engine/layout.js";
import { type Engine, instance } from "../engine.js";
import { keyBytes, openVault } from "./vault.js";

/** All state that a refusal must leave unchanged. */
function attempts(vault: Engine) {
  const { measure, select, keepRows, drawGaussians, selectScratch } = vault.exports;
  const counts = vault.place(Int32Array.from([10, 20, 30]));
  const scores = vault.place(BigInt64Array.from([1n, 2n, 3n]));
  const out = vault.place(Uint32Array.from([9, 9, 9]));
  const scratch = vault.alloc(selectScratch(3, 2) + 64);
  const state = () => String([...vault.i32(counts, 3), ...vault.u32(out, 3), vault.exports.ledgerSpent()]);
  return {
    state,
    measure: (units = 1n << 50n, item = 0, partitions = 1) => measure(counts, 3, partitions, 0, units, item),
    select: (units = 1n << 50n, item = 0, picks = 2, law = LAW_PEELED) =>
      select(scores, 3, picks, law, SCORE_MAX, 1, 0, 0, units, item, scratch, out),
    keepRows: (people = 10) => keepRows(out, 3, people, scratch, scratch + 8 * people),
    drawGaussians: (item = 0) => drawGaussians(out, 3, 2 ** 23, 23, item),
  };
}

describe("the key", () => {
  it("is moved in: the source is zeros afterwards, whether or not it was accepted", () => {
    const engine = instance();
    const early = engine.place(keyBytes(1));
    expect(engine.exports.vaultKey(early)).toBe(KEY_REFUSED);
    expect(engine.exports.vaultOpen(1n, ADD_REMOVE, 1)).toBe(OK);
    const [zeros, first, second] = [new Uint8Array(KEY_BYTES), keyBytes(1), keyBytes(2)].map((key) =>
      engine.place(key),
    );
    expect(engine.exports.vaultKey(zeros)).toBe(KEY_REFUSED);
    expect(engine.exports.vaultKey(first)).toBe(OK);
    expect(engine.exports.vaultKey(second)).toBe(KEY_REFUSED);
    for (const source of [early, zeros, first, second])
      expect(engine.u8(source, KEY_BYTES).every((byte) => byte === 0)).toBe(true);
  });

  it("is needed by everything that draws", () => {
    const engine = instance();
    const closed = attempts(engine);
    const before = closed.state();
    const all = () => [closed.measure(), closed.select(), closed.keepRows(), closed.drawGaussians()];
    expect(all()).toEqual([NO_KEY, NO_KEY, NO_KEY, NO_KEY]);
    expect(engine.exports.vaultOpen(1n << 60n, ADD_REMOVE, 1)).toBe(OK);
    expect(all()).toEqual([NO_KEY, NO_KEY, NO_KEY, NO_KEY]);
    expect(closed.state()).toBe(before);
  });

  it("is nowhere in memory after vaultClose, nor is the key stream not yet drawn", () => {
    const vault = openVault({ key: 5 });
    attempts(vault).measure();
    const memory = () => Buffer.from(vault.exports.memory.buffer);
    const key = Buffer.from(keyBytes(5));
    const stream = vault.alloc(256);
    vault.exports.chachaBlocks(vault.place(key), 1, 0, 0, 4, stream);
    const secrets = [key, memory().subarray(stream, stream + 256)].flatMap((secret) =>
      Array.from({ length: secret.length / 8 }, (_, i) => Buffer.from(secret.subarray(8 * i, 8 * i + 8))),
    );
    vault.exports.wipe();
    expect(secrets.every((secret) => memory().includes(secret))).toBe(true);
    vault.exports.vaultClose();
    expect(secrets.some((secret) => memory().includes(secret))).toBe(false);
    expect(attempts(vault).measure()).toBe(NO_KEY);
  });
});

describe("a release", () => {
  it("opens once, for a compatible relation and unit", () => {
    const { vaultOpen, vaultClose } = instance().exports;
    for (const [relation, maxRows] of [
      [2, 1],
      [-1, 1],
      [ADD_REMOVE, 0],
      [REPLACE, 0],
      [REPLACE, 2],
    ])
      expect(vaultOpen(1n, relation, maxRows)).toBe(VAULT_REFUSED);
    expect(vaultOpen(1n, ADD_REMOVE, 3)).toBe(OK);
    expect(vaultOpen(1n, ADD_REMOVE, 3)).toBe(VAULT_REFUSED);
    vaultClose();
    expect(vaultOpen(1n, REPLACE, 1)).toBe(OK);
  });

  it("lets item numbers only rise, whatever the items are for, and does not count refused items", () => {
    const vault = openVault({ rho: 100 });
    const door = attempts(vault);
    expect(door.measure(1n << 50n, 4)).toBe(OK);
    const before = door.state();
    expect([0, 3, 4].map((item) => door.measure(1n << 50n, item))).toEqual([ITEM_REFUSED, ITEM_REFUSED, ITEM_REFUSED]);
    expect(door.select(1n << 50n, 4)).toBe(ITEM_REFUSED);
    expect(door.drawGaussians(4)).toBe(ITEM_REFUSED);
    expect(door.measure(1n, 5)).toBe(NOISE_TOO_LARGE);
    expect(door.select((1n << 64n) - 1n, 5)).toBe(BUDGET_EXCEEDED);
    expect(door.state()).toBe(before);
    expect(door.select(1n << 50n, 5)).toBe(OK);
    expect(door.measure(1n << 50n, 2 ** 32 - 1)).toBe(OK);
    expect(door.measure(1n << 50n, 2 ** 32 - 1)).toBe(ITEM_REFUSED);
    expect(door.measure(1n << 50n, 0)).toBe(ITEM_REFUSED);
  });

  it("refuses impossible sizes before anything else happens", () => {
    const vault = openVault({ rho: 100 });
    const door = attempts(vault);
    const before = door.state();
    expect(door.measure(1n << 50n, 0, 0)).toBe(ARGUMENT_REFUSED);
    expect(door.select(1n << 50n, 0, 0)).toBe(ARGUMENT_REFUSED);
    for (const law of [LAW_PEELED, LAW_FLIPPED]) expect(door.select(1n << 50n, 0, 4, law)).toBe(ARGUMENT_REFUSED);
    for (const law of [-1, 3]) expect(door.select(1n << 50n, 0, 2, law)).toBe(ARGUMENT_REFUSED);
    expect(door.keepRows(9)).toBe(ARGUMENT_REFUSED);
    expect(door.state()).toBe(before);
    expect(door.select(1n << 50n, 0, 3, LAW_REPLACED)).toBe(OK);
  });

  it("saturates noisy counts at the ends of 32 bits", () => {
    const vault = openVault({ rho: 100 });
    const ends = Int32Array.from({ length: 400 }, (_, i) => (i % 2 ? 2 ** 31 - 1 : -(2 ** 31)));
    const counts = vault.place(ends);
    // σ² = 1
    expect(vault.exports.measure(counts, 400, 1, 0, 1n << 51n, 0)).toBe(OK);
    const noisy = vault.i32(counts, 400);
    for (let i = 0; i < 400; i++) expect(Math.abs(noisy[i] - ends[i])).toBeLessThan(8);
    expect(noisy.filter((y, i) => y === ends[i]).length).toBeGreaterThan(200);
  });
});
