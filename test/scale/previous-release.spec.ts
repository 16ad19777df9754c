import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitIn, previousCommit } from './previous-release.js';

const directory = mkdtempSync(join(tmpdir(), 'lyceum-previous-'));
const origin = join(directory, 'origin');
const IDENTITY = ['-c', 'user.name=Test', '-c', 'user.email=test@school.example'];

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', [...IDENTITY, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

/** Returns the new commit. */
function commit(subject: string): string {
  git(origin, 'add', '.');
  git(origin, 'commit', '--quiet', '--allow-empty', '-m', subject);
  return git(origin, 'rev-parse', 'HEAD');
}

/** Commits the baseline of a version, as `npm run release` writes it. */
function release(version: string, subject = `chore: release v${version}`): string {
  mkdirSync(join(origin, 'docs/compatibility'), { recursive: true });
  writeFileSync(join(origin, 'docs/compatibility/version.json'), JSON.stringify({ version }));
  return commit(subject);
}

function tag(version: string, at: string): void {
  git(origin, 'tag', '--annotate', `v${version}`, '--message', version, at);
}

function clone(name: string, ...options: string[]): string {
  git(directory, 'clone', '--quiet', ...options, `file://${origin}`, name);
  return join(directory, name);
}

const previous = (folder = origin): string => previousCommit(gitIn(folder));
/** The release before another commit. */
function previousOf(at: string): string {
  const folder = join(directory, 'old');
  rmSync(folder, { recursive: true, force: true });
  clone('old');
  git(folder, 'checkout', '--quiet', '--detach', at);
  return previous(folder);
}

describe('the commit of the last release before HEAD', () => {
  /** Named commits in their order. `fixed` has the tag v0.1.0. */
  const at: Record<'first' | 'fixed' | 'next' | 'second', string> = { first: '', fixed: '', next: '', second: '' };

  beforeAll(() => {
    mkdirSync(origin);
    git(origin, 'init', '--quiet');
    commit('feat: begin');
    release('0.1.0-dev', 'chore: release v0.1.0-dev');
    at.first = release('0.1.0');
    at.fixed = commit('fix: the last fault before the tag');
    at.next = commit('feat: go on');
    commit('chore: release v0.3.0');
    commit('revert "chore: release v0.2.0"');
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('fails before the first release, and names the command that fetches releases', () => {
    expect(() => previousOf(at.first)).toThrow('git fetch --tags --unshallow');
  });

  it('returns the commit with the subject and the baseline of a release, without a tag', () => {
    expect([previous(), previousOf(at.next), previousOf(at.fixed)]).toEqual([at.first, at.first, at.first]);
  });

  it('returns the commit of the tag, where the tag exists', () => {
    tag('0.1.0', at.fixed);
    expect([previous(), previousOf(at.next)]).toEqual([at.fixed, at.fixed]);
    expect(previous(clone('without-tags', '--no-tags'))).toBe(at.first);
  });

  it('returns no release that is HEAD or comes after it', () => {
    expect(() => previousOf(`${at.first}^`)).toThrow('no release before HEAD');
    expect(previousOf(at.fixed)).toBe(at.first);
  });

  it('returns the release before while the next one is made, and that one from its next commit on', () => {
    at.second = release('0.2.0');
    expect(previous()).toBe(at.fixed);
    tag('0.2.0', at.second);
    expect(previous()).toBe(at.fixed);
    commit('feat: more');
    expect(previous()).toBe(at.second);
  });

  it('orders versions as numbers, and takes no pre-release', () => {
    const tenth = release('0.10.0');
    tag('0.10.0', tenth);
    tag('0.11.0-rc.1', release('0.11.0-rc.1'));
    commit('feat: yet more');
    expect(previous()).toBe(tenth);
  });

  it('fails in a shallow clone that reaches no release, and finds a tag that was fetched alone', () => {
    const folder = clone('shallow', '--depth=1', '--no-tags');
    expect(() => previous(folder)).toThrow('no release before HEAD');
    git(folder, 'fetch', '--quiet', '--depth=1', 'origin', 'tag', 'v0.2.0', '--no-tags');
    expect(previous(folder)).toBe(at.second);
  });
});
