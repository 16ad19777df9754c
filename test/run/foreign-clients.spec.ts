import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { clientsFindings } from '../long/clients-proof.ts';
import { isReached } from '../long/proof.ts';
import {
  CLIENTS_PROOF,
  CLIENTS_VARIABLE,
  clientSurfaces,
  foreignSuites,
  OWN_SUITES,
  planClients,
} from './foreign-clients.ts';
import { dueSuites, listSuites, readResult, resultFile, testPackages } from './results.ts';

const HERE = join(__dirname, '../..');
const OWN = OWN_SUITES[0]!;
const FOREIGN = 'test/clients/arctic.spec.ts';
const TESTED = { name: '@lyceum/system', directory: 'test', group: { target: 'test-clients', folders: ['clients/'] } };

/** `arctic` is a client by a suite, `a-linter` by its command, `relay` by a recipe. */
const LOCKFILE = {
  packages: {
    '': { devDependencies: { typescript: '5' } },
    test: {
      devDependencies: { arctic: '3', 'a-linter': '1', 'relay-runtime': '21', '@types/arctic': '1', other: '1' },
    },
    'node_modules/typescript': { version: '5.0.0' },
    'node_modules/arctic': { version: '3.0.0', dependencies: { helper: '1' } },
    'node_modules/arctic/node_modules/helper': { version: '1.0.0' },
    'node_modules/helper': { version: '2.0.0' },
    'node_modules/@types/arctic': { version: '1.0.0' },
    'node_modules/a-linter': { version: '1.0.0', bin: { lint: 'lint.js' } },
    'node_modules/relay-runtime': { version: '20.0.0' },
    'test/node_modules/relay-runtime': { version: '21.0.0', peerDependencies: { peer: '1' } },
    'node_modules/peer': { version: '1.0.0' },
    'node_modules/other': { version: '1.0.0' },
  },
};
const FILES: Readonly<Record<string, string>> = {
  'dist/openapi.json': '{}',
  'dist/schema.graphql': 'type Query { a: Int }',
  'dist/tools.json': '[]',
  'docs/clients/relay.md': `import { graphql } from 'relay-runtime';`,
  [OWN]: '',
  [FOREIGN]: `import * as arctic from 'arctic'; home.start('lint');`,
  'test/clients/more/page.ts': '',
  'package-lock.json': JSON.stringify(LOCKFILE),
};

let root: string;
const write = (path: string, content: unknown): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
};
const writeRun = (more: object = {}): void =>
  write(CLIENTS_PROOF, {
    state: 'passed',
    date: '2026-11-20T10:11:12.131Z',
    surfaces: clientSurfaces(root),
    ...more,
  });
/** The lockfile with another version of the package at a path. */
const withVersion = (path: string): string => {
  const packages: Record<string, object> = { ...LOCKFILE.packages };
  packages[path] = { ...packages[path], version: '9.9.9' };
  return JSON.stringify({ packages });
};
const plan = () => planClients(root, {});

// The long proofs set it for all suites.
const { [CLIENTS_VARIABLE]: outer, ...env } = process.env;
beforeAll(() => void delete process.env[CLIENTS_VARIABLE]);
afterAll(() => {
  if (outer !== undefined) process.env[CLIENTS_VARIABLE] = outer;
});

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lyceum-clients-spec-'));
  for (const [path, content] of Object.entries(FILES)) write(path, content);
  writeRun();
});
afterEach(() => rmSync(root, { recursive: true }));

