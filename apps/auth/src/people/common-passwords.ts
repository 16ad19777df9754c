import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PASSWORD_LIMITS, canonicalPassword } from './password.policy.js';

const require = createRequire(import.meta.url);

let list: Promise<ReadonlySet<string>> | undefined;

async function load(): Promise<ReadonlySet<string>> {
  // 49,233 leaked passwords (zxcvbn; MIT). The file is read at run time, because an imported module would stay in
  // memory.
  const text = await readFile(require.resolve('@zxcvbn-ts/language-common/src/passwords.json'), 'utf8');
  const passwords = JSON.parse(text) as string[];
  // Shorter ones are refused by length.
  return new Set(passwords.filter((password) => password.length >= PASSWORD_LIMITS.min).map(canonicalPassword));
}

/** True for one of the most common passwords, in any case and width of letters. The first call loads the list. */
export async function isCommonPassword(password: string): Promise<boolean> {
  list ??= load().catch((error: unknown) => {
    list = undefined;
    throw error;
  });
  return (await list).has(canonicalPassword(password));
}
