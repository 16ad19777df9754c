import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A manifest of the workspace: that of the repository, or of an image, which has the version of the repository. */
interface Manifest {
  readonly version: string;
  readonly workspaces?: unknown;
}

/** @throws Error for a folder outside of a workspace */
export function releaseVersion(folder = dirname(fileURLToPath(import.meta.url))): string {
  const file = join(folder, 'package.json');
  const manifest = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : undefined;
  if (manifest?.workspaces !== undefined) return manifest.version;
  if (dirname(folder) === folder) throw new Error('The service runs outside of its workspace, which has the version');
  return releaseVersion(dirname(folder));
}
