import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export const ROOT = join(__dirname, '../..');

/** Runs Nx without the environment variables of an Nx that started this suite. */
export function nx(args: readonly string[], cwd = ROOT, more: Readonly<Record<string, string>> = {}): string {
  const outer = Object.entries(process.env).filter(([name]) => !name.startsWith('NX_'));
  const env = { ...Object.fromEntries(outer), NX_DAEMON: 'false', ...more };
  // The graph of all tasks exceeds Node's default buffer of one megabyte.
  return execFileSync(join(ROOT, 'node_modules/.bin/nx'), args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: 'pipe',
    maxBuffer: 16 * 1_024 * 1_024,
  });
}
