// An unfinished release continues with the request that it holds. Its stated facts and its request have to match.
import { describe, expect, it } from "vitest";
import { measure, parseRelease, plan, type Release, resume } from "../../src/index.js";
import { rhoOf } from "../../src/privacy/accounting.js";
import { key, people, schema } from "./people.js";

/** A release without its rounds. */
async function begun(): Promise<Release> {
  let kept: Release | undefined;
  const onRound = (unfinished: Release) => {
    kept ??= unfinished;
  };
  await measure(people, plan(schema, { epsilon: 3, selection: "max", rounds: 1 }), { unsafeNoiseKey: key(1), onRound });
  return kept!;
}

describe("an unfinished release", () => {
  it("can be resumed unchanged", async () => {
    const reread = parseRelease(JSON.stringify(await begun()));
    expect((await resume(people, reread, { unsafeNoiseKey: key(2) })).facts.unfinished).toBeUndefined();
  });

  it.each([
    [{ epsilon: 3.5, rho: rhoOf(3.5, 1e-9) }, "release/other-plan"],
    [{ estimate: "raw" }, "release/other-plan"],
    [{ unfinished: { request: { epsilon: 2.9, selection: "max", rounds: 1 } } }, "release/other-plan"],
    [{ unfinished: { request: {} } }, "budget/epsilon"],
  ])("that states something other than its request is refused before anything is drawn: %j", async (changes, code) => {
    const tampered = parseRelease(
      JSON.stringify({ ...(await begun()).toJSON(), ...changes, guarantee: null, noGuarantee: "changed" }),
    );
    const onProgress = () => {
      throw new Error("drawn");
    };
    await expect(resume(people, tampered, { onProgress })).rejects.toMatchObject({ code });
  });

  it.each([
    [{ stages: 7 }, /number of stages/],
    [{ mechanism: 7 }, /names no mechanism/],
  ])("that says %j is broken", async (changes, message) => {
    const text = JSON.stringify({ ...(await begun()).toJSON(), ...changes });
    expect(() => parseRelease(text)).toThrow(message);
  });
});
