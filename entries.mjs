// Builds the entries of dist/. No code is carried twice: what entries share is in files of its own, and other threads
// run the text of functions that this thread has loaded.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, posix } from "node:path";
import { build } from "esbuild";
import { minify } from "terser";
import { carriedEngine } from "./engine-bytes.mjs";
import { carriedCode } from "./gpu/carried.mjs";
import { neededBy, Parts, statementsOf } from "./parts.mjs";

/** The entries, by the names of their files. */
const WEB = { "browser.js": "src/browser.ts", "edge.js": "src/edge.ts", "owner-tools.js": "src/owner.ts" };
const NODE = { "node.js": "src/node.ts", "owner-node.js": "src/owner-node.ts", "cli.js": "src/cli/main.ts" };
/** What another thread runs: not a file, but a text. */
const THREAD = { "thread.js": "src/worker.ts" };

export async function entries() {
  const { outputFiles } = await build({
    entryPoints: Object.entries({ ...WEB, ...NODE, ...THREAD }).map(([name, path]) => ({
      in: path,
      out: basename(name, ".js"),
    })),
    outdir: "dist",
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: ["node20", "es2022"],
    external: ["node:*", "webgpu", "./engine.wasm"],
    plugins: [carriedEngine, carriedCode, partsOutside],
    // package.json speaks of dist/: the entries of src/ have a side effect, they provide the engine.
    ignoreAnnotations: true,
    legalComments: "none",
    logLevel: "warning",
  });
  const made = outputFiles.map(({ path, text }) => [basename(path), statementsOf(text)]);
  const modules = new Map(made.filter(([, { body, exports }]) => body || exports.length));
  const parts = new Parts(modules, "edge.js", "cli.js", "thread.js");
  const files = [...parts.files(), ...otherFiles(modules, parts)];

  for (const folder of ["dist/node", "dist/shared"]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  await Promise.all(files.map(async ([file, text]) => writeFileSync(`dist/${file}`, await small(text))));
  // The owner's tools run in the engine of the main entry.
  for (const [name, main] of [
    ["owner", "browser"],
    ["owner-edge", "edge"],
  ])
    writeFileSync(`dist/${name}.js`, `import"./${main}.js";export*from"./owner-tools.js";\n`);
}

/** What sources import from the parts is made after them. */
const partsOutside = {
  name: "parts",
  setup({ onResolve }) {
    onResolve({ filter: /\/dist\/shared\/parts\.js$/ }, () => ({ path: `./${Parts.OTHERS}`, external: true }));
  },
};

/** The entries, and the modules that only some of them need. Those of Node are apart. */
function otherFiles(modules, parts) {
  const ofWeb = neededBy(modules, Object.keys(WEB));
  const fileOf = (name) => {
    if (name in WEB || name in NODE) return name;
    return `${ofWeb.has(name) ? "shared" : "node"}/${name}`;
  };
  const names = [...modules.keys()].filter((name) => !parts.has(name) && !(name in THREAD));
  return names.map((name) => {
    const { shell, needs, imports, body, exports } = modules.get(name);
    const pathTo = (file) => {
      const path = posix.relative(posix.dirname(fileOf(name)), file);
      return path.startsWith(".") ? path : `./${path}`;
    };
    const moved = (text) =>
      text.replace(/"\.\/([^"]+\.js)"/g, (_, other) => `"${pathTo(modules.has(other) ? fileOf(other) : other)}"`);
    const others = needs.filter(({ from }) => modules.has(from) && !parts.has(from));
    const text = [
      moved(imports + others.map(({ statement }) => statement).join("")),
      parts.givenTo(modules.get(name), pathTo),
      moved(body),
      `export{${exports.map(([here, there]) => `${here} as ${there}`)}};`,
    ];
    return [fileOf(name), shell + text.join("")];
  });
}

/** The same code in few bytes. Lines stay short: a runtime prints the line where an error was thrown. */
async function small(text) {
  const { code } = await minify(text, {
    module: true,
    ecma: 2022,
    compress: { passes: 3 },
    format: { max_line_len: 5000 },
  });
  return code;
}
