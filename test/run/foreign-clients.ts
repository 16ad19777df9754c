import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { clientPackages, type Lockfile } from './client-packages.ts';

/** The group of the system suites that has the foreign clients. */
export const CLIENTS_TARGET = 'test-clients';
/** The last whole run of the foreign clients, which `npm run test:long -- clients` writes. */
export const CLIENTS_PROOF = 'docs/proofs/clients.json';
/** `LYCEUM_TEST_CLIENTS=all` runs the foreign clients in every case. */
export const CLIENTS_VARIABLE = 'LYCEUM_TEST_CLIENTS';

/** Suites of `test/clients` about our own surfaces. They run always; all others are of foreign clients and recipes. */
export const OWN_SUITES = [
  'graphql-http',
  'prism',
  'read-tools',
  'served-document',
  'tool-lists',
  'trailing-slash',
].map((name) => `test/clients/${name}.spec.ts`);

/** Everything that a foreign client meets: the built documents, the recipes, their suites and their packages. */
const DOCUMENTS = ['dist/openapi.json', 'dist/schema.graphql', 'dist/tools.json'];
const FOLDERS = ['docs/clients', 'test/clients'];

/** A hash by surface. */
export type ClientSurfaces = Readonly<Record<string, string>>;

/** The parts of the file of the proof that decide whether the foreign clients run. */
interface LastRun {
  readonly state: string;
  readonly date: string;
  readonly surfaces?: ClientSurfaces;
}

export interface ClientsPlan {
  /** Suites that do not run, relative to the root. */
  readonly leftOut: readonly string[];
  /** One line for the output of the run. */
  readonly line: string;
}

export function clientSurfaces(root: string): ClientSurfaces {
  const filesOf = (folder: string): string[] =>
    globSync(`${folder}/**/*`, { cwd: root }).filter((file) => statSync(join(root, file)).isFile());
  const hashed = [
    ...DOCUMENTS.map((file) => [file, [file]] as const),
    ...FOLDERS.map((name) => [name, filesOf(name)] as const),
  ];
  return {
    ...Object.fromEntries(hashed.map(([name, files]) => [name, hashOfFiles(root, files)])),
    packages: hash(clientPackages(lockfileOf(root), textsOf(root, FOLDERS.flatMap(filesOf)))),
  };
}

/** The foreign clients run unless their last whole run passed with the same surfaces. */
export function planClients(root: string, environment: NodeJS.ProcessEnv = process.env): ClientsPlan {
  if (environment[CLIENTS_VARIABLE] === 'all') return { leftOut: [], line: 'clients: all run' };
  const last = lastRun(root);
  if (last?.state !== 'passed') return { leftOut: [], line: 'clients: no whole run has passed, all run' };
  const day = last.date.slice(0, 10);
  const now = clientSurfaces(root);
  const names = new Set([...Object.keys(now), ...Object.keys(last.surfaces ?? {})]);
  const different = [...names].filter((name) => now[name] !== last.surfaces?.[name]);
  if (different.length > 0)
    return { leftOut: [], line: `clients: other surfaces than the run of ${day} (${different.join(', ')}), all run` };
  return { leftOut: foreignSuites(root), line: `clients: same surfaces as the run of ${day}, not run` };
}

export function foreignSuites(root: string): string[] {
  return globSync('test/clients/**/*.spec.ts', { cwd: root })
    .filter((suite) => !OWN_SUITES.includes(suite))
    .toSorted();
}

function lastRun(root: string): LastRun | undefined {
  const file = join(root, CLIENTS_PROOF);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as LastRun) : undefined;
}

function lockfileOf(root: string): Lockfile {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile;
}

function textsOf(root: string, files: readonly string[]): string {
  return files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
}

/** A document that is not built is like an empty one. */
function hashOfFiles(root: string, files: readonly string[]): string {
  return hash(
    files.toSorted().map((file) => {
      const path = join(root, file);
      return `${file} ${existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : ''}`;
    }),
  );
}

function hash(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
