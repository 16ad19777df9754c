import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCOPES } from '@lyceum/contracts';
import { buildSchema, isObjectType } from 'graphql';
import { testNames } from './test-names.js';

const root = join(__dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

interface Row {
  readonly line: string;
  /** Names of the product. */
  readonly products: readonly string[];
  /** `<file>: <name>`. */
  readonly test: string;
}

/** The rows of all tables, without their heads. */
function rowsOf(markdown: string): Row[] {
  const lines = markdown
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\| *(?:---|:?-+|Line|Scope) /.test(line));
  return lines.map((text) => {
    const [, line = '', product = '', test = ''] = text.split('|').map((cell) => cell.trim());
    return { line, products: codes(product), test: codes(test)[0] ?? '' };
  });
}

/** The code spans of a cell, in one or two backticks. */
const codes = (cell: string): string[] =>
  [...cell.matchAll(/``\s(.+?)\s``|`([^`]+)`/g)].map(([, long, short]) => long ?? short ?? '');

interface Operation {
  readonly operationId: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}
const openapi = JSON.parse(read('dist/openapi.json')) as {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const operations = new Map(
  Object.values(openapi.paths)
    .flatMap((path) => Object.values(path))
    .map((operation) => [operation.operationId, operation]),
);
const tools = new Map(
  (JSON.parse(read('dist/tools.json')) as { name: string; scopes: readonly string[] }[]).map((tool) => [
    tool.name,
    tool,
  ]),
);
const schema = buildSchema(read('dist/schema.graphql'));

/** @param name `field` or `field(argument)` */
function hasField(type: string, name: string): boolean {
  const found = schema.getType(type);
  const [, field = '', argument] = /^(\w+)(?:\((\w+)\))?$/.exec(name) ?? [];
  const known = isObjectType(found) ? found.getFields()[field] : undefined;
  return known !== undefined && (argument === undefined || known.args.some((one) => one.name === argument));
}

/** All texts in the sources that look like a path, with or without the leading slash. */
const paths = new Set(
  execFileSync(
    'git',
    ['grep', '-hoE', `'/?[a-z.][^' ]*'`, '--', ':(glob)apps/*/src/**/*.ts', ':(glob)libs/*/src/**/*.ts'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  )
    .split('\n')
    .map((text) => text.slice(1, -1)),
);
const hasRoute = (path: string): boolean => paths.has(path) || paths.has(path.slice(1));

function exists(product: string): boolean {
  const [, path] = /^(?:GET|POST) (\/\S+)$/.exec(product) ?? [];
  if (path !== undefined) return hasRoute(path);
  const [type = '', field] = product.split('.');
  if (field !== undefined) return hasField(type, field);
  return operations.has(product) || tools.has(product) || hasField('Query', product);
}

/** Statements of the discovery documents are keys of proofs. */
function hasTest(reference: string): boolean {
  const [, file = '', name = ''] = /^(\S+\.spec\.ts): (.+)$/.exec(reference) ?? [];
  if (file === '' || !isTracked(file)) return false;
  const source = read(file);
  if (testNames(source).includes(name)) return true;
  const keys = source.includes('prove(') ? [`'${name}'`, `\`${name}\``, ` ${name}: `, ` ${name}(`] : [];
  return keys.some((key) => source.includes(key));
}

const tracked = new Set(
  execFileSync('git', ['ls-files', '*.spec.ts'], { cwd: root, encoding: 'utf8' }).trim().split('\n'),
);
const isTracked = (file: string): boolean => tracked.has(file);

const faultsOf = ({ line, products, test }: Row): string[] => [
  ...(products.length === 0 ? [`${line}: no part of the product`] : []),
  ...products.filter((product) => !exists(product)).map((product) => `${line}: ${product} does not exist`),
  ...(hasTest(test) ? [] : [`${line}: the test "${test}" does not exist`]),
];

describe('docs/contract.md', () => {
  const rows = rowsOf(read('docs/contract.md'));

  it('names a part of the product and a test for each line, which exist', () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.flatMap(faultsOf)).toEqual([]);
  });

  it('lists each scope with an operation and a tool that require it', () => {
    const byScope = new Map(rows.map((row) => [codes(row.line)[0] ?? '', row]));
    for (const scope of Object.keys(SCOPES)) {
      const { products = [] } = byScope.get(scope) ?? {};
      expect([scope, products.length > 0]).toEqual([scope, true]);
      for (const product of products) {
        const required = tools.get(product)?.scopes ?? operations.get(product)?.security?.flatMap(Object.values).flat();
        if (required !== undefined) expect([product, required]).toEqual([product, expect.arrayContaining([scope])]);
      }
    }
  });

  it.each([
    ['| A line |  | `test/repository/contract.spec.ts: finds what is missing` |', 'no part of the product'],
    ['| A line | `noOperation` | `test/discovery/use.spec.ts: auth.md 401` |', 'noOperation does not exist'],
    ['| A line | `Viewer.shoeSize` |  |', 'Viewer.shoeSize does not exist'],
    ['| A line | `Viewer.enrolledCourses(shoeSize)` |  |', 'Viewer.enrolledCourses(shoeSize) does not exist'],
    ['| A line | `GET /nowhere` |  |', 'GET /nowhere does not exist'],
    [
      '| A line | `listCourses` | `test/discovery/use.spec.ts: no test` |',
      'the test "test/discovery/use.spec.ts: no test"',
    ],
    ['| A line | `listCourses` |  |', 'the test "" does not exist'],
  ])('finds what is missing in %s', (row, fault) => {
    expect(rowsOf(row).flatMap(faultsOf).join('\n')).toContain(fault);
  });
});
