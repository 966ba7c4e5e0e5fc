// The house has one direction of flow. This test reads every import line and checks it against the table of allowed
// arrows.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { imports } from "./imports.js";

/**
 * Room → the rooms that it may import from. A room is a folder of src/ or assembly/, or a single file of it if that is
 * listed separately.
 */
const SRC: Record<string, string[]> = {
  core: [],
  "engine/layout": [
    ...["assembly/layout", "assembly/instructions", "assembly/half-spaces-layout", "assembly/division-layout"],
    ...["assembly/search-layout", "assembly/density-layout", "assembly/graphical-layout", "assembly/examples-layout"],
  ],
  "engine/struct": ["engine"],
  engine: ["core", "engine/layout"],
  gradient: ["core", "engine", "engine/layout"],
  gpu: ["core", "engine/layout", "gradient", "wgsl"],
  notation: ["core", "engine/layout", "engine/struct"],
  domain: ["core", "engine/layout", "notation"],
  constraints: ["core", "engine/struct", "engine", "engine/layout", "notation", "domain"],
  schema: ["core", "notation", "domain", "constraints"],
  "schema/decode": ["core", "engine", "notation", "domain", "constraints", "schema"],
  "schema/encode": ["core", "engine", "engine/layout", "notation", "domain", "schema"],
  queries: ["core", "engine", "engine/layout", "domain"],
  files: ["core", "engine/struct", "engine", "engine/layout", "domain", "schema", "schema/encode", "schema/decode"],
  "privacy/vault": ["core", "engine", "engine/layout", "domain", "queries", "privacy", "privacy/seed"],
  "privacy/seed": ["core", "engine"],
  "privacy/door": ["core", "engine", "schema", "schema/encode", "queries", "privacy", "privacy/vault"],
  privacy: ["core", "engine", "engine/layout", "domain", "schema", "queries"],
  estimate: ["core", "engine", "domain", "queries"],
  projection: ["core", "engine", "engine/layout", "domain", "queries"],
  graphical: ["core", "engine", "engine/layout", "engine/struct", "domain", "queries"],
  models: [
    ...["core", "engine/struct", "engine", "engine/layout", "gradient", "graphical", "domain", "queries", "estimate"],
    "projection",
  ],
  selection: ["core", "engine", "engine/layout", "domain", "queries", "privacy", "estimate", "graphical", "models"],
  "mechanisms/options": ["core", "selection"],
  mechanisms: [
    ...["core", "domain", "queries", "privacy", "estimate", "projection", "graphical", "models", "selection"],
    "mechanisms/options",
  ],
  "frame/public-table": ["core", "models", "mechanisms", "schema", "schema/encode", "frame"],
  frame: [
    "frame/public-table",
    ...["core", "engine/layout", "notation", "schema", "schema/decode", "queries"],
    ...[
      "privacy",
      "privacy/door",
      "privacy/seed",
      "projection",
      "models",
      "selection",
      "mechanisms",
      "mechanisms/options",
    ],
  ],
  owner: [
    ...["core", "engine", "engine/layout", "notation", "domain", "constraints"],
    ...["schema", "schema/encode", "schema/decode"],
    ...["queries", "files"],
  ],
  requests: ["core", "engine", "schema", "queries", "files", "privacy", "frame", "owner"],
  entry: ["core", "engine", "gpu", "schema", "queries", "files", "privacy", "frame", "owner", "requests", "dist"],
  cli: [
    "frame/public-table",
    ...["core", "notation", "domain", "schema", "queries", "files", "privacy", "mechanisms/options", "frame"],
    ...["owner", "entry"],
  ],
};
const ASSEMBLY: Record<string, string[]> = {
  layout: [],
  instructions: [],
  "half-spaces-layout": [],
  "division-layout": [],
  "density-layout": [],
  "search-layout": [],
  "examples-layout": [],
  "graphical-layout": [],
  lanes: ["layout"],
  arena: ["layout"],
  philox: ["layout", "lanes"],
  elementary: [],
  sort: [],
  privacy: ["layout", "lanes", "arena", "sort"],
  queries: ["layout", "instructions", "half-spaces-layout", "lanes", "arena", "philox", "elementary", "sort"],
  estimate: ["layout", "lanes", "elementary", "sort", "queries"],
  selection: ["layout", "division-layout", "queries", "estimate"],
  genetic: ["layout", "search-layout", "lanes", "arena", "philox", "elementary", "sort", "queries"],
  constraints: ["layout", "arena", "philox"],
  schema: ["layout", "philox"],
  notation: ["layout"],
  files: ["layout", "arena", "notation"],
  owner: ["examples-layout", "elementary"],
  "best-response": ["layout", "elementary", "philox"],
  gradient: ["layout", "lanes"],
  graphical: ["layout", "graphical-layout", "lanes"],
  density: ["layout", "density-layout", "elementary", "philox", "estimate"],
  "vault-bytes": ["layout", "privacy", "queries"],
  calls: [
    ...["layout", "arena", "elementary", "privacy", "queries", "estimate", "selection", "genetic", "schema", "files"],
    "graphical",
  ],
  index: [
    ...["layout", "vault-bytes", "calls", "arena", "lanes", "philox", "elementary", "privacy", "queries", "estimate"],
    ...["selection", "genetic", "constraints", "schema", "notation", "files", "owner", "gradient", "best-response"],
    ...["density", "graphical"],
  ],
};

