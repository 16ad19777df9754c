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

describe('whether packages must be installed', () => {
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

  it('is no when all that the lockfile names is there, but for what is optional', () => {
    expect(fault()).toBeNull();
  });

  it('is yes on a fresh clone', () => {
    rmSync(join(root, 'node_modules'), { recursive: true });
    expect(fault()).toBe('Node 24 is missing');
  });

  it('is yes when no record of the installation exists', () => {
    rmSync(join(root, 'node_modules/.package-lock.json'));
    expect(fault()).toBe('no packages are installed');
  });

  it('is yes when the lockfile names a package more, also a nested one', () => {
    const { 'node_modules/one/node_modules/deep': _, ...rest } = installed.packages;
    write('node_modules/.package-lock.json', { packages: rest });
    expect(fault()).toBe('node_modules/one/node_modules/deep is missing');
  });

  it.each([{ version: '1.0.1' }, { integrity: 'sha512-changed' }])(
    'is yes when the lockfile says %p of one',
    (change) => {
      const one = { ...lock.packages['node_modules/one'], ...change };
      write('package-lock.json', { packages: { ...lock.packages, 'node_modules/one': one } });
      expect(fault()).toBe('node_modules/one is another version');
    },
  );

  it('is no after an installation from this lockfile, and yes after the lockfile changed', () => {
    const nothing = JSON.stringify({ packages: {} });
    const hash = createHash('sha256').update(JSON.stringify(lock)).update(nothing).digest('hex');
    write('node_modules/.package-lock.json', nothing);
    write('node_modules/.lyceum-lockfile', hash);
    expect(fault()).toBeNull();
    write('package-lock.json', { packages: { ...lock.packages, 'node_modules/more': { version: '1.0.0' } } });
    expect(fault()).toBe('node_modules/one is missing');
  });

  it('is yes when the install script that brings Node 24 did not run', () => {
    rmSync(join(root, 'node_modules/.bin/node'));
    expect(fault()).toBe('Node 24 is missing');
  });
});

describe('what must be built', () => {
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

  it('is everything at first, and nothing after that', () => {
    expect(stale()).toEqual(['libs/one', 'libs/two', 'deploy/local']);
    build();
    expect(stale()).toEqual([]);
  });

  it.each([
    ['a source changes', 'libs/one/src/index.ts', 'export const x = 1'],
    ['a source is added', 'libs/one/src/deep/more.ts', ''],
  ])('is the one package in which %s', (_case, file, content) => {
    build();
    write(file, content);
    expect(stale()).toEqual(['libs/one']);
  });

  it('is nothing when only a test changes', () => {
    build();
    write('libs/one/src/index.spec.ts', 'it');
    expect(stale()).toEqual([]);
  });

  it('is what lost its output', () => {
    build();
    rmSync(join(root, 'libs/two/dist'), { recursive: true });
    expect(stale()).toEqual(['libs/two']);
  });

  it('is what failed to build', () => {
    write('node_modules/.bin/compile', '#!/bin/sh\nexit 1\n');
    expect(build).toThrow(/compile src failed \(exit code 1\)/);
    expect(stale()).toHaveLength(3);
  });
});
