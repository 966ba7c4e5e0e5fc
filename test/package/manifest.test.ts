import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { VERSION } from "../../src/core/version.js";

const json = JSON.parse(readFileSync("package.json", "utf8"));

it("records the package's own version", () => {
  expect(VERSION).toBe(json.version);
});

it("has exact versions, no runtime dependency and a lock file without download addresses", () => {
  expect(json.dependencies).toBeUndefined();
  for (const version of Object.values(json.devDependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(readFileSync("package-lock.json", "utf8")).not.toMatch(/"resolved"/);
});
