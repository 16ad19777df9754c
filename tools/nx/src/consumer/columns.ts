import { dirname, join } from 'node:path';
import type { Tree } from '@nx/devkit';
import ts from 'typescript';
import { readSource } from '../source.ts';

/** A column for a member of the data of an event. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** The values of an enumeration; empty for other types. */
  readonly values: readonly string[];
  /** A value for the suite, as TypeScript. */
  readonly sample: string;
}

interface Schema {
  /** The function of zod at its beginning. Undefined: none that has a column type. */
  readonly base: string | undefined;
  readonly values: readonly string[];
  readonly nullable: boolean;
}

interface Place {
  readonly tree: Tree;
  readonly file: string;
}

const UUID = `'0199f6a0-0000-7000-8000-000000000001'`;
const TYPES: Readonly<Record<string, readonly [type: string, sample: string]>> = {
  uuid: ['uuid', UUID],
  string: ['text', `'text'`],
  url: ['text', `'https://school.example'`],
  enum: ['text', `'text'`],
  int: ['int', '1'],
  bigint: ['bigint', '1'],
  number: ['double precision', '0.5'],
  boolean: ['boolean', 'true'],
  datetime: ['timestamptz(3)', `'2026-01-02T03:04:05.000Z'`],
};
/** Arrays and objects. */
const OTHERS = ['jsonb', '[]'] as const;

/** Each read model has these columns for the place of an event. */
const OF_THE_PLACE = ['epoch', 'version'];

/** The columns for the members of the data of events, in their order. Nested members have one of JSON. */
export function columnsOf(tree: Tree, file: string, events: string): Column[] {
  const place = { tree, file };
  const [definition] = callOf(definitionOf(place, events)?.value)?.arguments ?? [];
  const data = memberOf(definition, 'data');
  const shape = data === undefined ? undefined : shapeOf(data);
  if (shape === undefined) throw new Error(`${file}: the data of ${events} must be z.object({ … })`);
  const members = shape.properties.filter(ts.isPropertyAssignment);
  return members.map(({ name, initializer }) => columnOf(nameOf(name), schemaOf(place, initializer))).filter(isOwn);
}

function isOwn({ name }: Column): boolean {
  return !OF_THE_PLACE.includes(name);
}

function columnOf(name: string, { base, values, nullable }: Schema): Column {
  const [type, sample] = TYPES[base ?? ''] ?? OTHERS;
  const [value] = values;
  return { name, type, nullable, values, sample: value === undefined ? sample : `'${value}'` };
}

/** Reads `z.string().nullable()` from its end. A name stands for its definition, also in another file. */
function schemaOf(place: Place, node: ts.Expression): Schema {
  const none: Schema = { base: undefined, values: [], nullable: false };
  if (ts.isIdentifier(node)) {
    const found = definitionOf(place, node.text);
    return found === undefined ? none : schemaOf(found.place, found.value);
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return none;
  const { expression: before, name } = node.expression;
  const [first] = node.arguments;
  if (isZod(before)) return { base: name.text, values: literalsOf(first), nullable: false };
  const schema = schemaOf(place, before);
  if (first?.getText() === 'Number.MAX_SAFE_INTEGER') return { ...schema, base: 'bigint' };
  const isNull = name.text === 'default' && first?.kind === ts.SyntaxKind.NullKeyword;
  return { ...schema, nullable: schema.nullable || isNull || /^(nullable|nullish|optional)$/.test(name.text) };
}

/** `z` or `z.iso`. */
function isZod(node: ts.Expression): boolean {
  return ['z', 'z.iso'].includes(node.getText());
}

function literalsOf(node: ts.Expression | undefined): string[] {
  if (node === undefined || !ts.isArrayLiteralExpression(node)) return [];
  const literals = node.elements.filter(ts.isStringLiteral).map(({ text }) => text);
  return literals.length === node.elements.length ? literals : [];
}

/** The object literal of `z.object({ … })`, with calls behind it. */
function shapeOf(node: ts.Expression): ts.ObjectLiteralExpression | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression: before, name } = node.expression;
  const [first] = node.arguments;
  if (!isZod(before)) return shapeOf(before);
  return name.text === 'object' && first !== undefined && ts.isObjectLiteralExpression(first) ? first : undefined;
}

interface Definition {
  readonly place: Place;
  readonly value: ts.Expression;
}

/** The value of a constant of a file, or of one that it imports from another file of the workspace. */
function definitionOf({ tree, file }: Place, name: string): Definition | undefined {
  const source = ts.createSourceFile(file, readSource(tree, file), ts.ScriptTarget.Latest, true);
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement)) {
      const value = statement.declarationList.declarations.find((one) => one.name.getText() === name)?.initializer;
      if (value !== undefined) return { place: { tree, file }, value };
    }
    if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
      const { text: from } = statement.moduleSpecifier;
      const names = statement.importClause?.namedBindings?.getText() ?? '';
      if (!from.startsWith('.') || !new RegExp(`\\b${name}\\b`).test(names)) continue;
      return definitionOf({ tree, file: join(dirname(file), from.replace(/js$/, 'ts')) }, name);
    }
  }
  return undefined;
}

function callOf(node: ts.Expression | undefined): ts.CallExpression | undefined {
  return node !== undefined && ts.isCallExpression(node) ? node : undefined;
}

function memberOf(node: ts.Expression | undefined, name: string): ts.Expression | undefined {
  if (node === undefined || !ts.isObjectLiteralExpression(node)) return undefined;
  return node.properties.filter(ts.isPropertyAssignment).find((one) => nameOf(one.name) === name)?.initializer;
}

function nameOf(name: ts.PropertyName): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : name.getText();
}
