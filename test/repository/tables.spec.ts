import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const SERVICES = ['auth', 'admin-api', 'member-api'] as const;
const MIGRATION = /\.migration\.ts$|\/migrations\/|\/baseline\//;

/** A row of the page: the feature of the table, and other features that write it. */
interface Row {
  readonly owner: string;
  readonly others: readonly string[];
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const sources = execFileSync('git', ['ls-files', 'apps', 'libs'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => /^(?:apps|libs)\/[^/]+\/src\/.+\.ts$/.test(file) && !file.endsWith('.spec.ts'));
const codeOf = (file: string): string => read(file).replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
const below = (folder: string): string[] => sources.filter((file) => file.startsWith(`${folder}/src/`));
const named = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

/** The tables that migrations make and keep. A default partition belongs to its table. */
function tablesOf(migrations: readonly string[]): string[] {
  const texts = migrations.map((text) => text.split(/async down\(/)[0] ?? '');
  const dropped = new Set(texts.flatMap((text) => named(text, /drop table (?:if exists )?(\w+)/gi)));
  const made = texts.flatMap((text) => named(text, /create table (?:if not exists )?(\w+)/gi));
  return made.filter((name) => !dropped.has(name) && !name.endsWith('_default')).toSorted();
}

/** The tables that a source writes under their own names, and the entities whose stores publish events. */
function writtenIn(code: string): { readonly tables: readonly string[]; readonly entities: readonly string[] } {
  const tables = [
    ...named(code, /\b(?:insert into|delete from) (\w+)/gi),
    ...named(code, /\bupdate (\w+)(?: as)?(?: (?!set\b)\w+)?\s+set\b/gi),
    ...named(code, /@Consumes\([^)]*\btable: '(\w+)'/g),
    ...named(code, /: QueueDeclaration = \{[^}]*?\btable: '(\w+)'/g),
  ];
  return { tables, entities: named(code, /\bSiteStore<(\w+), (?!never\b)/g) };
}

/** The features of a service by the table that they write. */
function writersOf(service: string): ReadonlyMap<string, ReadonlySet<string>> {
  const files = below(`apps/${service}`).filter((file) => !MIGRATION.test(file));
  const codes = files.map((file) => ({ feature: file.split('/')[3] ?? '', code: codeOf(file) }));
  const pairs = codes.flatMap(({ code }) => [...code.matchAll(/@Entity\('(\w+)'\)[^]*?\bclass (\w+)/g)]);
  const tableOf = new Map(pairs.map(([, table = '', entity = '']) => [entity, table]));
  const writers = new Map<string, Set<string>>();
  for (const { feature, code } of codes) {
    const { tables, entities } = writtenIn(code);
    for (const table of [...tables, ...entities.flatMap((entity) => tableOf.get(entity) ?? [])])
      writers.set(table, (writers.get(table) ?? new Set()).add(feature));
  }
  return writers;
}

const page = read('docs/tables.md');

/** The rows below a heading of the page, by the table. */
function rowsBelow(heading: string): ReadonlyMap<string, Row> {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const lines = section.matchAll(/^\| `(\w+)` +\| (\S+) +\|(.*)\|$/gm);
  return new Map(
    [...lines].map(([, table = '', owner = '', others = '']) => [
      table,
      { owner, others: others.split(',').flatMap((name) => name.trim() || []) },
    ]),
  );
}

describe.each(SERVICES)('the tables of %s', (service) => {
  const rows = rowsBelow(service);
  const writers = writersOf(service);

  it('lists each table once in docs/tables.md', () => {
    const tables = tablesOf(
      below(`apps/${service}`)
        .filter((file) => MIGRATION.test(file))
        .map(codeOf),
    );
    expect(tables.length).toBeGreaterThan(20);
    expect([...rows.keys()]).toEqual(tables);
  });

  it('names each feature that writes a table, and no other one', () => {
    const found = [...rows.keys()].map((table) => [table, [...(writers.get(table) ?? [])].toSorted()]);
    const expected = [...rows].map(([table, { owner, others }]) => {
      const isFound = writers.get(table)?.has(owner) === true;
      return [table, [...(isFound ? [owner] : []), ...others].toSorted()];
    });
    expect(found).toEqual(expected);
  });

  it('names a folder as the feature of each table', () => {
    const features = new Set(below(`apps/${service}`).map((file) => file.split('/')[3]));
    expect([...rows.values()].filter(({ owner }) => !features.has(owner))).toEqual([]);
  });
});
