import { chmodSync, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PlantedRepository } from './planted-repository.js';

let repository: PlantedRepository;
let root: string;
beforeEach(() => {
  repository = new PlantedRepository();
  ({ root } = repository);
});
afterEach(() => repository.remove());

const write: PlantedRepository['write'] = (path, content) => repository.write(path, content);
const evaluate = <T>(expression: string): T => repository.evaluate<T>('build', expression);

describe('the build check', () => {
  const stale = () => evaluate<string[]>('setup.stalePackages(root).map(({ name }) => name)');
  const build = () => evaluate('setup.compileAll(root, setup.stalePackages(root))');

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

  it('deletes what was compiled from a deleted source, which an import would find here alone', () => {
    const script = 'swc src -d dist --strip-leading-paths --config-file ../../.swcrc';
    chmodSync(write('node_modules/.bin/swc', '#!/bin/sh\n'), 0o755);
    for (const file of ['index.js', 'index.js.map', 'deep/gone.js', 'deep/gone.js.map', 'data.json'])
      write(`libs/one/dist/${file}`, '');
    evaluate(`setup.compile(root, ${JSON.stringify({ name: 'libs/one', directory: 'libs/one', script, hash: '' })})`);
    const left = readdirSync(join(root, 'libs/one/dist'), { recursive: true, encoding: 'utf8' });
    expect(new Set(left)).toEqual(new Set(['data.json', 'deep', 'index.js', 'index.js.map']));
  });
});

describe('the check of documents', () => {
  const stale = () => evaluate<string[]>('setup.staleDocuments(root).map(({ name }) => name)');
  const build = () => evaluate('setup.compileAll(root, setup.stalePackages(root), setup.staleDocuments(root))');

  beforeEach(() => {
    write('package.json', { workspaces: ['libs/*'] });
    write('package-lock.json', { packages: {} });
    write('.swcrc', '{}');
    for (const [name, uses] of [
      ['one', ['two']],
      ['two', ['three']],
      ['three', []],
      ['other', []],
    ] as const) {
      const dependencies = Object.fromEntries(uses.map((used) => [used, '*']));
      write(`libs/${name}/package.json`, { name, scripts: { build: 'compile src' }, dependencies });
      write(`libs/${name}/src/index.ts`, 'export {}');
    }
    write('libs/one/package.json', {
      name: 'one',
      scripts: { build: 'compile src', documents: 'describe' },
      dependencies: { two: '*' },
      nx: { targets: { documents: { outputs: ['{workspaceRoot}/dist/one.json'] } } },
    });
    chmodSync(write('node_modules/.bin/compile', '#!/bin/sh\nmkdir -p dist && touch dist/built\n'), 0o755);
    // Fails when the package is not built yet.
    const program = '#!/bin/sh\n[ -e dist/built ] && mkdir -p ../../dist && echo "{}" > ../../dist/one.json\n';
    chmodSync(write('node_modules/.bin/describe', program), 0o755);
  });

  it('selects the documents at first, and nothing after they were made from what was built', () => {
    expect(stale()).toEqual(['one:documents']);
    build();
    expect(readFileSync(join(root, 'dist/one.json'), 'utf8')).toBe('{}\n');
    expect(stale()).toEqual([]);
  });

  it.each([
    ['a source of the package', 'libs/one/src/index.ts', 'export const x = 1'],
    ['a source of a lib that a lib of the package uses', 'libs/three/src/index.ts', 'export const x = 1'],
    ['the lockfile', 'package-lock.json', { packages: { 'node_modules/more': {} } }],
  ])('selects the documents after a change of %s', (_case, file, content) => {
    build();
    write(file, content);
    expect(stale()).toEqual(['one:documents']);
  });

  it('selects nothing after a change of a lib that the package does not use', () => {
    build();
    write('libs/other/src/index.ts', 'export const x = 1');
    expect(stale()).toEqual([]);
  });

  it('selects documents that were deleted', () => {
    build();
    rmSync(join(root, 'dist'), { recursive: true });
    expect(stale()).toEqual(['one:documents']);
  });

  it('selects documents that could not be made', () => {
    write('node_modules/.bin/describe', '#!/bin/sh\nexit 1\n');
    expect(build).toThrow(/describe failed \(exit code 1\)/);
    expect(stale()).toEqual(['one:documents']);
  });

  it('gives a suite the documents of its package and of those that it starts', () => {
    const forSuite = (folder: string) =>
      evaluate<string[]>(`(process.chdir('${folder}'), setup.staleForSuite(root).map(({ name }) => name))`);
    build();
    rmSync(join(root, 'dist'), { recursive: true });
    write('libs/other/package.json', { name: 'other', scripts: {}, nx: { implicitDependencies: ['one'] } });
    expect(forSuite(join(root, 'libs/one'))).toEqual(['one:documents']);
    expect(forSuite(join(root, 'libs/other'))).toEqual(['one:documents']);
    expect(forSuite(join(root, 'libs/two'))).toEqual([]);
  });
});

describe('the check of bundles', () => {
  const stale = () => evaluate<string[]>('setup.staleBundles(root).map(({ name }) => name)');
  const build = () => evaluate('setup.compileAll(root, setup.stalePackages(root), [], setup.staleBundles(root))');
  const bundle = () => join(root, 'apps/one/bundle/main.js');

  beforeEach(() => {
    write('package.json', { workspaces: ['apps/*', 'libs/*'] });
    write('package-lock.json', { packages: {} });
    write('.swcrc', '{}');
    write('docker/bundle.mjs', '');
    const scripts = { build: 'compile src', bundle: 'node ../../docker/bundle.mjs .' };
    write('apps/one/package.json', { name: 'one', scripts, dependencies: { two: '*' } });
    write('apps/one/src/main.ts', 'export {}');
    write('libs/two/package.json', { name: 'two', scripts: { build: 'compile src' } });
    write('libs/two/src/index.ts', 'export {}');
    chmodSync(write('node_modules/.bin/compile', '#!/bin/sh\nmkdir -p dist && touch dist/built\n'), 0o755);
    // Fails when the service is not built yet.
    const program = '#!/bin/sh\n[ -e "$2/dist/built" ] && mkdir -p "$2/bundle" && touch "$2/bundle/main.js"\n';
    chmodSync(write('node_modules/.bin/node', program), 0o755);
  });

  it('selects the service at first, and nothing after its bundle was made from what was built', () => {
    expect(stale()).toEqual(['one:bundle']);
    build();
    expect(existsSync(bundle())).toBe(true);
    expect(stale()).toEqual([]);
  });

  it.each([
    ['a source of the service', 'apps/one/src/main.ts', 'export const x = 1'],
    ['a source of a lib', 'libs/two/src/index.ts', 'export const x = 1'],
    ['the lockfile', 'package-lock.json', { packages: { 'node_modules/more': {} } }],
    ['the program that bundles', 'docker/bundle.mjs', 'export {}'],
  ])('selects the service after a change of %s, and can drop its bundle', (_case, file, content) => {
    build();
    evaluate('setup.dropStaleBundles(root)');
    expect(existsSync(bundle())).toBe(true);
    write(file, content);
    expect(stale()).toEqual(['one:bundle']);
    evaluate('setup.dropStaleBundles(root)');
    expect(existsSync(bundle())).toBe(false);
  });

  it('selects a service whose shared parts were deleted, and keeps one without any', () => {
    build();
    write('apps/one/bundle/main.js', 'import "../../../dist/bundle/parts/part.x.js";');
    expect(stale()).toEqual(['one:bundle']);
    write('dist/bundle/parts/part.x.js', '');
    expect(stale()).toEqual([]);
  });
});
