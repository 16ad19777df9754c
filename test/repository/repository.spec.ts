import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const sources = tracked.filter((file) => /\.(ts|mts|mjs|cjs)$/.test(file) && !file.endsWith('.d.ts'));

describe('the repository', () => {
  it('finds only the top level that the architecture names', () => {
    const top = new Set(tracked.map((file) => file.split('/')[0]));
    for (const name of ['package.json', 'nx.json', 'apps', 'libs', 'deploy', 'docker', 'test', 'README.md']) {
      expect(top).toContain(name);
    }
  });

  it('finds each suite that starts first', () => {
    const named = [...read('libs/testing/jest/longest-first.mjs').matchAll(/'([^']+\.spec\.ts)'/g)];
    expect(named.length).toBeGreaterThan(5);
    expect(tracked).toEqual(expect.arrayContaining(named.map(([, file]) => file)));
  });

  it('finds no source file over 300 lines', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.filter((file) => read(file).split('\n').length > 301)).toEqual([]);
  });

  it('switches no test off and leaves nothing for later', () => {
    // The first file contains the pattern; the second tests every way to skip a test.
    const exempt = ['test/repository/repository.spec.ts', 'test/run/run.spec.ts'];
    const offenders = sources
      .filter((file) => !exempt.includes(file))
      .filter((file) => /\b(it|test|describe)\.(skip|only|todo)\(|\b(TODO|FIXME|XXX)\b/.test(read(file)));
    expect(offenders).toEqual([]);
  });

  it('finds only American spelling in data, public texts and identifiers', () => {
    const british = /cancell(?:ed|able)|enrolment|\benrols?\b|colour|organisation|normalise|authorise/i;
    const exempt = [
      'test/repository/repository.spec.ts',
      // `notifications/cancelled` is a method of MCP.
      'docs/adr/0043-instants-money-and-spelling.md',
      'apps/mcp-gateway/test/bodies.spec.ts',
      // People search in British spelling too.
      'apps/admin-api/src/operations/operation.synonyms.ts',
      // `STATUS:CANCELLED` is a value of iCalendar (RFC 5545 §3.8.1.11).
      'apps/member-api/src/event-registrations/calendar.policy.ts',
      'apps/member-api/src/event-registrations/calendar.policy.spec.ts',
      'apps/member-api/test/calendars.spec.ts',
    ];
    const offenders = tracked
      .filter((file) => /\.(?:ts|mjs|json|graphql|md|template)$/.test(file) && !exempt.includes(file))
      // A migration that has been released does not change. Its test inserts rows from before.
      .filter((file) => !/\/17\d{11}-|\/migrations\.db\.spec\.ts$|package-lock\.json$/.test(file))
      .filter((file) => british.test(file) || british.test(read(file)));
    expect(offenders).toEqual([]);
  });

  it('finds the role of every class with a periodic task, where the replicas of a service have roles', () => {
    const withoutRoles = ['apps/auth/', 'apps/mcp-gateway/'];
    for (const app of withoutRoles)
      expect(
        sources
          .filter((file) => file.startsWith(app))
          .map(read)
          .join(),
      ).not.toMatch(/^ {2}background: '/m);
    const tasks = sources
      .filter((file) => /^(apps|libs)\//.test(file) && !file.endsWith('.spec.ts'))
      .filter((file) => !withoutRoles.some((app) => file.startsWith(app)) && read(file).includes('new PeriodicTask('));
    expect(tasks.length).toBeGreaterThan(3);
    expect(tasks.filter((file) => !/^@(RunsInBackground|ServesRequests)\(\)$/m.test(read(file)))).toEqual([]);
  });

  it('lets every periodic task stand still in a suite, except those that take work from a queue', () => {
    const queues = sources
      .filter((file) => /^(apps|libs)\/[^/]+\/src\//.test(file) && !file.endsWith('.spec.ts'))
      .filter((file) => read(file).includes('new PeriodicTask('))
      .filter((file) => /^ +'queue',$/m.test(read(file)));
    expect(queues.toSorted()).toEqual([
      'apps/admin-api/src/webhook-deliveries/webhook.dispatcher.ts',
      'libs/jobs/src/job-worker.ts',
    ]);
  });

  it('names no registry in the lockfile', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved": "https?:/);
  });

  it('gives every package its tags, so that the module boundaries can judge it', () => {
    const packages = tracked.filter((file) =>
      /^(apps|libs|deploy|tools)\/[^/]+\/package\.json$|^test\/package\.json$/.test(file),
    );
    expect(packages.length).toBeGreaterThanOrEqual(13);
    for (const file of packages) {
      const { nx } = JSON.parse(read(file)) as { nx?: { tags?: string[] } };
      expect(nx?.tags?.filter((tag) => /^(type|scope):/.test(tag))).toHaveLength(2);
    }
  });
});
