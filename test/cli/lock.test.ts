// The lock of a ledger, taken by many processes that may die holding it.
import { spawn, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { lock } from "../../src/cli/lock.js";

vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>();
  return { ...real, linkSync: vi.fn(real.linkSync), writeFileSync: vi.fn(real.writeFileSync) };
});

let folder: string;
const at = (name: string) => join(folder, name);
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), "standin-lock-"));
});
afterEach(() => {
  vi.mocked(fs.linkSync).mockRestore();
  vi.mocked(fs.writeFileSync).mockRestore();
  fs.rmSync(folder, { recursive: true });
});

const failing = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

/** Puts the code of locks into the folder, for other processes. */
function buildLock(): void {
  const options = { bundle: true, platform: "node", format: "esm", write: true } as const;
  buildSync({ ...options, entryPoints: ["src/cli/lock.ts"], outfile: at("lock.mjs") });
}

it("many processes that each die with the lock lose no turn", { timeout: 60_000 }, async () => {
  const [processes, turns] = [10, 8];
  buildLock();
  fs.writeFileSync(
    at("work.mjs"),
    `import { readFileSync, writeFileSync } from "node:fs";
import { lock } from "./lock.mjs";
for (let turn = 1; ; turn++) {
  const unlock = await lock("l");
  writeFileSync("count", String(Number(readFileSync("count", "utf8")) + 1));
  if (turn === ${turns}) process.kill(process.pid, "SIGKILL");
  unlock();
}
`,
  );
  fs.writeFileSync(at("count"), "0");
  const ended = Array.from({ length: processes }, () => {
    const child = spawn(process.execPath, ["work.mjs"], { cwd: folder, stdio: "ignore" });
    return new Promise((resolve) => child.on("close", (_, signal) => resolve(signal)));
  });
  expect(await Promise.all(ended)).toEqual(Array(processes).fill("SIGKILL"));
  expect(fs.readFileSync(at("count"), "utf8")).toBe(String(processes * turns));
  (await lock(at("l")))();
  expect(fs.readdirSync(folder).sort()).toEqual(["count", "lock.mjs", "work.mjs"]);
});

const holder = (nonce: string, pid = process.pid) => JSON.stringify({ pid, host: hostname(), nonce });
const later = () => new Promise((resolve) => setTimeout(resolve, 100));

it("does not take the next holder's lock for the dead one's", async () => {
  fs.writeFileSync(at("l"), holder("dead", 1_234_567));
  // Another process takes over the dead one's lock just after this one has seen that it is dead.
  const kill = vi.spyOn(process, "kill").mockImplementation((pid) => {
    if (pid !== 1_234_567) return true;
    fs.writeFileSync(at("l"), holder("next"));
    return failing("ESRCH")();
  });
  const taken = lock(at("l"));
  await later();
  expect(fs.readFileSync(at("l"), "utf8")).toBe(holder("next"));
  kill.mockRestore();
  fs.rmSync(at("l"));
  (await taken)();
  expect(fs.readdirSync(folder)).toEqual([]);
});

it("leaves a stale lock to the process that has claimed it", async () => {
  fs.writeFileSync(at("l"), "");
  const { ino, mtimeNs } = fs.statSync(at("l"), { bigint: true });
  const claim = at(`l.${ino}-${mtimeNs}`);
  fs.writeFileSync(claim, holder("claims"));
  const taken = lock(at("l"));
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  expect(fs.readFileSync(at("l"), "utf8")).toBe("");
  fs.rmSync(claim);
  (await taken)();
  expect(fs.readdirSync(folder)).toEqual([]);
});

it("without links, one process holds it at a time, and nothing is left behind", async () => {
  vi.mocked(fs.linkSync).mockImplementation(failing("EPERM"));
  const unlock = await lock(at("l"));
  let waits = true;
  const next = lock(at("l")).then((unlock) => {
    expect(waits).toBe(false);
    unlock();
  });
  await later();
  waits = false;
  unlock();
  await next;
  fs.writeFileSync(at("l"), "");
  (await lock(at("l")))();
  expect(fs.readdirSync(folder)).toEqual([]);
});

it.each([true, false])("a full disk leaves nothing (links: %s)", async (links) => {
  if (!links) vi.mocked(fs.linkSync).mockImplementation(failing("ENOTSUP"));
  const write = vi.mocked(fs.writeFileSync).getMockImplementation()!;
  vi.mocked(fs.writeFileSync).mockImplementation((path, text, options) => {
    write(path, "", options);
    if (links || !String(path).endsWith(".tmp")) failing("ENOSPC")();
    write(path, text);
  });
  await expect(lock(at("l"))).rejects.toThrow(/does not fit on its disk, which is full/);
  expect(fs.readdirSync(folder)).toEqual([]);
});

it("the next holder removes the empty file of a process that was killed when it had just created it", async () => {
  buildLock();
  fs.writeFileSync(
    at("work.mjs"),
    `import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
fs.writeFileSync = (path) => {
  fs.closeSync(fs.openSync(path, "wx"));
  process.kill(process.pid, "SIGKILL");
};
syncBuiltinESMExports();
await (await import("./lock.mjs")).lock("l");
`,
  );
  const { signal } = spawnSync(process.execPath, ["work.mjs"], { cwd: folder });
  expect([signal, fs.readdirSync(folder).length]).toEqual(["SIGKILL", 3]);
  (await lock(at("l")))();
  expect(fs.readdirSync(folder).sort()).toEqual(["lock.mjs", "work.mjs"]);
});

it("releases only its own lock", async () => {
  const unlock = await lock(at("l"));
  fs.rmSync(at("l"));
  const other = await lock(at("l"));
  unlock();
  expect(fs.readdirSync(folder)).toEqual(["l"]);
  other();
  expect(fs.readdirSync(folder)).toEqual([]);
});

it("is taken from a process whose number was given to another, or dates from an earlier boot", async () => {
  (await lock(at("l")))();
  for (const began of ["another boot 1", "0 0"]) {
    fs.writeFileSync(at("l"), JSON.stringify({ pid: process.pid, host: hostname(), nonce: "left", began }));
    const unlock = await lock(at("l"));
    expect(JSON.parse(fs.readFileSync(at("l"), "utf8")).nonce).not.toBe("left");
    unlock();
  }
  expect(fs.readdirSync(folder)).toEqual([]);
});
