import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import { pathBytes } from "../../src/files/path.js";

const folder = mkdtempSync(join(tmpdir(), "standin-path-"));
afterAll(() => rmSync(folder, { recursive: true }));

const bytes = Uint8Array.from({ length: 5_000_001 }, (_, at) => (at * 2_654_435_761) >>> 24);
const path = join(folder, "table.csv");
writeFileSync(path, bytes);

it("gives all bytes in order, decompressed if need be, and reports how much was taken", async () => {
  writeFileSync(`${path}.gz`, gzipSync(bytes));
  for (const name of [path, `${path}.gz`]) {
    const told: (number | undefined)[] = [];
    const chunks: Uint8Array[] = [];
    for await (const chunk of pathBytes(name, (percent) => told.push(percent))) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    expect(told[0]).toBe(0);
    expect(told.at(-1)).toBe(100);
    expect(told).toEqual([...told].sort((a, b) => a! - b!));
  }
});

it.skipIf(process.platform !== "linux")(
  "closes a file that is not read to its end (seen in Linux's /proc, elsewhere skipped)",
  async () => {
    const isOpen = () =>
      readdirSync("/proc/self/fd").some((number) => {
        try {
          return readlinkSync(`/proc/self/fd/${number}`) === path;
        } catch {
          return false; // the descriptor of the folder itself is closed by then
        }
      });
    for await (const chunk of pathBytes(path)) {
      expect(chunk.length).toBeGreaterThan(0);
      expect(isOpen()).toBe(true);
      break;
    }
    for (let tries = 0; isOpen() && tries < 100; tries++) await setTimeout(20);
    expect(isOpen()).toBe(false);
  },
);

it("refuses anything but a file, in words for people", async () => {
  await expect(pathBytes(folder).next()).rejects.toThrow("is a folder");
  await expect(pathBytes(join(folder, "none.csv")).next()).rejects.toThrow("does not exist");
});
