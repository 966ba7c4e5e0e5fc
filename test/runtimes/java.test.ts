// The Java package, with the core that was built before the tests. It is skipped without Java 17 and Maven, without a
// core, and where Maven reaches no repository.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { javaOf, runMaven } from "./maven.js";

const MINUTES = 60_000;
const made = mkdtempSync(join(tmpdir(), "standin-java-"));
afterAll(() => rmSync(made, { recursive: true, force: true }));

it("builds, and passes its own tests, including all vectors and its README", { timeout: 15 * MINUTES }, ({ skip }) => {
  const found = javaOf();
  if (typeof found === "string") return skip(found);
  if (!existsSync("dist/standin-core.wasm")) return skip("there is no core (npm run core)");
  const { failure, skip: reason } = runMaven(made, "test");
  if (reason) skip(reason);
  expect(failure).toBe("");
});
