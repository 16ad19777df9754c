import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { nx, ROOT } from './nx.js';

const EVERYTHING = ['libs', 'apps', 'deploy', 'tools']
  .flatMap((parent) => readdirSync(join(ROOT, parent)).map((name) => join(ROOT, parent, name)))
  .filter((directory) => existsSync(join(directory, 'jest.config.mjs')))
  .map((directory) => directory.split('/').at(-1)!)
  .concat('system-test');

const LIMIT = 60_000;

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);

/** Names of packages, without their common scope. */
const plain = (names: readonly string[]): string[] => names.map((name) => name.replace('@lyceum/', '')).toSorted();

function affected(file: string): string[] {
  const listed = nx(['show', 'projects', '--affected', '--with-target', 'test', '--json', `--files=${file}`]);
  return plain(JSON.parse(listed) as string[]);
}

describe('nx affected -t test', () => {
  const all = EVERYTHING.toSorted();
  const but = (...names: string[]): string[] => all.filter((name) => !names.includes(name));

  it.each<[string, readonly string[]]>([
    ['libs/mail/src/index.ts', ['admin-api', 'auth', 'mail', 'member-api', 'nx', 'system-test']],
    ['libs/contracts/src/index.ts', but('docs', 'errors')],
    ['apps/auth/src/main.ts', ['admin-api', 'auth', 'member-api', 'system-test']],
    ['deploy/local/src/nats.ts', but('contracts', 'docs', 'errors', 'nx')],
    ['deploy/prometheus/alerts.yaml', ['system-test']],
    ['docs/tools.md', ['mcp-gateway', 'system-test']],
    ['jest.preset.mjs', all],
    ['package-lock.json', all],
  ])(
    'runs the suites that %s can break',
    (file, packages) => {
      expect(affected(file)).toEqual(packages);
    },
    LIMIT,
  );
});

interface Graph {
  readonly graph: { readonly dependencies: Readonly<Record<string, readonly { readonly target: string }[]>> };
  readonly tasks: {
    readonly dependencies: Readonly<Record<string, readonly string[]>>;
    readonly tasks: Readonly<Record<string, { readonly cache?: boolean }>>;
  };
}

interface Inputs {
  readonly files: readonly string[];
  readonly environment: readonly string[];
  readonly runtime: readonly string[];
  readonly external: readonly string[];
}

const inputsOf = (target: string): Inputs => JSON.parse(nx(['show', 'target', target, 'inputs', '--json'])) as Inputs;

describe('the Nx targets', () => {
  let graph: Graph;
  beforeAll(() => {
    const printed = nx(['run-many', '-t', 'test', 'build', 'documents', 'lint', 'typecheck', '--graph=stdout']);
    graph = JSON.parse(printed.slice(printed.indexOf('{'))) as Graph;
  }, LIMIT);

  /** All tasks that a task depends on, directly or not. */
  function before(task: string, seen = new Set<string>()): Set<string> {
    for (const earlier of graph.tasks.dependencies[task] ?? []) {
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
    for (const [task, earlier] of Object.entries(graph.tasks.dependencies)) {
      if (!task.endsWith(':build')) continue;
      const used = graph.graph.dependencies[task.replace(':build', '')]!.map(({ target }) => target);
      expect(earlier).toEqual(
        expect.arrayContaining(
          used.filter((name) => `${name}:build` in graph.tasks.tasks).map((name) => `${name}:build`),
        ),
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
      const earlier = [...before(`@lyceum/${suite}:test`)];
      expect(earlier).toEqual(expect.arrayContaining(servers.map((name) => `@lyceum/${name}:build`)));
    }
  });

  it.each([
    ['admin-api', ['admin-api']],
    ['member-api', ['member-api']],
    ['system-test', ['admin-api', 'member-api']],
  ])('makes the documents that the suites of %s read, from what is built', (suite, services) => {
    const earlier = [...before(`@lyceum/${suite}:test`)].filter((task) => task.endsWith(':documents'));
    expect(plain(earlier)).toEqual(services.map((name) => `${name}:documents`));
    for (const name of services) {
      const used = [...before(`@lyceum/${name}:documents`)];
      expect(used).toEqual(expect.arrayContaining([`@lyceum/${name}:build`, '@lyceum/contracts:build']));
    }
  });

  it('caches the Nx targets', () => {
    const tasks = Object.entries(graph.tasks.tasks);
    expect(tasks.length).toBeGreaterThan(40);
    expect(tasks.filter(([, { cache }]) => cache !== true).map(([name]) => name)).toEqual([]);
  });

  it(
    'repeats a test when anything changes that the test uses',
    () => {
      const { files, environment, runtime, external } = inputsOf('@lyceum/admin-api:test');
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
    },
    LIMIT,
  );

  it(
    'repeats a test when a file outside of its package changes that a spec reads',
    () => {
      const outside = /(?:(?:\.\.\/){3}|join\(WORKSPACE, ')([\w./-]+)'/g;
      const reads = git('ls-files', 'apps/*.spec.ts', 'libs/*.spec.ts', 'deploy/*.spec.ts').flatMap((spec) => {
        const home = spec.split('/').slice(0, 2).join('/');
        return [...readFileSync(join(ROOT, spec), 'utf8').matchAll(outside)]
          .map(([, path = '']) => ({ project: home.split('/')[1]!, home, path }))
          .filter(({ path }) => !path.startsWith(home) && git('ls-files', path).length > 0);
      });
      const projects = [...new Set(reads.map(({ project }) => project))];
      expect(projects.toSorted()).toEqual(['admin-api', 'local', 'mcp-gateway']);
      for (const project of projects) {
        // A change of the lockfile repeats every test.
        const files = [...inputsOf(`@lyceum/${project}:test`).files, 'package-lock.json'];
        for (const { path } of reads.filter((read) => read.project === project))
          expect(files).toEqual(expect.arrayContaining(git('ls-files', path)));
      }
    },
    LIMIT,
  );

  it(
    'repeats the system suites when any file of the repository changes',
    () => {
      const { files, environment } = inputsOf('@lyceum/system-test:test');
      for (const file of ['README.md', 'CODEOWNERS', '.ci/run', 'docker/Dockerfile', 'deploy/prometheus/alerts.yaml'])
        expect(files).toContain(file);
      expect(environment).toContain('LYCEUM_TEST_STACK');
    },
    LIMIT,
  );
});
