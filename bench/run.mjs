// npm run bench -- NAME [NAME …] [--json]: bundles bench/NAME.bench.ts and runs it. Needs a build; reads real tables
// from $STANDIN_DATA.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { carriedCode } from "../gpu/carried.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
/** From here the package "webgpu" is found. */
const CACHE = join(here, "../node_modules/.cache");
const json = process.argv.includes("--json");
const names = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const known = readdirSync(here).flatMap((file) =>
  file.endsWith(".bench.ts") ? [file.slice(0, -".bench.ts".length)] : [],
);
const unknown = names.filter((name) => !known.includes(name));
if (!names.length || unknown.length) {
  console.error(
    `${unknown.length ? `No bench named ${unknown.join(", ")}. ` : ""}Benches: ${known.sort().join(", ")}.`,
  );
  process.exit(2);
}
if (!existsSync(join(here, "../dist/engine.wasm"))) {
  console.error("There is no dist/engine.wasm: run `npm run build` first.");
  process.exit(2);
}

/** Prints one measured figure; `target` is the number to meet, `better` the side to be on. */
function reporter(bench) {
  return ({ metric, value, target, better = "lower" }) => {
    if (json) return console.log(JSON.stringify({ bench, metric, value, target, better }));
    const met = target === undefined ? "" : (better === "lower" ? value <= target : value >= target) ? "ok" : "MISSED";
    const bound = target === undefined ? "" : `${better === "lower" ? "≤" : "≥"} ${target}`;
    console.log(
      `${bench.padEnd(10)} ${metric.padEnd(44)} ${String(+value.toPrecision(6)).padStart(14)}  ${bound.padEnd(14)} ${met}`,
    );
  };
}

for (const name of names) {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, "standin-bench-"));
  try {
    const outfile = join(folder, `${name}.mjs`);
    await build({
      entryPoints: [join(here, `${name}.bench.ts`)],
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      target: ["node20", "es2022"],
      loader: { ".wasm": "binary" },
      plugins: [carriedCode],
      external: ["webgpu"],
      // package.json calls the sources free of side effects; src/node.ts has one, and is re-exported through here.
      ignoreAnnotations: true,
      logLevel: "warning",
    });
    const { default: bench } = await import(pathToFileURL(outfile).href);
    await bench(reporter(name), {
      data: process.env.STANDIN_DATA,
      cli: join(here, "../dist/cli.js"),
      folder: here,
      json,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
