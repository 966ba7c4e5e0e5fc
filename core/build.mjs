// Builds dist/standin-core.wasm, which is QuickJS-ng with src/core.ts as bytecode, and dist/standin-core.jvm.wasm, the
// same for runtimes on the JVM. The compiler and QuickJS's sources come from PyPI, pinned by their hashes; the same
// sources give the same bytes wherever they are built.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import binaryen from "assemblyscript/binaryen";
import { build } from "esbuild";
import { minify } from "terser";
import { alone } from "./alone.mjs";
import { cutBuiltins, cutProperties } from "./builtins.mjs";
import { operationsOf, readBytecode, usedBy } from "./bytecode.mjs";
import { dropChecks, makeFaster } from "./faster.mjs";
import { coolDown } from "./hot.mjs";
import { cutInterpreter } from "./interpreter.mjs";
import { packed } from "./pack.mjs";
import { cutOperations, trapUnreached } from "./unreached.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = join(HERE, "..");
const CACHE = join(ROOT, "node_modules/.cache/standin-core");
const PINNED = ["requirements.txt", "sources.txt"].map((file) => join(HERE, file));
/** QuickJS's files that are cut before they are compiled. */
const CUT = ["quickjs.c", "libregexp.c"];
/** Bytes of the core's own stack. main.c lets scripts use half of it. */
const STACK = 131_072;
const { SignExt, BulkMemory, BulkMemoryOpt, MutableGlobals, NontrappingFPToInt } = binaryen.Features;
/** What the core may use of WASM. All runtimes have these. */
const FEATURES = SignExt | BulkMemory | BulkMemoryOpt | MutableGlobals | NontrappingFPToInt;
/** Where the packages of other languages embed which of the built modules. */
const EMBEDDED = [
  ["go/wasm", "engine.wasm"],
  ["python/standin/wasm", "standin-core.wasm", "engine.wasm"],
  ["rust/wasm", "standin-core.wasm", "engine.wasm"],
  ["java/wasm", "standin-core.jvm.wasm", "engine.scalar.wasm"],
  ["c/wasm", "standin-core.wasm", "engine.wasm"],
];
/** WASI's error number for a file that is not open. */
const BAD_FILE = 8;
/** How main.c writes the types of WASM. */
const LETTERS = new Map([
  [binaryen.none, "v"],
  [binaryen.i32, "i"],
  [binaryen.i64, "j"],
  [binaryen.f64, "d"],
]);

/** Whether the core can be built here: Python can make environments, and pip finds what is pinned. */
export function hasTools() {
  try {
    tools();
    return true;
  } catch {
    return false;
  }
}

/**
 * Builds a core.
 * @param output the WASM file
 * @param entry the TypeScript that it runs
 * @param isForJvm whether a runtime on the JVM will run it
 */