/**
 * The room of a file path without its extension: the finest name in the table, the folder, or `entry` for a file
 * directly in src.
 */
function room(path: string, rooms: Record<string, string[]>): string {
  const [top, ...rest] = path.split("/");
  if (top === "dist") return "dist";
  if (path.endsWith(".wgsl")) return "wgsl";
  if (top === "src" && rest.length === 1) return "entry";
  const inside = rest.join("/");
  if (top === "assembly" && !(inside in rooms) && rest.length === 1) return `unknown:${path}`;
  if (inside in rooms) return inside;
  return rest.length > 1 ? rest[0] : `unknown:${path}`;
}

const strays = (folder: "src" | "assembly", rooms: Record<string, string[]>) =>
  [...imports(folder)].flatMap(({ file, target }) => {
    const from = room(file.replace(/\.ts$/, ""), rooms);
    const to = target.startsWith("assembly/") && folder === "src" ? target : room(target, rooms);
    return from === to || rooms[from]?.includes(to) ? [] : [`${file} (${from}) → ${target} (${to})`];
  });

it("src has no arrow that the table does not allow", () => {
  expect(strays("src", SRC)).toEqual([]);
});

it("assembly has no arrow that the table does not allow", () => {
  expect(strays("assembly", ASSEMBLY)).toEqual([]);
});

it("the table itself keeps the search away from rows and keys", () => {
  for (const blind of ["estimate", "projection", "gradient", "graphical", "models", "selection", "mechanisms"])
    expect(
      SRC[blind].filter((to) =>
        ["files", "schema/encode", "privacy/vault", "privacy/seed", "privacy/door"].includes(to),
      ),
    ).toEqual([]);
  for (const blind of ["estimate", "selection", "genetic", "gradient", "density", "graphical", "queries"])
    expect(ASSEMBLY[blind]).not.toContain("privacy");
});

it("sees the arrows that it checks", () => {
  const seen = [...imports("src")].map(({ file, target }) => `${file} → ${target}`);
  expect(seen).toContain("src/privacy/door.ts → src/privacy/vault");
  expect(room("src/privacy/vault", SRC)).toBe("privacy/vault");
  expect(room("src/node", SRC)).toBe("entry");
});

it("the door reaches no generator but its own", () => {
  for (const name of readdirSync("src/privacy")) {
    const text = readFileSync(join("src/privacy", name), "utf8");
    expect(text, name).not.toMatch(/Math\.random|Date\.now|new Date|performance\.now|philox/i);
  }
  for (const name of readdirSync("assembly/privacy")) {
    const text = readFileSync(join("assembly/privacy", name), "utf8");
    expect(text, name).not.toMatch(/Math\.random|Mathf\.random|philox/i);
  }
});

it("keeps files under about 400 lines", () => {
  const long = ["src", "assembly"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => [join(folder, name), readFileSync(join(folder, name), "utf8").split("\n").length] as const)
      .filter(([, lines]) => lines > 420),
  );
  expect(long).toEqual([]);
});
