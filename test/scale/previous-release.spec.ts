import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitIn, previousCommit } from './previous-release.js';

const directory = mkdtempSync(join(tmpdir(), 'lyceum-previous-'));
const origin = join(directory, 'origin');
const IDENTITY = ['-c', 'user.name=Test', '-c', 'user.email=test@school.example'];

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

/** Commits one file with this content and returns the commit. */
function commit(file: string, content: string): string {
  mkdirSync(join(origin, 'docs/compatibility'), { recursive: true });
  writeFileSync(join(origin, file), content);
  git(origin, 'add', '.');
  git(origin, ...IDENTITY, 'commit', '--quiet', '-m', content);
  return git(origin, 'rev-parse', 'HEAD');
}

function clone(name: string, depth: number): string {
  git(directory, 'clone', '--quiet', `--depth=${depth}`, `file://${origin}`, name);
  return join(directory, name);
}

describe('the commit of the release before this one', () => {
  let baseline: string;
  let before: string;

  beforeAll(() => {
    mkdirSync(origin);
    git(origin, 'init', '--quiet');
    commit('readme', 'first');
    baseline = commit('docs/compatibility/version.json', 'baseline');
    commit('readme', 'second');
    before = commit('readme', 'third');
    commit('readme', 'fourth');
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('returns the last commit that wrote the baseline', () => {
    expect(previousCommit(gitIn(origin))).toBe(baseline);
  });

  it('returns the commit before HEAD in a clone that does not reach the baseline', () => {
    expect(previousCommit(gitIn(clone('shallow', 2)))).toBe(before);
  });

  it('refuses a clone of one commit, and names the command', () => {
    const folder = clone('one', 1);
    expect(() => previousCommit(gitIn(folder))).toThrow('git fetch --deepen=1');
  });

  it('returns the commit before HEAD when HEAD wrote the baseline', () => {
    const parent = git(origin, 'rev-parse', 'HEAD');
    commit('docs/compatibility/version.json', 'new baseline');
    expect(previousCommit(gitIn(origin))).toBe(parent);
  });
});
