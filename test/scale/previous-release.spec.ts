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
  git(origin, ...IDENTITY, 'commit', '--quiet', '-m', `${file}: ${content}`);
  return git(origin, 'rev-parse', 'HEAD');
}

/** Sets the version of the working tree. */
const begin = (version: string): string => commit('package.json', JSON.stringify({ version }));

/** Writes the baseline of a version, as `npm run release` does. */
function release(version: string, surface: string): string {
  writeFileSync(join(origin, 'docs/compatibility/openapi.json'), surface);
  return commit('docs/compatibility/version.json', JSON.stringify({ version }));
}

function clone(name: string, depth: number): string {
  git(directory, 'clone', '--quiet', `--depth=${depth}`, `file://${origin}`, name);
  return join(directory, name);
}

const previous = (): string => previousCommit(gitIn(origin));

describe('the commit of the release before this one', () => {
  let first: string;
  let released: string;

  beforeAll(() => {
    mkdirSync(origin);
    git(origin, 'init', '--quiet');
    begin('0.1.0-dev');
    first = commit('code', 'first');
    commit('code', 'second');
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('returns the commit before HEAD while no baseline exists', () => {
    expect(previous()).toBe(first);
  });

  it('returns the commit before HEAD while no baseline of another version exists', () => {
    const parent = git(origin, 'rev-parse', 'HEAD');
    release('0.1.0-dev', 'of the second code');
    expect(previous()).toBe(parent);
    released = release('0.1.0-dev', 'once again');
  });

  it('returns the last commit that wrote a baseline of another version', () => {
    commit('readme', 'after the release');
    begin('0.1.0');
    expect(previous()).toBe(released);
    commit('code', 'third');
    expect(previous()).toBe(released);
  });

  it('ignores the baseline of the own version, whose commit has the code of HEAD', () => {
    release('0.1.0', 'of the third code');
    expect(previous()).toBe(released);
    commit('readme', 'a correction');
    release('0.1.0', 'of the third code, corrected');
    commit('readme', 'one more correction');
    expect(previous()).toBe(released);
  });

  it.each([2, 6, 8])('returns the commit before HEAD in a clone of %d commits, which does not reach it', (depth) => {
    const parent = git(origin, 'rev-parse', 'HEAD^');
    expect(git(origin, 'rev-parse', 'HEAD~7')).toBe(released);
    expect(previousCommit(gitIn(clone(`shallow-${depth}`, depth)))).toBe(parent);
  });

  it('returns the released commit in a clone that has the commit before it', () => {
    expect(previousCommit(gitIn(clone('shallow', 9)))).toBe(released);
  });

  it('refuses a clone of one commit, and names the command', () => {
    const folder = clone('one', 1);
    expect(() => previousCommit(gitIn(folder))).toThrow('git fetch --deepen=1');
  });

  it('returns the released commit from the beginning of the next version on', () => {
    const [latest] = git(origin, 'log', '--format=%H', '--', 'docs/compatibility').split('\n');
    begin('0.2.0-dev');
    expect(previous()).toBe(latest);
  });
});
