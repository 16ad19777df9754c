import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const ROOT = join(__dirname, '../..');

/** Runs Nx without the environment variables of an Nx that started this suite. */
export function nx(args: readonly string[], cwd = ROOT, more: Readonly<Record<string, string>> = {}): string {
  const outer = Object.entries(process.env).filter(([name]) => !name.startsWith('NX_'));
  const env = { ...Object.fromEntries(outer), NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false', ...more };
  // Nx exits at once, which can cut what is left in a pipe. A file has everything.
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-nx-'));
  const output = openSync(join(directory, 'output'), 'w');
  try {
    execFileSync(join(ROOT, 'node_modules/.bin/nx'), args, { cwd, env, stdio: ['ignore', output, 'pipe'] });
    return readFileSync(join(directory, 'output'), 'utf8');
  } finally {
    closeSync(output);
    rmSync(directory, { recursive: true });
  }
}
