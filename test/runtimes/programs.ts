// The packages of other languages, each in a program that does whole jobs, from files to a file.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { cTools } from "./c-tools.js";
import { javaOf, runMaven } from "./maven.js";
import { pythonEnvironment } from "./python-environment.js";
import { BUILT, cargo, missingCargo } from "./rust.js";

/** A program that does one job after the other. */
export interface Program {
  /** Does a job. Returns the line that the program answers with: `done`, or the code and the message of an error. */
  run(job: FileJob): Promise<string>;
  /** Only reads a table. The program in Python can. Returns the same. */
  read(files: Files): Promise<string>;
  stop(): void;
}

/** The paths of a schema and of a table. */
export interface Files {
  readonly schema: string;
  readonly csv: string;
}

/** A job's files, by their paths, and its options. */
export interface FileJob extends Files {
  readonly out: string;
  readonly options: object;
  /** How many rows are made; N̂ if absent. */
  readonly rows?: number;
}

/**
 * Makes a program in an empty folder and starts it, or returns the reason why it cannot.
 * @param isTimed whether the program has to be fast, however long that takes to compile
 */
export type Starter = (folder: string, isTimed: boolean) => Program | string;

export const PROGRAMS: Readonly<Record<string, Starter>> = {
  python(folder) {
    const environment = pythonEnvironment(folder);
    if (typeof environment === "string") return environment;
    return started(environment.python, [resolve("bindings/python/tests/job.py")], environment.env);
  },

  go(folder) {
    const go = process.env.STANDIN_GO ?? "go";
    if (spawnSync(go, ["version"]).status !== 0) return `${go} is no Go; STANDIN_GO can name another`;
    if (!existsSync("bindings/go/internal/core")) return "Go made no code of the core (npm run core)";
    const job = join(folder, "job");
    const { status } = spawnSync(go, ["build", "-o", job, "./internal/job"], { cwd: "bindings/go" });
    return status === 0 ? started(job) : "Go can download no modules";
  },

  rust(_, isTimed) {
    const missing = missingCargo();
    if (missing) return missing;
    const [profile, folder] = isTimed ? ["release", "release"] : ["dev", "debug"];
    const { status, output } = cargo("build", "--locked", "--profile", profile, "--example", "job");
    return status === 0 ? started(join(BUILT, folder, "examples/job")) : output;
  },

  c(folder) {
    const tools = cTools();
    if (typeof tools === "string") return tools;
    const built = join(folder, "built");
    tools.build("bindings/c", built, ["CMAKE_BUILD_TYPE=Release", "STANDIN_TESTS=ON"], "standin-job");
    return started(join(built, "test/standin-job"), [folder]);
  },

  java(folder) {
    const found = javaOf();
    if (typeof found === "string") return found;
    const list = join(folder, "classpath");
    const { failure, skip } = runMaven(
      folder,
      "test-compile",
      "dependency:build-classpath",
      `-Dmdep.outputFile=${list}`,
    );
    if (failure) return skip ?? failure;
    const classes = [join(folder, "classes"), join(folder, "test-classes"), readFileSync(list, "utf8")];
    return started(found.java, ["-cp", classes.join(delimiter), "standin.Job"]);
  },
};

/** Starts the program of a language. */
export function startProgram(language: string, folder: string, isTimed = false): Program | string {
  return existsSync("dist/standin-core.wasm") ? PROGRAMS[language](folder, isTimed) : "there is no core (npm run core)";
}

/**
 * A line for it has the paths of schema and table between tabs, then, unless it only reads, the options of plan and
 * rows, and the output.
 */
function started(command: string, args: readonly string[] = [], env = process.env): Program {
  const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const done = async (...fields: string[]) => {
    child.stdin.write(`${fields.join("\t")}\n`);
    const answer = await lines.next();
    if (answer.done) throw new Error(`${command} ended before it had done its job.`);
    return answer.value;
  };
  return {
    run: ({ schema, csv, options, rows, out }) =>
      done(schema, csv, JSON.stringify(options), JSON.stringify({ rows, seed: 1 }), out),
    read: ({ schema, csv }) => done(schema, csv),
    stop: () => child.kill(),
  };
}
