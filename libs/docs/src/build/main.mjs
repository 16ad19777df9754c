/**
 * The build of the package: its TypeScript, the files for browsers with their compressed forms, and the guides. Nothing
 * is compressed or rendered later, and nothing of the npm packages is left to install.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { browserFiles } from './browser-files.mjs';
import { guides } from './guides.mjs';

const home = join(dirname(fileURLToPath(import.meta.url)), '../..');
const dist = join(home, 'dist');

rmSync(dist, { recursive: true, force: true });
mkdirSync(join(dist, 'browser'), { recursive: true });
execFileSync(
  'swc',
  ['src/index.ts', 'src/samples.ts', '-d', 'dist', '--strip-leading-paths', '--config-file', '../../.swcrc', '--quiet'],
  {
    cwd: home,
    stdio: ['ignore', 'ignore', 'inherit'],
  },
);
writeFileSync(join(dist, 'files.json'), JSON.stringify(await browserFiles(home, join(dist, 'browser'))));
writeFileSync(join(dist, 'guides.json'), JSON.stringify(guides(join(home, '../../docs'))));
