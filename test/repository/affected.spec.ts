import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { listSuites, testPackages } from '../run/results.js';
import { nxFacts, ROOT } from './nx.js';

const EVERYTHING = ['libs', 'apps', 'deploy', 'tools']
  .flatMap((parent) => readdirSync(join(ROOT, parent)).map((name) => join(ROOT, parent, name)))
  .filter((directory) => existsSync(join(directory, 'jest.config.mjs')))
  .map((directory) => directory.split('/').at(-1)!)
  .concat('system-test');

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);

/** Names of packages, without their common scope. */
const plain = (names: readonly string[]): string[] => names.map((name) => name.replace('@lyceum/', '')).toSorted();

const all = EVERYTHING.toSorted();
const but = (...names: string[]): string[] => all.filter((name) => !names.includes(name));

const AFFECTED: readonly (readonly [string, readonly string[]])[] = [
  ['libs/mail/src/index.ts', ['admin-api', 'auth', 'mail', 'member-api', 'nx', 'system-test']],
  ['libs/contracts/src/index.ts', but('docs', 'errors')],
  ['apps/auth/src/main.ts', ['admin-api', 'auth', 'member-api', 'system-test']],
  ['deploy/local/src/nats.ts', but('contracts', 'docs', 'errors')],
  ['deploy/prometheus/alerts.yaml', ['system-test']],
  ['docs/tools.md', ['mcp-gateway', 'system-test']],
  ['jest.preset.mjs', all],
  ['package-lock.json', all],
];

/** Folders and files that only the rules of the repository read. */
const UNREAD = ['adr/', 'how-to/', 'images/', 'proofs/', 'screenshots/', 'glossary.md', 'performance.md']
  .map((page) => `docs/${page}`)
  .concat('docs/compatibility.md', 'CODEOWNERS', 'CONTRIBUTING.md');

