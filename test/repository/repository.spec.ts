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
    ];
    const offenders = tracked
      .filter((file) => /\.(?:ts|mjs|json|graphql|md|template)$/.test(file) && !exempt.includes(file))
      // A migration that has been released does not change. Its test inserts rows from before.
      .filter((file) => !/\/17\d{11}-|\/migrations\.db\.spec\.ts$|package-lock\.json$/.test(file))
      .filter((file) => british.test(file) || british.test(read(file)));
    expect(offenders).toEqual([]);
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
