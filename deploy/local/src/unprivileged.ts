import { spawnSync } from 'node:child_process';
import { lchownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The user without rights on every Linux. */
const UID = 65_534;

export interface Unprivileged {
  /** Put before a command. Empty when we are not root. */
  readonly prefix: readonly string[];
  /** Hands a directory to the user as whom the command will see itself. */
  own(directory: string): void;
}

/**
 * PostgreSQL refuses to run as root. A user namespace with another user id needs no new user and reads every
 * file of root, also below a home with mode 0700. Where namespaces are forbidden (some containers) the process changes
 * its user; it keeps the capability to pass closed directories, because the program may lie below one.
 */
export function unprivileged({ root = process.getuid?.() === 0, probe = works } = {}): Unprivileged {
  if (!root) return { prefix: [], own: () => {} };
  const namespace = ['unshare', '--user', `--map-user=${UID}`, `--map-group=${UID}`, '--'];
  if (probe(namespace)) return { prefix: namespace, own: (directory) => give(directory, 0) };
  const user = ['setpriv', `--reuid=${UID}`, `--regid=${UID}`, '--clear-groups'];
  const passage = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  for (const prefix of [
    [...user, ...passage, '--'],
    [...user, '--'],
  ]) {
    if (probe(prefix)) return { prefix, own: (directory) => give(directory, UID) };
  }
  throw new Error(
    'PostgreSQL does not run as root, and neither unshare nor setpriv (package util-linux) can give root up here. ' +
      'Run as another user, or name other servers in DATABASE_URL_AUTH, DATABASE_URL_SCHOOL and DATABASE_URL_LEARNER.',
  );
}

function works(prefix: readonly string[]): boolean {
  return spawnSync('env', [...prefix, 'true'], { stdio: 'ignore' }).status === 0;
}

function give(directory: string, uid: number): void {
  if (lstatSync(directory).uid === uid) return;
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(directory, name), uid, uid);
  // Last, so that an interrupted change is made again.
  lchownSync(directory, uid, uid);
}
