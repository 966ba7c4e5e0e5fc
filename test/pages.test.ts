// Pages are short, their links lead somewhere, and no line of a page or of code is longer than 120 columns.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const WIDTH = 120;

/** The vectors' folder stays unchanged to the last byte. */
const UNCHANGED = "test/vectors/";

/** All files of these folders, and those at the top level. */
const files = [".", ...["assembly", "bench", "bindings", "docs", "examples", "src", "test"]].flatMap((folder) =>
  readdirSync(folder, { recursive: folder !== ".", encoding: "utf8" }).map((name) => posix.join(folder, name)),
);
const endingIn = (...endings: string[]) =>
  files.filter((file) => endings.some((ending) => file.endsWith(ending)) && !/\/(node_modules|dist)\//.test(file));
const pages = endingIn(".md");
const isHeld = (file: string) => !file.startsWith(UNCHANGED);
const linesOf = (file: string) => readFileSync(file, "utf8").split("\n");
/** The lines that are too long, with their numbers. */
const tooLong = (lines: readonly string[]) =>
  lines.flatMap((line, at) => ([...line].length > WIDTH ? [{ line, number: at + 1 }] : []));

it("has a README of less than 150 lines", () => {
  expect(linesOf("README.md").length).toBeLessThan(150);
});

describe("lines are no longer than 120 columns", () => {
  // A row of a table cannot be broken in Markdown, nor can a line of a file that a page shows.
  const isRow = (line: string) => line.startsWith("|") || /^[A-Z0-9_,]+$/.test(line);

  it.each(pages.filter(isHeld))("%s", (page) => {
    expect(tooLong(linesOf(page)).filter(({ line }) => !isRow(line))).toEqual([]);
  });

  it("in code", () => {
    const code = endingIn(".ts", ".mjs", ".js", ".jsx").filter((file) => isHeld(file) && !file.endsWith(".d.ts"));
    expect(code.length).toBeGreaterThan(200);
    const found = code.flatMap((file) => {
      const lines = tooLong(linesOf(file));
      const literals = lines.length ? literalsOf(file) : [];
      return lines
        .filter(({ number }) => !literals.some(([first, last]) => first <= number && number <= last))
        .map(({ number }) => `${file}:${number}`);
    });
    expect(found).toEqual([]);
  });
});

/**
 * The lines of string, template and regular expression literals. These stay in one piece so that they can be found by
 * searching.
 */
function literalsOf(file: string): [first: number, last: number][] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  const found: [number, number][] = [];
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isTemplateLiteral(node) || ts.isRegularExpressionLiteral(node))
      found.push([lineAt(node.getStart(source)), lineAt(node.end)]);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe("links lead to what is there, and from what is published to what is published", () => {
  const shipped: string[] = JSON.parse(readFileSync("package.json", "utf8")).files;
  const isShipped = (file: string) =>
    file === "README.md" || shipped.some((entry) => file === entry || file.startsWith(`${entry}/`));

  it.each(pages)("%s", (page) => {
    const text = readFileSync(page, "utf8").replace(/^```.*?^```$/gms, "");
    for (const [, link] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (link.startsWith("https://")) continue;
      const [path, anchor] = link.split("#");
      const target = path ? posix.join(posix.dirname(page), path) : page;
      expect(existsSync(target), link).toBe(true);
      if (isShipped(page)) expect(isShipped(target), `${link} is published`).toBe(true);
      if (anchor) expect(anchorsOf(target), link).toContain(anchor);
    }
  });
});

/** The anchors of a page's headings. */
const anchorsOf = (page: string) =>
  linesOf(page)
    .filter((line) => line.startsWith("#"))
    .map((line) =>
      line
        .replace(/^#+ /, "")
        .toLowerCase()
        .replace(/[^\p{L}\p{N} -]/gu, "")
        .replaceAll(" ", "-"),
    );