export async function buildCore(output, { entry = join(ROOT, "src/core.ts"), isForJvm = false } = {}) {
  const { python, sources } = tools();
  const work = join(CACHE, `build-${process.pid}`);
  mkdirSync(work, { recursive: true });
  const source = (file) => readFileSync(join(sources, file), "utf8");
  // What comes first defines what the C library then need not.
  const compile = (main, cut, made, ...flags) => {
    const from = (folder, ...files) => files.map((file) => join(folder, file));
    const files = [...from(HERE, ...main), ...from(cut, ...CUT), ...from(sources, "dtoa.c", "libunicode.c")];
    const shared = ["-target", "wasm32-wasi", "-mexec-model=reactor", "-std=gnu23", "-w", "-D_GNU_SOURCE", "-DNDEBUG"];
    const args = [...shared, `-I${sources}`, ...flags, ...files, "-o", made, "-Wl,--strip-all"];
    const env = { ...process.env, ZIG_GLOBAL_CACHE_DIR: join(CACHE, "zig"), ZIG_LOCAL_CACHE_DIR: join(CACHE, "zig") };
    execFileSync(python, ["-m", "ziglang", "cc", ...args], { env, stdio: ["ignore", "inherit", "inherit"] });
  };
  try {
    const [quickjs, regexp] = CUT.map(source);
    const unchecked = dropChecks(quickjs);
    const compiler = join(CACHE, `compiler-${digest(unchecked)}.wasm`);
    if (!existsSync(compiler)) {
      writeFileSync(join(work, CUT[0]), unchecked);
      writeFileSync(join(work, CUT[1]), regexp);
      compile(["compile.c"], work, join(work, "compiler.wasm"), "-O1");
      renameSync(join(work, "compiler.wasm"), compiler);
    }
    const script = await bundled(entry);
    const bytecode = bytecodeOf(script, readFileSync(compiler));
    const operations = operationsOf(source("quickjs-opcode.h"));
    const read = readBytecode(bytecode, operations);
    writeFileSync(join(work, "script"), packed(read, operations, bytecode.length));
    const reached = cutOperations(trapUnreached(makeFaster(quickjs), script), usedBy(read.value, operations));
    const trimmed = cutBuiltins(reached, script);
    writeFileSync(join(work, CUT[0]), isForJvm ? cutInterpreter(trimmed) : coolDown(trimmed));
    writeFileSync(join(work, CUT[1]), cutProperties(regexp, script));
    // What is hot is compiled for speed. The pieces of the cut interpreter must be small.
    const flags = [
      isForJvm ? "-Oz" : "-O2",
      "-DQJS_DISABLE_PARSER",
      `--embed-dir=${work}`,
      `-Wl,-z,stack-size=${STACK}`,
    ];
    compile(["main.c", "library.c", "unpack.c"], work, join(work, "core.wasm"), ...flags);
    writeFileSync(output, optimised(readFileSync(join(work, "core.wasm"))));
  } finally {
    rmSync(work, { recursive: true });
  }
}

function digest(text) {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** Installs what is pinned, unless it is there, and says where. */
function tools() {
  const pinned = PINNED.map((file) => readFileSync(file, "utf8")).join("");
  const place = join(CACHE, digest(pinned));
  const windows = process.platform === "win32";
  const python = join(place, windows ? "environment/Scripts/python.exe" : "environment/bin/python");
  const done = join(place, "done");
  if (!existsSync(done)) alone(CACHE, () => existsSync(done) || install(place, python, done));
  const [folder] = readdirSync(place).filter((name) => /^quickjs_ng-[\d.]+\d$/.test(name));
  return { python, sources: join(place, folder, "upstream-quickjs") };
}

function install(place, python, done) {
  rmSync(CACHE, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const run = (program, ...args) => execFileSync(program, args, { cwd: place, stdio: "pipe" });
  const installed = process.platform === "win32" ? "python" : "python3";
  run(process.env.STANDIN_PYTHON ?? installed, "-m", "venv", "environment");
  const pip = (command, ...args) => run(python, "-m", "pip", command, "--quiet", "--require-hashes", ...args);
  pip("install", "--requirement", PINNED[0]);
  pip("download", "--no-deps", "--no-binary", ":all:", "--no-build-isolation", "--requirement", PINNED[1]);
  const [archive] = readdirSync(place).filter((name) => name.endsWith(".tar.gz"));
  run("tar", "-xzf", archive);
  writeFileSync(done, "");
}

/** A script of one file. It sees the types of the engine's exports that it names: main.c has to know them. */
async function bundled(entry) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    ignoreAnnotations: true,
    legalComments: "none",
    logLevel: "warning",
    write: false,
  });
  const [{ text }] = outputFiles;
  const named = Object.entries(engineTypes()).filter(([name]) => new RegExp(`\\b${name}\\b`).test(text));
  const types = `"use strict"; const ENGINE_TYPES = ${JSON.stringify(Object.fromEntries(named))};`;
  const { code } = await minify(types + text, { ecma: 2022, toplevel: true, compress: { passes: 3 } });
  return code;
}

