// Programs that use the installed package, compiled as its users compile them.
import { resolve } from "node:path";
import ts from "typescript";
import { expect } from "vitest";

/** Options of a program for Node. */
export const NODE: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ["node"],
  typeRoots: [resolve("node_modules/@types")],
};

/** A program that compiles without errors, including the declarations of packages. */
export function compiled(paths: readonly string[], options: ts.CompilerOptions): ts.Program {
  const strictly = { target: ts.ScriptTarget.ES2022, strict: true, skipDefaultLibCheck: true };
  const program = ts.createProgram(paths, { ...strictly, ...options });
  expect(ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), HOST)).toBe("");
  return program;
}

const HOST: ts.FormatDiagnosticsHost = {
  getCurrentDirectory: () => process.cwd(),
  getCanonicalFileName: (name) => name,
  getNewLine: () => "\n",
};
