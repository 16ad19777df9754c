import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Runs git and returns what it prints, or undefined when it fails. */
export type Git = (...args: readonly string[]) => string | undefined;

export interface PreviousRelease {
  readonly commit: string;
  /** The folder with its built services. */
  readonly root: string;
  remove(): void;
}

/** Git in a repository. */
export function gitIn(root: string): Git {
  return (...args) => {
    try {
      return execFileSync('git', [...args], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
    } catch {
      return undefined;
    }
  };
}

interface Release {
  /** Major, minor and patch. */
  readonly version: readonly number[];
  readonly commit: string;
}

/**
 * The commit of the last release before HEAD: its tag, or in a clone without tags the commit with the subject of the
 * release. Each has the baseline of its version.
 *
 * @throws Error when the clone has neither, with the command that fetches them
 */
export function previousCommit(git: Git): string {
  const head = git('rev-parse', 'HEAD');
  const isBefore = ({ version, commit }: Release): boolean =>
    commit !== head &&
    versionIn(git('show', `${commit}:docs/compatibility/version.json`)) === version.join('.') &&
    // The checkout of an older commit has the tags of later releases.
    git('merge-base', '--is-ancestor', 'HEAD', commit) === undefined;
  // The sort is stable, so the tag of a version comes before its commits.
  const [last] = [...tagged(git), ...named(git)].filter(isBefore).toSorted((a, b) => byVersion(b, a));
  if (last === undefined)
    throw new Error(
      'The clone has no release before HEAD: no tag such as v0.1.0, and no commit "chore: release v0.1.0". ' +
        'Fetch them: git fetch --tags --unshallow (without --unshallow in a whole clone)',
    );
  return last.commit;
}

function tagged(git: Git): Release[] {
  const tags = git('tag', '--list', 'v*')?.split('\n') ?? [];
  return tags.flatMap((tag) => releaseOf(tag, git('rev-parse', `${tag}^{commit}`)));
}

function named(git: Git): Release[] {
  const lines = git('log', '--format=%H %s', '--grep=^chore: release v')?.split('\n') ?? [];
  return lines.flatMap((line) => {
    const [, commit, tag = ''] = /^(\S+) chore: release (\S+)$/.exec(line) ?? [];
    return releaseOf(tag, commit);
  });
}

/** Nothing for a pre-release. */
function releaseOf(tag: string, commit: string | undefined): Release[] {
  const [, ...version] = /^v(\d+)\.(\d+)\.(\d+)$/.exec(tag) ?? [];
  return commit === undefined || version.length === 0 ? [] : [{ version: version.map(Number), commit }];
}

function byVersion(a: Release, b: Release): number {
  return a.version.map((part, index) => part - (b.version[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** The member `version` of a JSON file; undefined without the file. */
function versionIn(text: string | undefined): string | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as { readonly version: string }).version;
}

/** Installs and builds the release before this one in a git worktree below `.lyceum`. */
export function buildPreviousRelease(workspace: string): PreviousRelease {
  const git = gitIn(workspace);
  const commit = previousCommit(git);
  const root = join(workspace, '.lyceum/previous-release');
  const remove = (): void => {
    git('worktree', 'remove', '--force', root);
    rmSync(root, { recursive: true, force: true });
  };
  remove();
  try {
    if (git('worktree', 'add', '--force', '--detach', root, commit) === undefined)
      throw new Error(`No worktree of ${commit} could be added`);
    linkPackages(workspace, root);
    // The set-up replaces the packages when the lockfile of that release has others.
    execFileSync(process.execPath, [join(root, 'deploy/local/setup.mjs')], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', CI: 'true' },
    });
    return { commit, root, remove };
  } catch (error) {
    remove();
    throw new Error(`The release of ${commit} was not built: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Makes hard links of the installed packages. The links of npm to the packages of the repository are relative, so they
 * lead to those of the copy. Where `cp` has no option for links, the set-up installs the packages.
 */
function linkPackages(workspace: string, root: string): void {
  for (const folder of ['', ...packageFolders(root)]) {
    const from = join(workspace, folder, 'node_modules');
    const to = join(root, folder, 'node_modules');
    if (!existsSync(from)) continue;
    try {
      execFileSync('cp', ['-al', from, to], { stdio: 'ignore' });
    } catch {
      rmSync(to, { recursive: true, force: true });
    }
  }
}

function packageFolders(root: string): string[] {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
  const git = gitIn(root);
  const manifests = git('ls-files', '--', ...workspaces.map((pattern) => `${pattern}/package.json`)) ?? '';
  return manifests.split('\n').map((path) => path.replace(/\/package\.json$/, ''));
}
