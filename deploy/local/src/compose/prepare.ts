import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Secrets } from '../secrets.js';
import { DATABASES } from '../services.js';
import { databasePassword, secretFiles, type Addresses } from './settings.js';

/** The user of the images. */
const UID = 10_001;

/** All secrets, for the programs that provision databases and the demo. */
export function secretsIn(directory: string): Secrets {
  return new Secrets(join(directory, 'platform/secrets.json'));
}

/**
 * Makes the secrets that are missing, writes each container its own, and hands the folders of data to the user of the
 * images: a new volume belongs to root.
 */
export function prepare(directory: string, addresses: Addresses, folders: readonly string[]): void {
  const secrets = secretsIn(directory);
  for (const role of Object.values(DATABASES)) databasePassword(secrets, role);
  for (const [container, files] of Object.entries(secretFiles(secrets, addresses))) {
    mkdirSync(join(directory, container), { recursive: true });
    for (const [name, content] of Object.entries(files)) {
      const file = join(directory, container, name);
      if (existsSync(file)) chmodSync(file, 0o644);
      // The users of PostgreSQL, NATS and the services differ. No other container mounts the folder.
      writeFileSync(file, content);
      chmodSync(file, 0o444);
    }
  }
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  if (process.getuid?.() !== 0) return;
  for (const path of [...folders, join(directory, 'platform/secrets.json')]) chownSync(path, UID, UID);
}
