import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Facts, Questions } from './nx-facts.js';

export const ROOT = join(__dirname, '../..');

/** Starts Nx once, without the environment variables of an Nx that started this suite. */
export function nxFacts(questions: Questions): Facts {
  const outer = Object.entries(process.env).filter(([name]) => !name.startsWith('NX_'));
  const env = { ...Object.fromEntries(outer), NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false' };
  const program = join(__dirname, 'nx-facts.ts');
  const options = { cwd: ROOT, env, encoding: 'utf8', maxBuffer: 100_000_000 } as const;
  return JSON.parse(execFileSync(process.execPath, [program, JSON.stringify(questions)], options)) as Facts;
}
