import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build as esbuild } from "esbuild";
import { build as vite } from "vite";
import webpack from "webpack";

/** A new folder next to the installed package with the input for bundlers: page.mjs, worker.mjs and their job. */
export function sources(installed: string): string {
  const folder = mkdtempSync(join(installed, "app-"));
  cpSync("test/vectors/job.mjs", join(folder, "job.mjs"));
  for (const name of ["page.mjs", "worker.mjs"]) cpSync(join("test/runtimes", name), join(folder, name));
  writeFileSync(join(folder, "index.html"), '<!doctype html><script type="module" src="./page.mjs"></script>');
  return folder;
}

export type Target = "browser" | "node";

/**
 * Bundles page.mjs of a folder into out/, with the bundler's own defaults. Returns the bundle's path inside the folder.
 */
export const BUNDLERS: Record<string, (folder: string, target: Target) => Promise<string>> = {
  async esbuild(folder, platform) {
    await esbuild({
      entryPoints: [join(folder, "page.mjs")],
      outfile: join(folder, "out/esbuild.mjs"),
      bundle: true,
      minify: true,
      format: "esm",
      platform,
    });
    return "out/esbuild.mjs";
  },
  async vite(folder, target) {
    await vite({
      root: folder,
      logLevel: "error",
      configFile: false,
      build: {
        outDir: "out",
        ssr: target === "node",
        rollupOptions: { input: join(folder, "page.mjs"), output: { entryFileNames: "vite.mjs" } },
      },
      ssr: { noExternal: ["standin"] },
    });
    return "out/vite.mjs";
  },
  async webpack(folder, target) {
    const compiler = webpack({
      mode: "production",
      target: target === "node" ? "node" : "web",
      context: folder,
      entry: "./page.mjs",
      output: { path: join(folder, "out"), filename: "webpack.js" },
      optimization: { minimize: target === "browser" },
    });
    await new Promise<void>((done, fail) =>
      compiler.run((error, stats) =>
        error || stats?.hasErrors() ? fail(error ?? new Error(stats!.toString())) : compiler.close(() => done()),
      ),
    );
    return "out/webpack.js";
  },
};
