import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { NODE, WORKSPACE } from './workspace.js';

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'lyceum-setup-'))));
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, content: unknown): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** Runs an expression over the scripts of the set-up, as npm runs them: outside of Jest. */
function evaluate<T>(module: 'install' | 'build', expression: string): T {
  const script = `import * as setup from '${join(WORKSPACE, 'deploy/local/setup', module)}.mjs';
    const root = ${JSON.stringify(root)};
    console.log(JSON.stringify((await (${expression})) ?? null));`;
  return JSON.parse(
    execFileSync(NODE, ['--input-type=module', '-e', script], { encoding: 'utf8', stdio: 'pipe' }),
  ) as T;
}

describe('the installation check', () => {
  const lock = {
    packages: {
      '': {},
      'node_modules/one': { version: '1.0.0', integrity: 'sha512-one' },
      'node_modules/one/node_modules/deep': { version: '2.0.0', integrity: 'sha512-deep' },
      'node_modules/for-another-platform': { version: '1.0.0', integrity: 'sha512-other', optional: true },
      'libs/own': { version: '0.1.0' },
    },
  };
  const installed = {
    packages: {
      'node_modules/one': lock.packages['node_modules/one'],
      'node_modules/one/node_modules/deep': lock.packages['node_modules/one/node_modules/deep'],
    },
  };
  const fault = () => evaluate<string | null>('install', 'setup.installFault(root)');

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

  it.each([{ version: '1.0.1' }, { integrity: 'sha512-changed' }])(
    'requests an installation when a package changes to %p',
    (change) => {
      const one = { ...lock.packages['node_modules/one'], ...change };
      write('package-lock.json', { packages: { ...lock.packages, 'node_modules/one': one } });
      expect(fault()).toBe('node_modules/one is another version');
    },
  );

  it('passes after an installation, and fails after a change of the lockfile', () => {
    const nothing = JSON.stringify({ packages: {} });
    const hash = createHash('sha256').update(JSON.stringify(lock)).update(nothing).digest('hex');
    write('node_modules/.package-lock.json', nothing);
    write('node_modules/.lyceum-lockfile', hash);
    expect(fault()).toBeNull();
    write('package-lock.json', { packages: { ...lock.packages, 'node_modules/more': { version: '1.0.0' } } });
    expect(fault()).toBe('node_modules/one is missing');
  });

  it('requests an installation when the install script of Node 24 did not run', () => {
    rmSync(join(root, 'node_modules/.bin/node'));
    expect(fault()).toBe('Node 24 is missing');
  });
});

describe('the build check', () => {
  const stale = () => evaluate<string[]>('build', 'setup.stalePackages(root).map(({ name }) => name)');
  const build = () =>
    evaluate(
      'build',
      '(async () => { for (const stale of setup.stalePackages(root)) await setup.compile(root, stale); })()',
    );

  beforeEach(() => {
    write('package.json', { workspaces: ['libs/*', 'deploy/local'] });
    write('.swcrc', '{}');
    for (const directory of ['libs/one', 'libs/two', 'deploy/local']) {
      write(`${directory}/package.json`, { name: directory, scripts: { build: 'compile src' } });
      write(`${directory}/src/index.ts`, 'export {}');
    }
    write('libs/no-sources/package.json', { name: 'no-sources', scripts: { build: 'compile src' } });
    chmodSync(write('node_modules/.bin/compile', '#!/bin/sh\nmkdir -p dist\n'), 0o755);
  });

  it('selects everything at first, and nothing afterwards', () => {
    expect(stale()).toEqual(['libs/one', 'libs/two', 'deploy/local']);
    build();
    expect(stale()).toEqual([]);
  });

  it.each([
    ['a source changes', 'libs/one/src/index.ts', 'export const x = 1'],
    ['a source is added', 'libs/one/src/deep/more.ts', ''],
  ])('selects the one package in which %s', (_case, file, content) => {
    build();
    write(file, content);
    expect(stale()).toEqual(['libs/one']);
  });

  it('selects nothing when only a test changes', () => {
    build();
    write('libs/one/src/index.spec.ts', 'it');
    expect(stale()).toEqual([]);
  });

  it('selects packages without output', () => {
    build();
    rmSync(join(root, 'libs/two/dist'), { recursive: true });
    expect(stale()).toEqual(['libs/two']);
  });

  it('selects packages that failed to build', () => {
    write('node_modules/.bin/compile', '#!/bin/sh\nexit 1\n');
    expect(build).toThrow(/compile src failed \(exit code 1\)/);
    expect(stale()).toHaveLength(3);
  });
});
