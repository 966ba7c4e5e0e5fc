import { spawnSync } from "node:child_process";
import { wasmtimeFolder } from "../../bindings/c/test/wasmtime.mjs";

/** What builds the C library and programs that use it. */
export class CTools {
  /** @param wasmtime the folder of wasmtime's C API */
  constructor(readonly wasmtime: string) {}

  /**
   * Builds a CMake project in a folder.
   * @param options CMake's variables, as NAME=value
   * @throws with what was printed, if that fails
   */
  build(source: string, folder: string, options: readonly string[] = [], target = "all"): void {
    const defined = [`WASMTIME_DIR=${this.wasmtime}`, ...options].flatMap((option) => ["-D", option]);
    this.run("cmake", ["-S", source, "-B", folder, ...defined]);
    this.run("cmake", ["--build", folder, "--parallel", "2", "--target", target]);
  }

  /** Runs a program, with more variables. Returns what it printed. @throws with that, if it fails */
  run(program: string, args: readonly string[], cwd = ".", more: Readonly<Record<string, string>> = {}): string {
    const env = { ...process.env, ...more };
    const { error, status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
    if (status !== 0) throw error ?? new Error(`${program} ${args.join(" ")}\n${stdout}${stderr}`);
    return stdout;
  }
}

/** The tools that this machine has, or the reason why it has none. */
export function cTools(): CTools | string {
  // The tests put a function before one of wasmtime's, as the linker there can.
  if (process.platform !== "linux") return "C is tested on Linux";
  for (const program of ["cc", "c++", "cmake", "make"])
    if (spawnSync(program, ["--version"]).status !== 0) return `there is no ${program}`;
  try {
    return new CTools(wasmtimeFolder());
  } catch (error) {
    return `wasmtime's C API cannot be installed: ${(error as Error).message.split("\n")[0]}`;
  }
}
