import { expect, it } from "vitest";
import { message } from "../../src/requests/message.js";
import { Run } from "../../src/requests/run.js";
import { rejection } from "../files/tables.js";

const never = { throwIfAborted() {} };
const turn = () => new Promise((resolve) => setTimeout(resolve));

it("a run goes on when the next event is asked for, and not before", async () => {
  const done: string[] = [];
  const run = new Run(async (tell) => {
    for (const name of ["one", "two"]) {
      await tell(message({ event: name }));
      done.push(name);
    }
    return message({ event: "three" });
  }, never);
  await turn();
  expect([(await run.next()).json, done.length]).toEqual([{ event: "one" }, 0]);
  await turn();
  expect([(await run.next()).json, done.length]).toEqual([{ event: "two" }, 1]);
  expect([(await run.next()).json, done.length]).toEqual([{ event: "three" }, 2]);
});

it("a run that is closed while it waits ends there, and gives back what it holds", async () => {
  const done: string[] = [];
  const run = new Run(async (tell) => {
    try {
      await tell(message({ event: "round" }));
      done.push("drew more");
    } finally {
      await turn();
      done.push("wiped");
    }
    return message(null);
  }, never);
  await run.next();
  await run.close();
  expect(done).toEqual(["wiped"]);
  expect(await rejection(run.next())).toHaveProperty("code", "host/cancelled");
});

it("a run that is closed before it waits is told to stop, and hands over nothing", async () => {
  const run = new Run(async (tell, signal) => {
    await turn();
    signal.throwIfAborted();
    await tell(message({ event: "round" }));
    return message(null);
  }, never);
  const deaf = new Run(async (tell) => {
    await turn();
    await tell(message({ event: "round" }));
    return message(null);
  }, never);
  for (const one of [run, deaf]) {
    await one.close();
    expect(await rejection(one.next())).toHaveProperty("code", "host/cancelled");
  }
});

it("a run stops where its caller cancels", async () => {
  const caller = {
    throwIfAborted() {
      throw new RangeError("cancelled");
    },
  };
  const run = new Run(async (_, signal) => {
    signal.throwIfAborted();
    return message(null);
  }, caller);
  expect((await rejection(run.next())).message).toBe("cancelled");
});
