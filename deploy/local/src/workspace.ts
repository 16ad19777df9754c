import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The root of the repository. */
export const WORKSPACE = dirname(dirname(dirname(import.meta.dirname)));

/** Node 24, independent of the Node that runs this process. */
export const NODE = join(WORKSPACE, 'node_modules/.bin/node');

/**
 * The file that starts a service: its bundle (ADR 185). A service whose sources have changed since the set-up has none,
 * and neither has a release before bundles: these start from their modules.
 */
export function entryPoint(service: string, root = WORKSPACE): string {
  const files = ['bundle/main.js', 'dist/main.js'].map((file) => join(root, 'apps', service, file));
  return files.find((file) => existsSync(file)) ?? files[0]!;
}

export function isBuilt(service: string): boolean {
  return existsSync(entryPoint(service));
}

/**
 * Digest of the built code of a service and its libs. Unchanged code needs no second migration. Services that are asked
 * for together share the digests of their libs.
 */
export function builtHash(service: string, root = WORKSPACE, digests = new Map<string, string>()): string {
  const hash = createHash('sha256');
  const manifest = readFileSync(join(root, 'apps', service, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  const libs = Object.keys(dependencies).filter((name) => name.startsWith('@lyceum/'));
  for (const directory of [`apps/${service}`, ...libs.sort().map((name) => name.replace('@lyceum/', 'libs/'))]) {
    const dist = join(root, directory, 'dist');
    if (!digests.has(dist)) digests.set(dist, digestOf(dist));
    hash.update(digests.get(dist) ?? '');
  }
  return hash.digest('hex').slice(0, 16);
}

function digestOf(dist: string): string {
  const hash = createHash('sha256');
  const files = existsSync(dist) ? readdirSync(dist, { recursive: true, encoding: 'utf8' }) : [];
  for (const name of files.sort()) if (name.endsWith('.js')) hash.update(name).update(readFileSync(join(dist, name)));
  return hash.digest('hex');
}
