// The core that other languages run, in Node. It is skipped where the core could not be built before the tests: Python
// is missing, or pip reaches no registry.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSchema, plan, VERSION } from "../../src/node.js";
import { VECTORS } from "../vectors/vectors.js";
import { Guest } from "./guest.js";
import { isShipped, opened, SHIPPED } from "./shipped.js";

const VERBS = ["instance", "drop", "call", "read", "write", "copy", "fill_key", "breathe", "now"];
const MOST_PACKED = 350_000;

describe.skipIf(!isShipped)("the core", () => {
  it("imports its verbs and nothing else", () => {
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(SHIPPED)));
    expect(imports.map(({ module, name }) => `${module}.${name}`).sort()).toEqual(
      VERBS.map((verb) => `standin.${verb}`).sort(),
    );
  });

  it("is small, bytecode included", () => {
    expect(gzipSync(readFileSync(SHIPPED), { level: 9 }).length).toBeLessThan(MOST_PACKED);
  });

  it("makes the bytes of every vector, and gives the engine's instances back", () => {
    const core = opened();
    const guest = new Guest(core);
    for (const { name, schema: descriptor, csv, plan: options, seed, rows, noiseKey, release, output } of VECTORS) {
      const { schema } = guest.ask({ request: "schema", descriptor });
      const { plan } = guest.ask({ request: "plan", schema, options });
      const table = guest.table(schema, csv, 100);
      const { run } = guest.ask(
        { request: "measure", table, plan, options: { seed, rows } },
        Buffer.from(noiseKey, "hex"),
      );
      const events = guest.events(run);
      expect(events.at(-1)!.text, name).toBe(JSON.stringify(release));
      const { release: measured } = guest.ask({ request: "release" }, Buffer.from(events.at(-1)!.text));
      const { tables } = guest.ask({ request: "resample", release: measured, options: {} });
      expect(guest.written(tables[0]), name).toBe(output.csv);
      guest.ask({ request: "drop", object: table });
    }
    expect(core.instances).toBe(1); // which all requests share
  });

  it("plans as the package does", () => {
    const core = opened();
    const guest = new Guest(core);
    const { schema: descriptor, plan: options } = VECTORS[0];
    expect(core.request({ request: "version" })).toEqual({ json: { value: { version: VERSION } }, parts: [] });
    const { schema } = guest.ask({ request: "schema", descriptor });
    expect(guest.ask({ request: "plan", schema, options }).facts).toEqual(
      JSON.parse(JSON.stringify(plan(parseSchema(descriptor), options))),
    );
  });

  it("reads expressions as the package does, as deep as they may be and as long as they are", () => {
    const descriptor = { fields: [{ name: "größe", type: "integer", constraints: { minimum: 0, maximum: 99 } }] };
    const [deep, negative] = [`${"(not ".repeat(16)}größe < 30.5e0${")".repeat(16)}`, `${"-".repeat(30)}größe > 1`];
    const long = Array.from({ length: 2000 }, (_, at) => `größe == ${at}`).join(" or ");
    const queries = [deep, negative, long, "`größe` is not missing"].map((expression) => ({ expression }));
    const options = { epsilon: 1, workload: "1-way", queries } as const;
    const core = opened();
    const guest = new Guest(core);
    const { schema } = guest.ask({ request: "schema", descriptor });
    expect(guest.ask({ request: "plan", schema, options }).facts).toEqual(
      JSON.parse(JSON.stringify(plan(parseSchema(descriptor), options))),
    );
    const expression = "größe < 3 and weight > 4";
    const refused = core.request({ request: "plan", schema, options: { ...options, queries: [{ expression }] } });
    expect(refused!.json.error).toMatchObject({
      code: "workload/expression",
      message: expect.stringContaining(`\n  ${expression}\n${" ".repeat(16)}^^^^^^\n`),
    });
  });

  it("says what is wrong with a request", () => {
    const core = opened();
    expect(core.request({ request: "toString" })!.json.error!.code).toBe("host/request");
    expect(core.request({ request: "schema", descriptor: { fields: [] } })!.json.error!.code).toBe("schema/fields");
    expect(core.request({ request: "plan" })!.json.error!.code).toBe("host/handle");
    expect(core.send(Buffer.from([1, 0, 0, 0, 1, 0, 0, 0, 123]))!.json.error!.code).toBe("core/fault");
    expect(core.send(new Uint8Array())!.json.error!.code).toBe("core/fault");
    expect(core.request({ request: "version" })!.json.value).toEqual({ version: VERSION });
  });

  it("fails with an error where JSON is nested too deeply, and goes on", () => {
    const core = opened();
    const text = `{"request":"schema","descriptor":${"[".repeat(1e6)}${"]".repeat(1e6)}}`;
    expect(core.send(message(text))!.json.error!.code).toBe("core/fault");
    expect(core.request({ request: "version" })!.json.value).toEqual({ version: VERSION });
  });

  it("reads the numbers of JSON as JavaScript does", () => {
    const decimal = fc.tuple(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.integer({ min: -350, max: 300 }));
    const doubles = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), 1000).map(String);
    const numbers = [...doubles, ...fc.sample(decimal, 1000).map(([digits, exponent]) => `${digits}e${exponent}`)];
    // What a descriptor says besides facts comes back as it is.
    const facts = `"fields":[{"name":"age","type":"integer","constraints":{"minimum":0,"maximum":9}}]`;
    const text = `{"request":"confirm","descriptor":{${facts},"numbers":[${numbers.join()}]}}`;
    const { value } = opened().send(message(text))!.json as { value: { descriptor: { numbers: unknown } } };
    expect(value.descriptor.numbers).toEqual(numbers.map((number) => JSON.parse(JSON.stringify(Number(number)))));
  });

  it("stops where the caller cancels, and hands over rounds one by one", () => {
    const core = opened();
    const guest = new Guest(core);
    const vector = VECTORS.find(({ name }) => name === "rounds")!;
    const { schema: descriptor, csv, plan: options, release: released } = vector;
    const { schema } = guest.ask({ request: "schema", descriptor });
    const { plan } = guest.ask({ request: "plan", schema, options });
    const state = { epsilon: 500, delta: 1e-3, neighbours: "add-remove", unit: "row", spent: [] };
    const { budget } = guest.ask({ request: "budget", state });
    const table = guest.table(schema, csv, 7);
    const { run } = guest.ask({ request: "measure", table, plan, options: { threads: 3 }, budget });
    const first = guest.event(run);
    expect(first.event).toBe("charged");
    expect(JSON.parse(first.text).spent).toHaveLength(1);
    core.breathe = () => 1;
    expect(guest.refusal({ request: "next", run })).toBe("host/cancelled");
    core.breathe = () => 0;
    const measure = { request: "measure", table, plan, options: {}, budget };
    const named = (request: Parameters<typeof guest.ask>[0]) =>
      guest.events(guest.ask(request).run).map(({ event }) => event);
    const events = named({ ...measure, rounds: true });
    expect(events[0]).toBe("charged");
    expect(events.at(-1)).toBe("measured");
    expect(events.filter((event) => event === "round").length).toBeGreaterThan(1);
    expect(named(measure)).not.toContain("round");
    const before = core.instances;
    const dropped = guest.ask({ ...measure, rounds: true }).run;
    while (guest.event(dropped).event !== "round");
    expect(core.instances).toBeGreaterThan(before);
    guest.ask({ request: "drop", object: dropped });
    expect(core.instances).toBe(before);
    const evaluate = { request: "evaluate", real: table, synthetic: table, schema, test: table };
    guest.ask({ ...evaluate, options: { targets: ["sex", "age"] } });
    expect(guest.refusal({ ...evaluate, options: {} })).toBe("options/argument");
    expect(guest.refusal({ ...evaluate, options: { target: ["sex"] } })).toBe("options/unknown");
    expect(core.instances).toBe(before);
    const { release } = guest.ask({ request: "release" }, Buffer.from(JSON.stringify(released)));
    core.breathe = () => 1;
    expect(guest.refusal({ request: "resample", release, options: {} })).toBe("host/cancelled");
    expect(core.instances).toBe(before);
  });

  it("tells how far it is", () => {
    const core = opened();
    const guest = new Guest(core);
    const heard: unknown[] = [];
    core.breathe = (progress) => {
      if (progress) heard.push(progress);
      return 0;
    };
    const { schema: descriptor, csv, plan: options } = VECTORS.find(({ name }) => name === "rounds")!;
    const { schema } = guest.ask({ request: "schema", descriptor });
    const { plan } = guest.ask({ request: "plan", schema, options });
    const { run } = guest.ask({ request: "measure", table: guest.table(schema, csv, 100), plan, options: {} });
    const events = guest.events(run);
    expect(heard[0]).toEqual({ phase: "measure", done: 0, of: expect.any(Number) });
    expect(heard).toContainEqual({ phase: "round", done: 1, of: expect.any(Number) });
    expect(heard.at(-1)).toEqual({ phase: "measured" });
    heard.length = 0;
    const { release } = guest.ask({ request: "release" }, Buffer.from(events.at(-1)!.text));
    guest.ask({ request: "resample", release, options: {} });
    expect(heard[0]).toMatchObject({ phase: "search" });
    expect(heard).toContainEqual(expect.objectContaining({ phase: "search", stop: expect.any(String) }));
  });

  it("keeps texts as they are", () => {
    const core = opened();
    const name = "größe \u0000 \u{1f600} \ud800";
    const json = core.request({ request: name })!.json;
    expect(json.error!.message).toBe(`There is no request "${name}".`);
  });

  it("needs no more memory for more requests", () => {
    const core = opened();
    const guest = new Guest(core);
    const { schema: descriptor, plan: options } = VECTORS[0];
    const { schema } = guest.ask({ request: "schema", descriptor });
    const ask = (times: number) => {
      for (let time = 0; time < times; time++)
        guest.ask({ request: "drop", object: guest.ask({ request: "plan", schema, options }).plan });
      return core.memory;
    };
    const early = ask(400);
    expect(ask(400)).toBe(early);
  });
});

/** A message of one part. */
function message(text: string): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(1, 0);
  head.writeUInt32LE(Buffer.byteLength(text), 4);
  return Buffer.concat([head, Buffer.from(text)]);
}
