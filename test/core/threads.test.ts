// What happens to a run if other threads do not start, or end too early.
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { afterEach, expect, it, vi } from "vitest";
import { checkThreads, provideThreads, RemoteWorker, type StartThread, startWorkers } from "../../src/core/threads.js";
import { parseCsv, readCsv } from "../../src/files/csv.js";
import { readingJob } from "../../src/files/piece-reader.js";
import { categories, contents, headerOf, rejection } from "../files/tables.js";
import { pretended, withThreads } from "../threads.js";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const schema = categories({ a: ["x", "y"] });
const TEXT = `a\n${"x\ny\n".repeat(400_000)}`;
const job = readingJob(schema, headerOf("a\n"));

const refused: StartThread = () => {
  throw new Error("no threads here");
};
const stillborn: StartThread = (_, fail) => {
  setTimeout(fail);
  return { post() {}, await() {}, end() {} };
};
const silent: StartThread = () => ({ post() {}, await() {}, end() {} });

/** Threads that serve this many messages, including the job, and then end. */
const mortal =
  (messages: number): StartThread =>
  (hear, fail) => {
    const thread = pretended(hear, fail);
    let left = messages;
    return { ...thread, post: (...message) => (left-- > 0 ? thread.post(...message) : fail()) };
  };

it.each([
  ["are refused", refused],
  ["end at once", stillborn],
  ["are not there", undefined],
])("if threads %s, this one reads, and says so once", async (_, start) => {
  withThreads(start);
  const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
  const expected = contents(parseCsv(TEXT, schema));
  for (const threads of [2, 4])
    expect(contents(await readCsv(new Blob([TEXT]), schema, { threads }))).toEqual(expected);
  expect(warned.mock.calls).toEqual([["standin: other threads cannot be started here; this one does all the work."]]);
});

it("a thread that does not answer within 4 s is given up, however small the table", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  withThreads(silent);
  const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
  const read = readCsv(new Blob(["a\nx\n"]), schema, { threads: 2 });
  for (let second = 0; second < 4; second++) {
    expect(warned).not.toHaveBeenCalled();
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    vi.advanceTimersByTime(1000);
  }
  expect((await read).column("a")).toEqual(["x"]);
  expect(warned).toHaveBeenCalledOnce();
});

it("a thread that ends with rows in hand ends the run, and reveals nothing about them", async () => {
  withThreads(mortal(1));
  const long = new Blob([TEXT, ...Array(9).fill("x\ny\n".repeat(200_000))]);
  const { code, message } = await rejection(readCsv(long, schema, { threads: 2 }));
  expect(code).toBe("engine/thread");
  expect(message).toBe("A thread ended before its work was done. Use one thread (threads: 1).");
});

it("a released worker does the next job; a busy one ends instead", async () => {
  withThreads(pretended);
  const started = vi.fn(pretended);
  provideThreads(started);
  for (let run = 0; run < 2; run++) {
    const [worker] = startWorkers(2, job);
    expect(await worker.started).toBe(true);
    worker.release();
    await worker.started;
  }
  expect(started).toHaveBeenCalledOnce();
  const [busy] = startWorkers(2, job);
  expect(await busy.started).toBe(true);
  void busy.call(new TextEncoder().encode("x\n"));
  busy.release();
  expect(busy.isReady).toBe(false);
  expect((await rejection(busy.call(new Uint8Array(0)))).message).toMatch(/A thread ended/);
  const [next] = startWorkers(2, job);
  expect(await next.started).toBe(true);
  expect(started).toHaveBeenCalledTimes(2);
  next.release();
});

it("calls are answered in their order", async () => {
  withThreads(pretended);
  const worker = new RemoteWorker(pretended);
  worker.begin(job);
  const texts = ["x\n", "y\nx\n", "y\nx\ny\n"];
  const answers = await Promise.all(texts.map((text) => worker.call(new TextEncoder().encode(text))));
  expect(answers).toMatchObject([{ read: { rows: 1 } }, { read: { rows: 2 } }, { read: { rows: 3 } }]);
});

it.each([0, -1, 1.5, 65, Number.NaN, "2"])("%s is not a number of threads", (threads) => {
  expect(() => checkThreads(threads as number)).toThrow(/Use a whole number from 1 to 64/);
});

/**
 * Runs a script against the built package in a separate Node process, which has to end on its own and warn of nothing.
 */
function inNode(script: string): string {
  const program = `import { measure, parseSchema, plan, readCsv } from ${JSON.stringify(pathToFileURL("dist/node.js").href)};
    const schema = parseSchema(${JSON.stringify(schema.toJSON())});
    const source = new Blob(["a\\n", "x\\ny\\n".repeat(400_000)]);
    const table = (signal) => readCsv(source, schema, { threads: 3, signal });
    ${script}`;
  const args = ["--input-type=module", "--eval", program];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 30_000 });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout;
}

it("threads of Node start, however the process was started, and keep it alive no longer than their work", () => {
  const measured = "const release = await measure(await table(), plan(schema, { epsilon: 1 }), { threads: 3 });";
  expect(inNode(`${measured} console.log(release.items.length);`)).toBe("1\n");
});

it("no thread keeps a process after an abort or an error", () => {
  const stopped = "const stop = new AbortController(); setTimeout(() => stop.abort(), 20);";
  expect(inNode(`${stopped} await table(stop.signal).catch(({ name }) => console.log(name));`)).toBe("AbortError\n");
  const broken = "async function* broken() { yield new TextEncoder().encode('a\\n'); throw new Error('disk'); }";
  const read = "await readCsv(broken(), schema, { threads: 2 }).catch(({ code }) => console.log(code));";
  expect(inNode(`${broken} ${read}`)).toBe("files/unreadable\n");
});
