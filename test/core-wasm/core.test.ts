// The core that other languages run, in Node. It is skipped where the core cannot be built: Python is missing, or pip
// reaches no registry.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCore, engineTypes, hasTools } from "../../core/build.mjs";
import { parseSchema, plan, VERSION } from "../../src/node.js";
import { VECTORS } from "../vectors/vectors.js";
import { NodeCore } from "./node-core.js";

const MINUTES = 60_000;
const VERBS = ["instance", "drop", "call", "read", "write", "fill_key", "breathe", "now"];
const MOST_PACKED = 350_000;

describe.skipIf(!hasTools())("the core", () => {
  const folder = mkdtempSync(join(tmpdir(), "standin-core-"));
  const shipped = join(folder, "core.wasm");
  const ofVectors = join(folder, "vectors.wasm");
  const opened = (file: string) =>
    new NodeCore(
      new WebAssembly.Module(readFileSync(file)),
      new WebAssembly.Module(readFileSync("dist/engine.wasm")),
      engineTypes(),
    );

  beforeAll(async () => {
    await buildCore("src/core.ts", shipped);
    await buildCore("test/core-wasm/vectors-core.ts", ofVectors);
  }, 20 * MINUTES);
  afterAll(() => rmSync(folder, { recursive: true }));

  it("imports its verbs and nothing else", () => {
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(shipped)));
    expect(imports.map(({ module, name }) => `${module}.${name}`).sort()).toEqual(
      VERBS.map((verb) => `standin.${verb}`).sort(),
    );
  });

  it("is small, with its bytecode", () => {
    for (const file of [shipped, ofVectors])
      expect(gzipSync(readFileSync(file), { level: 9 }).length).toBeLessThan(MOST_PACKED);
  });

  it("makes the bytes of every vector, and gives the engine's instances back", () => {
    const core = opened(ofVectors);
    for (const vector of VECTORS) {
      const answer = core.request({ request: "vector", vector });
      const [release, rows, resampled] = answer!.parts.map((part) => Buffer.from(part).toString());
      expect(answer!.json).toEqual({ value: null });
      expect(release, vector.name).toBe(JSON.stringify(vector.release));
      expect(rows, vector.name).toBe(vector.output.csv);
      expect(resampled, vector.name).toBe(vector.output.csv);
    }
    // Two are shared by all requests, and the model of a release with rounds keeps one.
    expect(core.instances).toBeLessThanOrEqual(2 + 2);
  });

  it("plans as the package does", () => {
    const core = opened(shipped);
    const { schema, plan: options } = VECTORS[0];
    expect(core.request({ request: "version" })).toEqual({ json: { value: VERSION }, parts: [] });
    expect(core.request({ request: "plan", schema, options })!.json.value).toEqual(
      JSON.parse(JSON.stringify(plan(parseSchema(schema), options))),
    );
  });

  it("says what is wrong with a request", () => {
    const core = opened(shipped);
    expect(core.request({ request: "toString" })!.json.error!.code).toBe("host/request");
    expect(core.request({ request: "plan", schema: { fields: [] } })!.json.error!.code).toBe("schema/fields");
    expect(core.request({ request: "plan" })!.json.error).toBeDefined();
    expect(core.send(Buffer.from([1, 0, 0, 0, 1, 0, 0, 0, 123]))!.json.error!.code).toBe("host/unexpected");
    expect(core.send(new Uint8Array())!.json.error!.code).toBe("host/unexpected");
    expect(core.request({ request: "version" })!.json.value).toBe(VERSION);
  });

  it("fails with an error where JSON is nested too deeply, and goes on", () => {
    const core = opened(shipped);
    const text = `{"request":"plan","schema":${"[".repeat(1e6)}${"]".repeat(1e6)}}`;
    const message = Buffer.concat([Buffer.alloc(8), Buffer.from(text)]);
    message.writeUInt32LE(1, 0);
    message.writeUInt32LE(text.length, 4);
    expect(core.send(message)!.json.error!.message).toMatch(/stack/);
    expect(core.request({ request: "version" })!.json.value).toBe(VERSION);
  });

  it("stops where the caller cancels", () => {
    const core = opened(ofVectors);
    core.breathe = () => 1;
    expect(core.request({ request: "vector", vector: VECTORS[0] })!.json.error!.code).toBe("host/cancelled");
    core.breathe = () => 0;
    expect(core.request({ request: "vector", vector: VECTORS[0] })!.json).toEqual({ value: null });
  });

  it("keeps texts as they are", () => {
    const core = opened(shipped);
    const name = "größe \u0000 \u{1f600} \ud800";
    const json = core.request({ request: name })!.json;
    expect(json.error!.message).toBe(`There is no request "${name}".`);
  });

  it("needs no more memory for more requests", () => {
    const core = opened(shipped);
    const { schema, plan: options } = VECTORS[0];
    const ask = (times: number) => {
      for (let time = 0; time < times; time++) core.request({ request: "plan", schema, options });
      return core.memory;
    };
    const early = ask(200);
    expect(ask(400)).toBe(early);
  });
});
