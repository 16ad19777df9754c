import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The root of the repository. */
export const WORKSPACE = dirname(dirname(dirname(import.meta.dirname)));

/** Node 24, independent of the Node that runs this process. */
export const NODE = join(WORKSPACE, 'node_modules/.bin/node');

export function entryPoint(service: string): string {
  return join(WORKSPACE, 'apps', service, 'dist/main.js');
}

export function isBuilt(service: string): boolean {
  return existsSync(entryPoint(service));
}

/** Changes with the built code of a service and of the libs that it uses: what the same code has migrated need not be again. */
export function builtHash(service: string): string {
  const hash = createHash('sha256');
  const manifest = readFileSync(join(WORKSPACE, 'apps', service, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  const libs = Object.keys(dependencies).filter((name) => name.startsWith('@lyceum/'));
  for (const directory of [`apps/${service}`, ...libs.sort().map((name) => name.replace('@lyceum/', 'libs/'))]) {
    const dist = join(WORKSPACE, directory, 'dist');
    if (!existsSync(dist)) continue;
    for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }).sort()) {
      if (name.endsWith('.js')) hash.update(name).update(readFileSync(join(dist, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