describe('the foreign clients in `npm test`', () => {
  it('leaves them out when the surfaces are those of their last whole run, and names its day', () => {
    expect(plan()).toEqual({ leftOut: [FOREIGN], line: 'clients: same surfaces as the run of 2026-11-20, not run' });
    expect(dueSuites(root, TESTED)).toEqual([OWN]);
    const other = { ...TESTED, group: { ...TESTED.group, target: 'test-other' } };
    expect(dueSuites(root, other).toSorted()).toEqual([FOREIGN, OWN]);
  });

  it.each([
    ['dist/openapi.json', 'dist/openapi.json', '{"paths":{}}'],
    ['dist/schema.graphql', 'dist/schema.graphql', 'type Query { b: Int }'],
    ['dist/tools.json', 'dist/tools.json', '[{}]'],
    ['docs/clients', 'docs/clients/relay.md', `import { commit } from 'relay-runtime';`],
    ['docs/clients', 'docs/clients/new.md', ''],
    ['test/clients', FOREIGN, `import { Google } from 'arctic'; home.start('lint');`],
    ['test/clients', 'test/clients/more/page.ts', 'export {};'],
    ['packages', 'package-lock.json', withVersion('node_modules/arctic')],
    ['packages', 'package-lock.json', withVersion('node_modules/arctic/node_modules/helper')],
    ['packages', 'package-lock.json', withVersion('node_modules/@types/arctic')],
    ['packages', 'package-lock.json', withVersion('node_modules/a-linter')],
    ['packages', 'package-lock.json', withVersion('test/node_modules/relay-runtime')],
    ['packages', 'package-lock.json', withVersion('node_modules/peer')],
  ])('runs them after a change of %s (%s)', (surface, file, content) => {
    write(file, content);
    const line = `clients: other surfaces than the run of 2026-11-20 (${surface}), all run`;
    expect(plan()).toEqual({ leftOut: [], line });
    expect(dueSuites(root, TESTED).toSorted()).toEqual([FOREIGN, OWN]);
  });

  it.each(['dist/tools.json', 'docs/clients/relay.md', 'test/clients/more/page.ts'])(
    'runs them after the removal of %s',
    (file) => {
      rmSync(join(root, file));
      expect(plan().leftOut).toEqual([]);
    },
  );

  it('runs them when the last run knows fewer surfaces', () => {
    const { packages: _packages, ...surfaces } = clientSurfaces(root);
    writeRun({ surfaces });
    expect(plan().line).toContain('(packages), all run');
  });

  it.each(['node_modules/other', 'node_modules/helper', 'node_modules/typescript', 'node_modules/relay-runtime'])(
    'leaves them out after a change of %s, which no client has',
    (path) => {
      write('package-lock.json', withVersion(path));
      expect(plan().leftOut).toEqual([FOREIGN]);
    },
  );

  it.each([
    ['failed', () => writeRun({ state: 'failed' })],
    ['is missing', () => rmSync(join(root, CLIENTS_PROOF))],
  ])('runs them when their last whole run %s', (_case, change) => {
    change();
    expect(plan()).toEqual({ leftOut: [], line: 'clients: no whole run has passed, all run' });
  });

  it('runs them with LYCEUM_TEST_CLIENTS=all', () => {
    expect(planClients(root, { LYCEUM_TEST_CLIENTS: 'all' })).toEqual({ leftOut: [], line: 'clients: all run' });
  });

  it('asks for no result of a suite that is left out, and for one of each other suite', () => {
    expect(readResult(root, TESTED).failures.map(({ suite }) => suite)).toEqual([OWN]);
    const testResults = [{ name: join(root, OWN), status: 'passed', message: '', assertionResults: [] }];
    write(resultFile('', TESTED), { testResults });
    expect(readResult(root, TESTED)).toMatchObject({ failed: 0, failures: [] });
    write('dist/tools.json', '[{}]');
    expect(readResult(root, TESTED).failures.map(({ suite }) => suite)).toEqual([FOREIGN]);
  });
});

describe('the file of the proof `clients`', () => {
  const counts = { numPassedTests: 5, numTotalTests: 5, numPassedTestSuites: 2 };
  const reached = (changed: object, suites = 2): boolean =>
    clientsFindings({ ...counts, ...changed }, suites, {}).figures.every(isReached);

  it('has the surfaces, and passes when every test of every suite passes', () => {
    expect(clientsFindings(counts, 2, { packages: 'hash' }).details).toEqual({ surfaces: { packages: 'hash' } });
    expect(reached({})).toBe(true);
  });

  it.each([
    ['a failed or skipped test', { numTotalTests: 6 }, 2],
    ['a suite without a result', {}, 3],
    ['no test', { numPassedTests: 0, numTotalTests: 0, numPassedTestSuites: 0 }, 0],
  ])('fails with %s', (_case, changed, suites) => {
    expect(reached(changed, suites)).toBe(false);
  });
});

describe('this tree', () => {
  const tested = testPackages(HERE).find(({ group }) => group?.target === 'test-clients')!;

  it('has own and foreign suites, which are all suites of the group', () => {
    const foreign = foreignSuites(HERE);
    expect(foreign.length).toBeGreaterThan(20);
    expect(OWN_SUITES.filter((suite) => !existsSync(join(HERE, suite)))).toEqual([]);
    expect([...foreign, ...OWN_SUITES].toSorted()).toEqual(listSuites(HERE, tested).toSorted());
  });

  it('leaves the foreign clients out of Jest exactly when the file of the proof has its surfaces', () => {
    const file = join(HERE, CLIENTS_PROOF);
    const last = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {};
    const surfaces = clientSurfaces(HERE);
    const isSame = last['state'] === 'passed' && JSON.stringify(last['surfaces']) === JSON.stringify(surfaces);
    const program = `import configuration from './jest.clients.mjs'; console.log(JSON.stringify(configuration));`;
    const options = { cwd: join(HERE, 'test'), env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] } as const;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], options);
    const { testPathIgnorePatterns } = JSON.parse(output) as { testPathIgnorePatterns: string[] };
    const left = listSuites(HERE, tested).filter((suite) =>
      testPathIgnorePatterns.some((pattern) => new RegExp(pattern).test(join(HERE, suite))),
    );
    expect(left.toSorted()).toEqual(isSame ? foreignSuites(HERE) : []);
  });
});