/** Files outside of its package that each spec reads. */
const outside = /(?:(?:\.\.\/){3}|join\(WORKSPACE, ')([\w./-]+)'/g;
const reads = git('ls-files', 'apps/*.spec.ts', 'libs/*.spec.ts', 'deploy/*.spec.ts').flatMap((spec) => {
  const home = spec.split('/').slice(0, 2).join('/');
  return [...readFileSync(join(ROOT, spec), 'utf8').matchAll(outside)]
    .map(([, path = '']) => ({ project: home.split('/')[1]!, home, path }))
    .filter(({ path }) => !path.startsWith(home) && git('ls-files', path).length > 0);
});
const readers = [...new Set(reads.map(({ project }) => project))];

const task = (name: string): string => `@lyceum/${name}:test`;
/** The groups of the system suites. */
const groups = testPackages(ROOT).flatMap((tested) => {
  if (tested.group === undefined) return [];
  return [{ ...tested.group, suites: listSuites(ROOT, tested), task: `${tested.name}:${tested.group.target}` }];
});
const { affected, dependencies, inputs, tasks } = nxFacts({
  affected: AFFECTED.map(([file]) => file),
  inputs: [...['admin-api', ...readers].map(task), ...groups.map((group) => group.task)],
});

describe('nx affected -t test', () => {
  it.each(AFFECTED)('runs the suites that %s can break', (file, packages) => {
    expect(plain(affected[file] ?? [])).toEqual(packages);
  });
});

describe('the Nx targets', () => {
  /** All tasks that a task depends on, directly or not. */
  function before(later: string, seen = new Set<string>()): Set<string> {
    for (const earlier of tasks.dependencies[later] ?? []) {
      if (seen.has(earlier)) continue;
      seen.add(earlier);
      before(earlier, seen);
    }
    return seen;
  }

  const configurations = EVERYTHING.map((name) => {
    const [home] = ['libs', 'apps', 'deploy', 'tools'].filter((parent) => existsSync(join(ROOT, parent, name)));
    const file = join(ROOT, home === undefined ? 'test' : join(home, name), 'jest.config.mjs');
    return { name, text: readFileSync(file, 'utf8') };
  });
  const using = (call: string): string[] =>
    configurations.filter(({ text }) => text.includes(call)).map(({ name }) => name);

  it('builds everything that a package uses before the package itself', () => {
    for (const [build, earlier] of Object.entries(tasks.dependencies)) {
      if (!build.endsWith(':build')) continue;
      const used = dependencies[build.replace(':build', '')]!.map(({ target }) => target);
      expect(earlier).toEqual(
        expect.arrayContaining(used.filter((name) => `${name}:build` in tasks.tasks).map((name) => `${name}:build`)),
      );
    }
  });

  it.each([
    ['infrastructure(', ['local', 'testing', 'topology']],
    ['auth: true', ['auth', 'local', 'mail', 'testing', 'topology']],
    ['wholeSystem(', ['admin-api', 'auth', 'local', 'mcp-gateway', 'member-api', 'testing', 'topology']],
  ])('builds the servers of the suites that need them with %s', (call, servers) => {
    const suites = using(call);
    expect(suites.length).toBeGreaterThan(0);
    for (const suite of suites) {
      const earlier = [...before(task(suite))];
      expect(earlier).toEqual(expect.arrayContaining(servers.map((name) => `@lyceum/${name}:build`)));
    }
  });

  it.each([
    ['admin-api', ['admin-api']],
    ['member-api', ['member-api']],
    ['system-test', ['admin-api', 'member-api']],
  ])('makes the documents that the suites of %s read, from what is built', (suite, services) => {
    const earlier = [...before(task(suite))].filter((name) => name.endsWith(':documents'));
    expect(plain(earlier)).toEqual(services.map((name) => `${name}:documents`));
    for (const name of services) {
      const used = [...before(`@lyceum/${name}:documents`)];
      expect(used).toEqual(expect.arrayContaining([`@lyceum/${name}:build`, '@lyceum/contracts:build']));
    }
  });

  it.each([
    ['auth', ['auth']],
    ['member-api', ['auth', 'member-api']],
    ['system-test', ['admin-api', 'auth', 'mcp-gateway', 'member-api']],
  ])('makes the bundles that the suites of %s start, from what is built', (suite, services) => {
    const earlier = [...before(task(suite))].filter((name) => name.endsWith(':bundle'));
    expect(plain(earlier)).toEqual(services.map((name) => `${name}:bundle`));
    for (const name of services) {
      const used = [...before(`@lyceum/${name}:bundle`)];
      expect(used).toEqual(expect.arrayContaining([`@lyceum/${name}:build`, '@lyceum/contracts:build']));
    }
  });

  it('caches the Nx targets', () => {
    const targets = Object.entries(tasks.tasks);
    expect(targets.length).toBeGreaterThan(40);
    expect(targets.filter(([, { cache }]) => cache !== true).map(([name]) => name)).toEqual([]);
  });

  it('repeats a test when anything changes that the test uses', () => {
    const { files, environment, runtime, external } = inputs[task('admin-api')]!;
    expect(files).toEqual(
      expect.arrayContaining([
        'apps/admin-api/src/main.ts',
        'apps/admin-api/jest.config.mjs',
        'apps/auth/src/main.ts',
        'apps/auth/assets/passkeys.js',
        'libs/mail/src/index.ts',
        'libs/testing/src/start-infrastructure.ts',
        'libs/testing/jest/global-setup.mjs',
        'deploy/local/src/nats.ts',
        'deploy/local/setup/build.mjs',
        'jest.preset.mjs',
        '.swcrc',
        'nx.json',
        'tsconfig.base.json',
      ]),
    );
    expect(files.filter((file) => file.startsWith('apps/auth/') && file.endsWith('.spec.ts'))).toEqual([]);
    expect(environment).toEqual(expect.arrayContaining(['NATS_URL', 'NODE_OPTIONS', 'TZ']));
    expect(runtime.join()).toContain('process.version');
    // All packages of the lockfile.
    expect(external).toContain('AllExternalDependencies');
  });

  it('repeats a test when a file outside of its package changes that a spec reads', () => {
    expect(readers.toSorted()).toEqual([
      'admin-api',
      'auth',
      'local',
      'mcp-gateway',
      'member-api',
      'messaging',
      'platform',
    ]);
    for (const project of readers) {
      // A change of the lockfile repeats every test.
      const files = [...inputs[task(project)]!.files, 'package-lock.json'];
      for (const { path } of reads.filter((read) => read.project === project))
        expect(files).toEqual(expect.arrayContaining(git('ls-files', path)));
    }
  });
});

describe('the groups of the system suites', () => {
  const ofAll = groups.flatMap(({ suites }) => suites);

  it('puts each suite into one group, and each group into the target test', () => {
    expect(groups.map(({ target }) => target)).toHaveLength(6);
    expect(ofAll.toSorted()).toEqual(git('ls-files', '-co', '--exclude-standard', 'test/*.spec.ts').toSorted());
    expect(tasks.dependencies[task('system-test')]?.toSorted()).toEqual(groups.map((group) => group.task).toSorted());
  });

  it('repeats the rules of the repository when any file changes', () => {
    const files = inputs['@lyceum/system-test:test-repository']!.files;
    const all = git('ls-files').filter((file) => existsSync(join(ROOT, file)) && file !== 'package-lock.json');
    expect(all.filter((file) => !files.includes(file))).toEqual([]);
  });

  const others = groups.filter(({ target }) => target !== 'test-repository');

  it.each(others)('repeats $target when a file changes that its suites use', ({ suites, folders, task: name }) => {
    const { files, environment } = inputs[name]!;
    const own = git('ls-files', ...folders.map((folder) => `test/${folder}`)).filter((file) =>
      existsSync(join(ROOT, file)),
    );
    expect(own.length).toBeGreaterThan(suites.length);
    const used = [...own, ...suites.flatMap((suite) => imported(suite))];
    expect([...new Set(used)].filter((file) => !files.includes(file))).toEqual([]);
    for (const file of ['README.md', 'docker/Dockerfile', 'deploy/prometheus/alerts.yaml', 'docs/operate/restore.md'])
      expect(files).toContain(file);
    for (const file of ['apps/auth/src/main.ts', 'docs/clients/relay.md', 'jest.preset.mjs', 'nx.json'])
      expect(files).toContain(file);
    expect(environment).toContain('LYCEUM_TEST_STACK');
  });

  it.each(others)('does not repeat $target for other suites and for pages that it does not read', (group) => {
    const { files } = inputs[group.task]!;
    const other = ofAll.filter((suite) => !group.suites.includes(suite));
    expect(other.filter((suite) => files.includes(suite))).toEqual([]);
    const pages = git('ls-files', ...UNREAD);
    expect(pages.length).toBeGreaterThan(100);
    expect(pages.filter((page) => files.includes(page))).toEqual([]);
  });

  it('finds no suite that reads these pages', () => {
    const readersOf = others.flatMap(({ folders }) => git('ls-files', ...folders.map((folder) => `test/${folder}`)));
    const mentions = readersOf.filter((file) => {
      const text = existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : '';
      return UNREAD.some((page) => [`'${page}`, `\`${page}`, `/${page}`].some((name) => text.includes(name)));
    });
    expect(mentions).toEqual([]);
  });
});

/** The files that a file imports by relative paths, directly or not. */
function imported(file: string, seen = new Set<string>()): string[] {
  for (const [, path = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(/from '(\.[^']+)'/g)) {
    const found = join(file, '..', path).replace(/\.js$/, '.ts');
    if (seen.has(found) || !existsSync(join(ROOT, found))) continue;
    seen.add(found);
    imported(found, seen);
  }
  return [...seen];
}
