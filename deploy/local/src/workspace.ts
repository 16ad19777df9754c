import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The root of the repository. */
export const WORKSPACE = dirname(dirname(dirname(import.meta.dirname)));

/** Node 24, whatever runs us. */
export const NODE = join(WORKSPACE, 'node_modules/.bin/node');

export function entryPoint(service: string): string {
  return join(WORKSPACE, 'apps', service, 'dist/main.js');
}

export function isBuilt(service: string): boolean {
  return existsSync(entryPoint(service));
}

/** Changes with the built code of a service and of the libs: what was migrated or seeded by the same code need not be again. */
export function builtHash(service: string): string {
  const hash = createHash('sha256');
  const libs = readdirSync(join(WORKSPACE, 'libs')).sort();
  for (const directory of [`apps/${service}`, ...libs.map((name) => `libs/${name}`)]) {
    const dist = join(WORKSPACE, directory, 'dist');
    if (!existsSync(dist)) continue;
    for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }).sort()) {
      if (name.endsWith('.js')) hash.update(name).update(readFileSync(join(dist, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