/** One letter for the result and one for each argument of the engine's exports, by name. */
export function engineTypes() {
  const bytes = readFileSync(join(ROOT, "dist/engine.wasm"));
  const engine = binaryen.readBinary(bytes);
  const functions = WebAssembly.Module.exports(new WebAssembly.Module(bytes)).filter(({ kind }) => kind === "function");
  const types = functions.map(({ name }) => {
    const { value } = binaryen.getExportInfo(engine.getExport(name));
    const { params, results } = binaryen.getFunctionInfo(engine.getFunction(value));
    return [name, [results, ...binaryen.expandType(params)].map((type) => LETTERS.get(type)).join("")];
  });
  engine.dispose();
  return Object.fromEntries(types);
}

/** A script's bytecode, by QuickJS's own compiler. */
function bytecodeOf(script, compiler) {
  const none = () => 0;
  const wasi = { clock_time_get: none, fd_close: none, fd_fdstat_get: none, fd_seek: none, fd_write: none };
  const instance = new WebAssembly.Instance(new WebAssembly.Module(compiler), { wasi_snapshot_preview1: wasi });
  const { _initialize, alloc, compile, bytecode_bytes, memory } = instance.exports;
  _initialize();
  const text = new TextEncoder().encode(script);
  const pointer = alloc(text.length + 1);
  new Uint8Array(memory.buffer).set(text, pointer);
  const bytecode = compile(pointer, text.length);
  if (!bytecode) throw new Error("QuickJS cannot compile the script.");
  return new Uint8Array(memory.buffer, bytecode, bytecode_bytes());
}

/**
 * Makes the module smaller, and independent of WASI: the C library imports what writes to open files, of which a core
 * has none.
 */
function optimised(bytes) {
  const core = binaryen.readBinary(bytes);
  const functions = Array.from({ length: core.getNumFunctions() }, (_, index) => core.getFunctionByIndex(index));
  for (const { name, module, params, results } of functions.map(binaryen.getFunctionInfo)) {
    if (module !== "wasi_snapshot_preview1") continue;
    core.removeFunction(name);
    core.addFunction(name, params, results, [], core.i32.const(BAD_FILE));
  }
  core.setFeatures(FEATURES);
  binaryen.setOptimizeLevel(2);
  binaryen.setShrinkLevel(2);
  // What interpreter.mjs cuts stays cut.
  binaryen.setOneCallerInlineMaxSize(0);
  // The second time it finds what the first has left.
  core.optimize();
  core.optimize();
  const made = core.emitBinary();
  core.dispose();
  return made;
}

/** Copies the built modules to where the packages of other languages embed them. */
function embed() {
  for (const [folder, ...modules] of EMBEDDED) {
    const into = join(ROOT, "bindings", folder);
    mkdirSync(into, { recursive: true });
    for (const module of modules) copyFileSync(join(ROOT, "dist", module), join(into, module));
  }
}

/**
 * Makes Go code of the core, which takes half the time that the core takes in wazero. With -unsafe, accesses to memory
 * are one instruction each, and still checked. Says so if there is no Go to do it, which only the Go package needs.
 */
function translate() {
  const folder = join(ROOT, "bindings/go/internal/core");
  rmSync(folder, { recursive: true, force: true });
  const made = join(CACHE, `core-${process.pid}.go`);
  const options = ["-unsafe", "-pkg", "core", "-o", made, join(ROOT, "dist/standin-core.wasm")];
  const go = process.env.STANDIN_GO ?? "go";
  const { status, stderr, error } = spawnSync(go, ["-C", join(HERE, "wasm2go"), "tool", "wasm2go", ...options]);
  if (status !== 0) return console.log(`The Go package gets no core: ${error?.message ?? stderr}`);
  mkdirSync(folder, { recursive: true });
  renameSync(made, join(folder, "core.go"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildCore(join(ROOT, "dist/standin-core.wasm"));
  await buildCore(join(ROOT, "dist/standin-core.jvm.wasm"), { isForJvm: true });
  embed();
  translate();
}
