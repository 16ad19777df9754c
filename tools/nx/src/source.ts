import type { Tree } from '@nx/devkit';
import ts from 'typescript';

type List = ts.ArrayLiteralExpression | ts.ObjectLiteralExpression;

export function readSource(tree: Tree, file: string): string {
  const text = tree.read(file, 'utf8');
  if (text === null) throw new Error(`${file} does not exist`);
  return text;
}

/** Adds an import after those of the file, unless it has it. */
export function addImport(tree: Tree, file: string, statement: string): void {
  const text = readSource(tree, file);
  if (text.includes(statement)) return;
  const last = parse(file, text).statements.findLast(ts.isImportDeclaration);
  const end = last?.getEnd() ?? 0;
  tree.write(file, `${text.slice(0, end)}\n${statement}${text.slice(end)}`);
}

/**
 * Appends an element to the list at the path: names of a variable and of properties, each below the one before. The
 * last one must be an array or an object literal.
 */
export function append(tree: Tree, file: string, path: readonly string[], element: string): void {
  const list = listAt(parse(file, readSource(tree, file)), path);
  if (list === undefined) throw new Error(`${file} has no list ${path.join('.')}`);
  insert(tree, list, element);
}

/** Adds a provider to the module that a file declares with `@Module` or `collectionModule`. */
export function addProvider(tree: Tree, file: string, provider: string): void {
  const source = parse(file, readSource(tree, file));
  const providers = listAt(source, ['providers']);
  const module = argumentOf(source);
  if (providers !== undefined) insert(tree, providers, provider);
  else if (module !== undefined) insert(tree, module, `providers: [${provider}]`);
  else throw new Error(`${file} declares no module`);
}

/** Adds a line at the end of a file of exports. */
export function addExport(tree: Tree, file: string, statement: string): void {
  tree.write(file, `${readSource(tree, file).trimEnd()}\n${statement}\n`);
}

function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

function insert(tree: Tree, list: List, element: string): void {
  const { fileName, text } = list.getSourceFile();
  const elements = ts.isArrayLiteralExpression(list) ? list.elements : list.properties;
  const end = elements.at(-1)?.getEnd() ?? list.getStart() + 1;
  const separator = elements.length === 0 ? '' : ', ';
  tree.write(fileName, `${text.slice(0, end)}${separator}${element}${text.slice(end)}`);
}

function listAt(source: ts.SourceFile, path: readonly string[]): List | undefined {
  const found = path.reduce<ts.Node | undefined>((at, name) => at && valueOf(at, name), source);
  return found !== undefined && isList(found) ? found : undefined;
}

/** The object that declares the module. */
function argumentOf(node: ts.Node): ts.ObjectLiteralExpression | undefined {
  return ts.forEachChild(node, (child) => {
    const declares = ts.isCallExpression(child) && ['Module', 'collectionModule'].includes(child.expression.getText());
    const [argument] = declares ? child.arguments : [];
    return argument !== undefined && ts.isObjectLiteralExpression(argument) ? argument : argumentOf(child);
  });
}

function isList(node: ts.Node): node is List {
  return ts.isArrayLiteralExpression(node) || ts.isObjectLiteralExpression(node);
}

/** The value of the property of an object, otherwise of the first variable or property with the name below a node. */
function valueOf(node: ts.Node, name: string): ts.Expression | undefined {
  const own = ts.forEachChild(node, (child) => (isDeclared(child, name) ? child.initializer : undefined));
  return own ?? ts.forEachChild(node, (child) => valueOf(child, name));
}

function isDeclared(node: ts.Node, name: string): node is ts.VariableDeclaration | ts.PropertyAssignment {
  return (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)) && isNamed(node.name, name);
}

function isNamed(node: ts.Node, name: string): boolean {
  return (ts.isIdentifier(node) || ts.isStringLiteral(node)) && node.text === name;
}
