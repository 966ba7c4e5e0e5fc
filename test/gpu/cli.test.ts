import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Folder, synth } from "../cli/cli.js";
import { noDawn } from "../gpu-engines.js";
import { uniforms } from "../reference/statistics.js";

/** A table of six columns whose search takes more than two sweeps, and its schema. */
function widePeople(folder: Folder): void {
  const names = Array.from({ length: 6 }, (_, at) => `c${at}`);
  const uniform = uniforms(1);
  const row = () => {
    const base = Math.floor(5 * uniform());
    return names.map((_, at) => (base + Math.floor((at + 1) * uniform() ** 2)) % 5).join();
  };
  const rows = Array.from({ length: 300 }, row);
  const enumerated = ["0", "1", "2", "3", "4"];
  const fields = names.map((name) => ({ name, type: "string", constraints: { enum: enumerated, required: true } }));
  folder.write("people.csv", `${names.join()}\n${rows.join("\n")}\n`);
  folder.write("people.schema.json", JSON.stringify({ fields }));
}

const text = (folder: Folder, name: string) => readFileSync(folder.at(name), "utf8");

it("makes the same table with a GPU, and says what ran there", { timeout: 120_000 }, async ({ skip }) => {
  if (noDawn) skip(noDawn);
  const folder = new Folder();
  widePeople(folder);
  await folder.run([...synth(), "--search", "batches", "--release", "r.json", "--engine", "wasm"]);
  const again = ["synth", "--from", "r.json", "-o"];
  const onGpu = await folder.run([...again, "gpu.csv", "--engine", "webgpu"]);
  expect(onGpu.stderr).toMatch(/^neighbourhood: on the GPU \(SwiftShader/m);
  expect(onGpu.stderr).toMatch(/^marginal: on the GPU \(SwiftShader/m);
  expect(text(folder, "gpu.csv")).toBe(text(folder, "out.csv"));
  // "auto" leaves a GPU that is a program alone, and says so where the work would be worth a GPU.
  const auto = await folder.run([...again, "auto.csv", "--gpu-from", "marginal=0"]);
  expect(auto.stderr).toMatch(/^marginal: on WASM \(SwiftShader.* is a software renderer, not a GPU\.\)$/m);
  expect(auto.stderr).not.toMatch(/^neighbourhood/m);
  expect(text(folder, "auto.csv")).toBe(text(folder, "out.csv"));
  const quiet = await folder.run([...again, "quiet.csv", "--engine", "webgpu", "--quiet"]);
  expect(quiet.stderr).toMatch(/^ε = .*\n$/);
});

it("refuses a run that asks for a GPU where there is none, before anything is read or spent", async () => {
  const folder = new Folder();
  const none = "export VK_ICD_FILENAMES=/nonexistent VK_DRIVER_FILES=/nonexistent; ";
  const { code, stderr } = await folder.run([...synth(), "--engine", "webgpu", "--ledger", "none.json"], {
    before: none,
  });
  expect(code).toBe(2);
  expect(stderr).toMatch(/There is no GPU that WebGPU could use here/);
  expect(folder.names()).toEqual(["people.csv", "people.schema.json"]);
  const auto = await folder.run([...synth(), "--gpu-from", "marginal=0"], { before: none });
  expect(auto.code).toBe(0);
  expect(auto.stderr).toMatch(/^marginal: on WASM \(There is no GPU that WebGPU could use here/m);
});
