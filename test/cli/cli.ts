// Runs the built command line as people do: in its own process, in its own folder.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";

const CLI = resolve("dist/cli.js");

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  /** Resolves when standard error matches; rejects if the process ends without a match. */
  said(pattern: RegExp): Promise<void>;
}

/** A folder with a small table and its schema, removed after the test. */
export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), "standin-test-"));

  constructor() {
    onTestFinished(() => rmSync(this.path, { recursive: true, force: true }));
    this.write("people.csv", PEOPLE);
    this.write("people.schema.json", JSON.stringify(SCHEMA));
  }

  at(name: string): string {
    return join(this.path, name);
  }

  write(name: string, content: string | Uint8Array): void {
    writeFileSync(this.at(name), content);
  }

  names(): string[] {
    return readdirSync(this.path).sort();
  }

  /** Starts `standin` here. @param before shell commands that run first in the same process, such as a limit */
  start(args: readonly string[], { before = "" } = {}): Running {
    const shell = `${before}exec "$0" "$@"`;
    const child = spawn("bash", ["-c", shell, process.execPath, CLI, ...args], { cwd: this.path });
    onTestFinished(() => {
      child.kill("SIGKILL");
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    const ended = new Promise<Ended>((done) => {
      child.on("close", (code, signal) => done({ code, signal, stdout, stderr }));
    });
    const said = (pattern: RegExp) =>
      new Promise<void>((done, fail) => {
        const look = () => pattern.test(stderr) && done();
        look();
        child.stderr.on("data", look);
        child.on("close", () => fail(new Error(`ended without saying ${pattern}: ${stderr}`)));
      });
    child.stdin.on("error", () => {});
    return { child, ended, said };
  }

  /** Runs `standin` here to its end. */
  run(
    args: readonly string[],
    { input = "", before = "" }: { input?: string | Uint8Array; before?: string } = {},
  ): Promise<Ended> {
    const { child, ended } = this.start(args, { before });
    child.stdin.end(input);
    return ended;
  }
}

export const SCHEMA = {
  fields: [
    { name: "name", type: "string", standin: { role: "drop" } },
    { name: "group", type: "string", constraints: { enum: ["a", "b"] } },
    { name: "score", type: "integer", constraints: { minimum: 0, maximum: 10 } },
  ],
};

export const PEOPLE = `name,group,score\n${Array.from({ length: 120 }, (_, at) => `person-${at},${at % 3 ? "a" : "b"},${at % 11}`).join("\n")}\n`;

/** Options of a run that is refused or takes a moment. */
export const SYNTH = ["synth", "people.csv", "--schema", "people.schema.json", "--epsilon", "8", "-o", "out.csv"];

/** `SYNTH` with some of its options replaced, and more added. */
export function synth(...changes: string[]): string[] {
  const args = [...SYNTH];
  for (let at = 0; at < changes.length; at += 2) {
    const place = args.indexOf(changes[at]);
    if (place < 0) args.push(changes[at], changes[at + 1]);
    else args[place + 1] = changes[at + 1];
  }
  return args.filter((arg) => arg !== undefined);
}

const WIDE = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];

/** A folder with a table of nine columns, and so 36 pairs, of which rounds choose some. */
export function wideFolder(): Folder {
  const field = (name: string) => ({ name, type: "integer", constraints: { minimum: 0, maximum: 4, required: true } });
  const row = (at: number) => WIDE.map((_, column) => (at * (column + 1) + ((at * at) % 3)) % 5).join();
  const folder = new Folder();
  folder.write("people.schema.json", JSON.stringify({ fields: WIDE.map(field) }));
  folder.write("people.csv", `${WIDE.join()}\n${Array.from({ length: 300 }, (_, at) => row(at)).join("\n")}\n`);
  return folder;
}
