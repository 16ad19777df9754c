import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { freePort } from '@lyceum/local';
import { spread } from '../load/ratio.ts';
import { childTime } from './processor-time.ts';
import type { Figure, Proof } from './proof.ts';

const ROOT = join(import.meta.dirname, '../..');
const WARM_STARTS = 5;
const PATIENCE_MS = 600_000;
const MOST_PACKAGES = 700;
const READY = 'Lyceum is ready after';

interface Start {
  readonly seconds: number;
  /** Seconds of processor time of the command and of all programs that it started and that have ended. */
  readonly processor: number;
}

/** `npm start` in a clone of HEAD, from the command to the table: once without anything, then with its own results. */
export const startProof: Proof = {
  name: 'start',
  title: 'npm start of a fresh clone with packages in the cache of npm, and the starts after it',
  obstacle: () => (existsSync('/proc/self/stat') ? undefined : 'The proof reads processor time from /proc of Linux.'),
  run: async (scratch) => {
    const clone = join(scratch, 'clone');
    execFileSync('git', ['clone', '--quiet', '--no-local', '--depth=1', `file://${ROOT}`, clone]);
    const port = String(await freePort());
    const first = await start(clone, port);
    const warm: Start[] = [];
    while (warm.length < WARM_STARTS) warm.push(await start(clone, port));
    const median = (values: readonly number[]): number => spread(values).median;
    const processor = median(warm.map((one) => one.processor));
    const figures: Figure[] = [
      { title: 'first npm start', value: first.seconds, unit: 's', at_most: 45 },
      { title: 'processor time of the first npm start and its stop', value: first.processor, unit: 's' },
      { title: 'later npm start, median', value: median(warm.map((one) => one.seconds)), unit: 's', at_most: 3 },
      { title: 'processor time of a later npm start and its stop, median', value: processor, unit: 's' },
      {
        title: 'packages that the first npm start installs',
        value: packagesIn(clone),
        unit: '',
        at_most: MOST_PACKAGES,
      },
    ];
    return figures;
  },
};

/** Starts the platform and stops it when it is ready. */
async function start(clone: string, port: string): Promise<Start> {
  const before = childTime();
  const began = performance.now();
  const child = spawn('npm', ['start', '--', '--port', port], {
    cwd: clone,
    env: newShell(),
    stdio: ['ignore', 'pipe', 'pipe'],
    // Signals go to npm with its script.
    detached: true,
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  let output = '';
  let seconds = NaN;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (!Number.isNaN(seconds) || !output.includes(READY)) return;
      seconds = (performance.now() - began) / 1_000;
      process.kill(-child.pid!, 'SIGINT');
    });
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  if (Number.isNaN(seconds)) throw new Error(`npm start did not become ready:\n${output.slice(-4_000)}`);
  return { seconds, processor: childTime() - before };
}

/** The environment of a new shell: it may name a registry and certificates, and knows no package. */
function newShell(): NodeJS.ProcessEnv {
  const own = /^(?:npm_(?!config_)|npm_config_(?:local_)?prefix|INIT_CWD|NODE_OPTIONS|CI$)/;
  const PATH = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((directory) => !directory.includes('node_modules') && !directory.includes('node-gyp-bin'))
    .join(delimiter);
  return { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name))), PATH };
}

function packagesIn(clone: string): number {
  const file = join(clone, 'node_modules/.package-lock.json');
  if (!existsSync(file)) return NaN;
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, { link?: boolean }> };
  return Object.values(packages).filter(({ link }) => link !== true).length;
}
