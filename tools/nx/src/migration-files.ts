import type { Tree } from '@nx/devkit';
import { addImport, append } from './source.ts';
import type { Words } from './words.ts';

export type Service = 'admin-api' | 'auth' | 'member-api';

interface Place {
  readonly folder: string;
  readonly ending: string;
  /** The file that lists the migrations of the service, with the way to them from there. */
  readonly list: string;
  readonly from: string;
}

const PLACES: Readonly<Record<Service, Place>> = {
  'admin-api': { folder: 'src/migrations', ending: '.ts', list: 'src/database.ts', from: './migrations' },
  auth: { folder: 'src/database', ending: '.migration.ts', list: 'src/database/migrations.ts', from: '.' },
  'member-api': { folder: 'src/migrations', ending: '.ts', list: 'src/migrations/migrations.ts', from: '.' },
};

/** A migration has the time in its name: it runs after those that exist. */
export interface MigrationName {
  /** The name of the class: `Coupons1763683200000`. */
  readonly type: string;
  /** Without its ending: `1763683200000-coupons`. */
  readonly file: string;
  readonly folder: string;
  readonly ending: string;
}

export function nextMigration(tree: Tree, service: Service, { pascal, kebab }: Words): MigrationName {
  const { folder, ending } = PLACES[service];
  const path = `apps/${service}/${folder}`;
  const times = tree.children(path).map((file) => Number.parseInt(file, 10));
  const time = Math.max(Date.now(), ...times.filter(Number.isFinite).map((known) => known + 1));
  return { type: `${pascal}${time}`, file: `${time}-${kebab}`, folder: path, ending };
}

/** Adds the migration to the list of its service. */
export function registerMigration(tree: Tree, service: Service, { type, file, ending }: MigrationName): void {
  const { list, from } = PLACES[service];
  const path = `apps/${service}/${list}`;
  addImport(tree, path, `import { ${type} } from '${from}/${file}${ending.replace(/ts$/, 'js')}';`);
  append(tree, path, ['migrations'], type);
}
