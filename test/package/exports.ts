import ts from "typescript";

/** Something that an entry exports, as the compiler sees it. */
export interface Exported {
  readonly name: string;
  /** Its doc comment, without the tags. */
  readonly summary: string;
  /** The code of the examples in its doc comment. */
  readonly examples: readonly string[];
}

/** The exports of some entries of src/. An export of several entries is listed once. */
export function exportsOf(entries: readonly string[]): Exported[] {
  const program = ts.createProgram([...entries, "src/wasm.d.ts"], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  const symbols = entries.flatMap((entry) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry)!)!;
    return checker.getExportsOfModule(module);
  });
  const origins = symbols.map((symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  );
  return [...new Set(origins)].map((symbol) => ({
    name: symbol.name,
    summary: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
    examples: symbol
      .getJsDocTags(checker)
      .filter(({ name }) => name === "example")
      .map(({ text }) => ts.displayPartsToString(text)),
  }));
}
