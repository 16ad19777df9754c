import { join } from 'node:path';
import { formatFiles, generateFiles } from '@nx/devkit';
import type { Tree } from '@nx/devkit';
import { nextMigration, registerMigration } from '../migration-files.ts';
import { addImport, append, readSource } from '../source.ts';
import { articleOf, singularOf, wordsOf } from '../words.ts';
import { columnsOf } from './columns.ts';
import type { Column } from './columns.ts';

interface Options {
  readonly name: string;
  readonly singular?: string;
  readonly events?: string;
}

const APP = 'apps/member-api/src';
const CONTRACTS = 'libs/contracts/src';
const DUTIES = `${CONTRACTS}/topology/duties.ts`;

export async function consumer(tree: Tree, { name, singular, events: named }: Options): Promise<void> {
  const many = wordsOf(name);
  const one = wordsOf(singular ?? singularOf(name));
  const events = named ?? `${one.camel}Events`;
  const contract = contractOf(tree, events);
  if (tree.exists(`${APP}/${name}`)) throw new Error(`${APP}/${name} exists already`);
  const migration = nextMigration(tree, 'member-api', many);
  const known = columnsOf(tree, `${CONTRACTS}/${contract.file}`, events);
  const isOfPeople = known.some(({ name: member, nullable }) => member === 'person_id' && nullable);
  // The read model has no rows of unknown people.
  const columns = known.map((column) => (column.name === 'person_id' ? { ...column, nullable: false } : column));
  const key = keyOf(columns, one.snake);
  const row = { columns, isOfPeople, key };
  const names = { article: articleOf(one.plain), manyName: name, migrationName: migration.file };
  const variables = { one, many, events, migration, ...row, ...names };
  generateFiles(tree, join(import.meta.dirname, 'feature'), `${APP}/${name}`, variables);
  generateFiles(tree, join(import.meta.dirname, 'migration'), migration.folder, variables);
  registerMigration(tree, 'member-api', migration);
  const module = `${many.pascal}Module`;
  addImport(tree, `${APP}/member-api.module.ts`, `import { ${module} } from './${name}/${name}.module.js';`);
  append(tree, `${APP}/member-api.module.ts`, ['imports'], module);
  addDuty(tree, { reader: name, events, contract });
  await formatFiles(tree);
}

/** The id of the entity: the member with its name, otherwise the first one. */
function keyOf(columns: readonly Column[], one: string): string {
  const [first] = columns;
  if (first === undefined) throw new Error(`The events of ${one} have no data`);
  return columns.find(({ name }) => name === `${one}_id`)?.name ?? first.name;
}

interface Contract {
  /** Path below the folder of the contracts. */
  readonly file: string;
  readonly context: string;
}

/** The file that defines the events, and the context that owns them. */
function contractOf(tree: Tree, events: string): Contract {
  const definition = new RegExp(`export const ${events} = defineEntityEvents\\(\\{\\s*context: '(\\w+)'`);
  for (const file of contractFiles(tree)) {
    const context = definition.exec(readSource(tree, `${CONTRACTS}/${file}`))?.[1];
    if (context !== undefined) return { file, context };
  }
  throw new Error(`${CONTRACTS} defines no ${events}`);
}

function contractFiles(tree: Tree): string[] {
  const folders = tree.children(CONTRACTS).filter((name) => !tree.isFile(`${CONTRACTS}/${name}`));
  return folders.flatMap((folder) => tree.children(`${CONTRACTS}/${folder}`).map((file) => `${folder}/${file}`));
}

/** The consumer and its permissions on NATS follow from the duty of the service. */
function addDuty(
  tree: Tree,
  { reader, events, contract }: { readonly reader: string; readonly events: string; readonly contract: Contract },
): void {
  const { file, context } = contract;
  const text = readSource(tree, DUTIES);
  if (!new RegExp(`\\b${events}\\b`).test(text)) {
    addImport(tree, DUTIES, `import { ${events} } from '../${file.replace(/ts$/, 'js')}';`);
  }
  const stream = new RegExp(`context: '${context}', stream: '(\\w+)'`).exec(text)?.[1];
  if (stream === undefined) throw new Error(`${DUTIES} has no stream of the context ${context}`);
  append(tree, DUTIES, ['DUTIES', 'member-api', 'reads', stream], `'${reader}': [${events}]`);
}
