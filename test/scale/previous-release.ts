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

/** The folder that `npm run release` writes. */
const BASELINE = 'docs/compatibility';

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

/**
 * The commit of the release before this one: the last one that wrote a compatibility baseline of another version than
 * that of HEAD. It is the commit before HEAD when no such baseline exists or the clone does not reach it.
 *
 * The commit that wrote a baseline is a sound choice, because its tree has the code that the baseline describes. The
 * baseline of HEAD's own version was written at the end of the work on this release: its commit has the code of HEAD,
 * and an upgrade from it would show nothing. The commits before it are no choice either: they have an older baseline
 * beside new code.
 *
 * @throws Error when the clone has no earlier commit
 */
export function previousCommit(git: Git): string {
  const version = versionIn(git('show', 'HEAD:package.json'));
  const writers = git('log', '--first-parent', '--format=%H', '--', BASELINE)?.split('\n').filter(Boolean) ?? [];
  const isOfAnother = (commit: string): boolean => {
    const written = versionIn(git('show', `${commit}:${BASELINE}/version.json`));
    return written !== undefined && written !== version;
  };
  const release = writers.find(isOfAnother);
  // A shallow clone shows its oldest commit as the one that wrote every file.
  const isReached = git('rev-parse', '--is-shallow-repository') !== 'true' || hasParent(git, release);
  if (release !== undefined && isReached) return release;
  const parent = git('rev-parse', '--verify', '--quiet', 'HEAD^');
  if (parent === undefined)
    throw new Error('The clone has no commit before HEAD, so no earlier release can be built: git fetch --deepen=1');
  return parent;
}

/** The member `version` of a JSON file; undefined without the file. */
function versionIn(text: string | undefined): string | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as { readonly version: string }).version;
}

function hasParent(git: Git, commit: string | undefined): boolean {
  return commit !== undefined && git('rev-parse', '--verify', '--quiet', `${commit}^`) !== undefined;
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
