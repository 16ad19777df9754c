import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { currentPlatform, missingPostgres, postgresPackage } from '../setup/servers.mjs';

export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

/** Where the npm package of this platform keeps PostgreSQL. */
export function embeddedPostgres(): PostgresPrograms {
  let root: string;
  try {
    root = dirname(dirname(createRequire(import.meta.filename).resolve(postgresPackage(currentPlatform()))));
  } catch {
    throw new Error(missingPostgres(currentPlatform()));
  }
  hydrateSymlinks(root);
  return { initdb: join(root, 'native/bin/initdb'), postgres: join(root, 'native/bin/postgres') };
}

/**
 * npm packs no symbolic links: the package lists them and makes them in its postinstall script, which npm may not have
 * been allowed to run. Without them the programs do not find their libraries.
 */
function hydrateSymlinks(root: string): void {
  const list = join(root, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = resolve(root, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(resolve(root, source).slice(dirname(resolve(root, source)).length + 1), link);
    } catch (error) {
      // Somebody else may just have made it; a package that we cannot write to is a fault that has to be named.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
