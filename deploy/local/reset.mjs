/** `npm run reset`: deletes the data of `npm start`. Needs no packages. */
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const kept = join(dirname(dirname(here)), '.lyceum');
const lock = join(here, 'dist/instance-lock.js');

if (existsSync(join(kept, 'data')) && existsSync(lock)) {
  const { lockDirectory } = await import(lock);
  const holder = await lockDirectory(join(kept, 'data'), 'npm run reset');
  if (holder !== undefined) {
    process.stderr.write(`Lyceum still runs on .lyceum/data (${holder}). Stop it first.\n`);
    process.exit(1);
  }
}
for (const name of ['data', 'demo.json', 'env']) rmSync(join(kept, name), { recursive: true, force: true });
process.stdout.write('Deleted the data of npm start. The next start creates the demo sites again.\n');
process.exit(0);
