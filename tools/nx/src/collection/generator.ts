import { join } from 'node:path';
import { formatFiles, generateFiles } from '@nx/devkit';
import type { Tree } from '@nx/devkit';
import { nextMigration } from '../migration-files.ts';
import { addExport, addImport, append, readSource } from '../source.ts';
import { articleOf, singularOf, wordsOf } from '../words.ts';

interface Options {
  readonly name: string;
  readonly singular?: string;
  readonly scope?: string;
}

const APP = 'apps/admin-api/src';
const CONTRACTS = 'libs/contracts/src';
const SCOPES = `${CONTRACTS}/identity/scopes.ts`;

export async function collection(tree: Tree, { name, singular, scope: named }: Options): Promise<void> {
  const many = wordsOf(name);
  const one = wordsOf(singular ?? singularOf(name));
  const scope = named ?? many.snake;
  requireScopes(tree, scope);
  for (const taken of [`${APP}/${name}`, `${CONTRACTS}/school/${name}.ts`]) {
    if (tree.exists(taken)) throw new Error(`${taken} exists already`);
  }
  const migration = nextMigration(tree, 'admin-api', many);
  const variables = { one, many, scope, ownScope: scope === many.snake, article: articleOf(name), migration };
  const write = (templates: string, folder: string): void =>
    generateFiles(tree, join(import.meta.dirname, templates), folder, {
      ...variables,
      oneName: one.kebab,
      manyName: many.kebab,
      migrationName: migration.file,
    });
  write('feature', `${APP}/${name}`);
  write('migration', migration.folder);
  write('contract', `${CONTRACTS}/school`);
  addExport(tree, `${CONTRACTS}/school/index.ts`, `export { ${one.camel}Events } from './${name}.js';`);
  const module = `${one.pascal}Module`;
  addImport(tree, `${APP}/collections.ts`, `import { ${module} } from './${name}/${one.kebab}.operations.js';`);
  append(tree, `${APP}/collections.ts`, ['collections'], module);
  await formatFiles(tree);
}

/** The scopes are a closed list of the contract, so a generator adds none. */
function requireScopes(tree: Tree, scope: string): void {
  const text = readSource(tree, SCOPES);
  const missing = [`${scope}:read`, `${scope}:write`].filter((wanted) => !text.includes(`'${wanted}'`));
  if (missing.length === 0) return;
  throw new Error(`${missing.join(' and ')} missing in ${SCOPES}: add them, or name another resource with --scope`);
}
