// node examples/plain-html/build.mjs (after npm run build): page.html and all of its code in one file,
// dist/stand-in.html, which opens from disk and can be sent to whoever has a table. Pages from disk may load no
// modules, so the code is written into the page.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (name) => new URL(name, import.meta.url);
const { outputFiles } = await build({
  entryPoints: [fileURLToPath(here("page.js"))],
  bundle: true,
  minify: true,
  format: "iife",
  write: false,
});
const script = outputFiles[0].text.replaceAll("</script", "<\\/script");
const page = readFileSync(here("page.html"), "utf8");
mkdirSync(here("dist"), { recursive: true });
writeFileSync(
  here("dist/stand-in.html"),
  page.replace('<script src="page.js"></script>', () => `<script>${script}</script>`),
);
