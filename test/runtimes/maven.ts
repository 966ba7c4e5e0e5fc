// Maven, which builds the Java package.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const MAVEN = process.env.STANDIN_MAVEN ?? "mvn";
const OLDEST_JAVA = 17;

/** A folder with Java's programs, or the reason why the Java package cannot be built here. */
export function javaOf(): { java: string } | string {
  const { status, stdout } = spawnSync(MAVEN, ["--version"], { encoding: "utf8" });
  if (status !== 0) return `${MAVEN} is no Maven; STANDIN_MAVEN can name another`;
  const [, version, home] = /^Java version: (\d+).*runtime: (.+)$/m.exec(stdout) ?? [];
  if (!(Number(version) >= OLDEST_JAVA)) return `Maven runs Java ${version}, not ${OLDEST_JAVA} or newer`;
  const programs = readdirSync(join(home, "bin"));
  if (!programs.some((name) => /^javac\b/.test(name))) return `there is no compiler in ${home}`;
  return { java: join(home, "bin/java") };
}

/**
 * Runs goals of Maven for the Java package, and lets it write into a folder.
 * @returns what Maven says against it, empty if nothing; or as `skip` that it cannot download what it needs
 */
export function runMaven(folder: string, ...goals: string[]): { failure: string; skip?: string } {
  const args = ["--batch-mode", "--quiet", `-Dstandin.target=${folder}`, ...goals];
  const { status, stdout } = spawnSync(MAVEN, args, { cwd: "bindings/java", encoding: "utf8" });
  if (status === 0) return { failure: "" };
  const isOffline = /Could not transfer|Could not resolve|Cannot access|Unknown host/.test(stdout);
  return { failure: stdout, ...(isOffline && { skip: "Maven reaches no repository" }) };
}
