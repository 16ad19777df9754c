import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlantedRepository } from './planted-repository.js';

const REGISTRY = 'https://registry.example/npm';

let repository: PlantedRepository;
beforeEach(() => {
  repository = new PlantedRepository();
  const write: PlantedRepository['write'] = (path, content) => repository.write(path, content);
  const peer = { peerDependencies: { peer: '1', tool: '1' }, peerDependenciesMeta: { tool: { optional: true } } };
  write('package.json', {
    name: 'planted',
    version: '0.1.0',
    workspaces: ['libs/*', 'test'],
    dependencies: { node: '24' },
    devDependencies: { tool: '1' },
    allowScripts: { node: true, tool: false },
    overrides: { deep: { tool: '$tool' }, served: { deep: 'npm:empty@1.0.0' } },
  });
  write('libs/one/package.json', {
    name: '@planted/one',
    scripts: { build: 'swc' },
    dependencies: { served: '1', '@planted/two': '*' },
    devDependencies: { tool: '1' },
  });
  write('libs/two/package.json', { name: '@planted/two', scripts: { build: 'swc' }, dependencies: { deep: '3' } });
  write('test/package.json', { name: '@planted/test', optionalDependencies: { browser: '1' } });
  const entry = (version: string, more: object = {}) => ({ version, integrity: `sha512-${version}`, ...more });
  write('package-lock.json', {
    lockfileVersion: 3,
    packages: {
      '': { devDependencies: { tool: '1' } },
      'libs/one': {},
      'libs/two': {},
      test: { optionalDependencies: { browser: '1' } },
      'node_modules/@planted/one': { resolved: 'libs/one', link: true },
      'node_modules/@planted/two': { resolved: 'libs/two', link: true },
      'node_modules/@planted/test': { resolved: 'test', link: true },
      'node_modules/browser': entry('1.0.0', { optional: true }),
      'node_modules/node': entry('24.0.0'),
      'node_modules/served': entry('1.0.0', { dependencies: { deep: '2', '@scope/name': '1' }, ...peer }),
      'node_modules/served/node_modules/deep': entry('2.0.0', { name: 'empty' }),
      'node_modules/@scope/name': entry('1.2.0', { engines: { node: '>=24' }, dependencies: { deep: '1' } }),
      'node_modules/deep': entry('1.0.0', { optionalDependencies: { native: '1', absent: '1' } }),
      'node_modules/native': entry('1.0.0', { optional: true, os: ['linux'] }),
      'libs/two/node_modules/deep': entry('3.0.0'),
      'node_modules/peer': entry('1.0.0', { peer: true }),
      'node_modules/tool': entry('1.0.0', { devOptional: true }),
      'node_modules/checks': entry('1.0.0', { dev: true }),
    },
  });
});
afterEach(() => repository.remove());

interface Written {
  readonly packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const target = (): string => join(repository.root, '.lyceum/install');
const written = <T>(file: string): T => JSON.parse(readFileSync(join(target(), file), 'utf8')) as T;
const writeStart = () =>
  repository.evaluate<string[]>(
    'start-manifests',
    `setup.writeStartManifests(root, ${JSON.stringify(target())}, '${REGISTRY}')`,
  );

describe('the manifests of a start', () => {
  it('lists the packages that built code needs, and none of tests or of optional peers', () => {
    expect(writeStart()).toEqual(['libs/one', 'libs/two', 'test']);
    const paths = Object.keys(written<Written>('package-lock.json').packages);
    expect(paths.toSorted()).toEqual(
      [
        '',
        'libs/one',
        'libs/two',
        'libs/two/node_modules/deep',
        'node_modules/@planted/one',
        'node_modules/@planted/test',
        'node_modules/@planted/two',
        'node_modules/@scope/name',
        'node_modules/deep',
        'node_modules/native',
        'node_modules/node',
        'node_modules/peer',
        'node_modules/served',
        'node_modules/served/node_modules/deep',
        'test',
      ].toSorted(),
    );
  });

  it('gives each package its address in the registry, and takes its engines away', () => {
    writeStart();
    const { packages } = written<Written>('package-lock.json');
    expect(packages['node_modules/@scope/name']).toEqual({
      version: '1.2.0',
      integrity: 'sha512-1.2.0',
      dependencies: { deep: '1' },
      resolved: `${REGISTRY}/@scope/name/-/name-1.2.0.tgz`,
    });
    expect(packages['node_modules/served/node_modules/deep']).toMatchObject({
      resolved: `${REGISTRY}/empty/-/empty-2.0.0.tgz`,
    });
    expect(packages['node_modules/@planted/one']).toEqual({ resolved: 'libs/one', link: true });
  });

  it('leaves out development dependencies, and keeps the overrides and scripts of what is left', () => {
    writeStart();
    expect(written('package.json')).toEqual({
      name: 'planted',
      version: '0.1.0',
      private: true,
      workspaces: ['libs/*', 'test'],
      dependencies: { node: '24' },
      overrides: { served: { deep: 'npm:empty@1.0.0' } },
      allowScripts: { node: true },
    });
    expect(written('libs/one/package.json')).toEqual({
      name: '@planted/one',
      dependencies: { served: '1', '@planted/two': '*' },
    });
    expect(written('test/package.json')).toEqual({ name: '@planted/test' });
  });

  it('copies the settings of npm of the repository', () => {
    writeStart();
    expect(existsSync(join(target(), '.npmrc'))).toBe(false);
    repository.write('.npmrc', 'fund=false\n');
    writeStart();
    expect(readFileSync(join(target(), '.npmrc'), 'utf8')).toBe('fund=false\n');
  });
});
