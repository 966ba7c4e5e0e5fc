// Cuts the declarations that tsc has made down to what users of the package can reach: the entries' exports, and what
// these name. That leaves out functions that only other rooms call, and half of the bytes.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/**
 * @param folder with the declarations
 * @param entries paths in it, without `.d.ts`
 */
export function cutDeclarations(folder, entries) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".d.ts"))
    .map((name) => parsed(folder, name, entries));
  const declared = new Map();
  for (const { statements } of files)
    for (const statement of statements)
      for (const name of statement.names) declared.set(name, [...(declared.get(name) ?? []), statement]);
  const reached = new Set(files.filter(({ isEntry }) => isEntry).flatMap(({ statements }) => statements));
  for (const statement of reached)
    for (const name of statement.named) for (const other of declared.get(name) ?? []) reached.add(other);
  for (const { name, statements } of files) {
    const kept = statements.filter((statement) => reached.has(statement) && !statement.node);
    const used = new Set(kept.flatMap(({ named }) => named));
    const imports = statements.flatMap((statement) => importOf(statement, used));
    if (!kept.length && !imports.length) rmSync(join(folder, name));
    else writeFileSync(join(folder, name), indented([...imports, ...kept.map(({ text }) => text)].join("\n")));
  }
}

/** A file's statements: what each declares, and the types that it names. */
function parsed(folder, name, entries) {
  const source = ts.createSourceFile(name, readFileSync(join(folder, name), "utf8"), ts.ScriptTarget.Latest, true);
  const statements = source.statements.map((statement) => ({
    text: statement.getFullText(source).trim(),
    node: ts.isImportDeclaration(statement) ? statement : undefined,
    names: ts.isImportDeclaration(statement) ? [] : namesOf(statement),
    named: [...typesIn(statement)],
  }));
  return {
    name,
    isEntry: entries.includes(name.replace(/\.d\.ts$/, "")),
    statements: statements.filter(({ text }) => text !== "export {};"),
  };
}

/** The names of types, and of values that stand for types, in a statement; of an export, what it passes on. */
function* typesIn(node) {
  if (ts.isTypeReferenceNode(node)) yield leftmost(node.typeName);
  if (ts.isTypeQueryNode(node)) yield leftmost(node.exprName);
  if (ts.isExpressionWithTypeArguments(node) && ts.isIdentifier(node.expression)) yield node.expression.text;
  if (ts.isComputedPropertyName(node) && ts.isIdentifier(node.expression)) yield node.expression.text;
  if (ts.isExportSpecifier(node)) yield (node.propertyName ?? node.name).text;
  const children = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* typesIn(child);
}

const leftmost = (name) => (ts.isIdentifier(name) ? name.text : leftmost(name.left));

function namesOf(statement) {
  if (ts.isExportDeclaration(statement)) return statement.exportClause?.elements.map(({ name }) => name.text) ?? [];
  const declarations = statement.declarationList?.declarations ?? [statement];
  return declarations.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : []));
}

/** An import of those names that are used. */
function importOf({ node, text }, used) {
  if (!node) return [];
  const bindings = node.importClause?.namedBindings;
  if (!bindings || !ts.isNamedImports(bindings)) return [text];
  const kept = bindings.elements.filter(({ name }) => used.has(name.text)).map((element) => element.getText());
  if (!kept.length) return [];
  const type = node.importClause.isTypeOnly ? "type " : "";
  return [`import ${type}{ ${kept.join(", ")} } from ${node.moduleSpecifier.getText()};`];
}

/** Two spaces a level, as in the sources, in place of four. */
const indented = (text) => `${text.replace(/^(?: {4})+/gm, (spaces) => spaces.slice(spaces.length / 2))}\n`;
