// Runs once before the tests of the package: packs it, and installs the tarball in an empty folder as its users do.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { buildTypes } from "../build.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The packed package. */
    tarball: string;
    /** A folder that contains only its installation. */
    installed: string;
  }
}

export default function setup(project: TestProject): () => void {
  buildTypes();
  const folder = mkdtempSync(join(tmpdir(), "standin-packed-"));
  const npm = (cwd: string, ...args: string[]) =>
    execFileSync("npm", [...args, "--ignore-scripts", "--offline", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd,
      encoding: "utf8",
    });
  const tarball = join(folder, npm(".", "pack", "--pack-destination", folder).trim());
  npm(folder, "install", "--no-save", "--prefix", folder, tarball);
  project.provide("tarball", tarball);
  project.provide("installed", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
