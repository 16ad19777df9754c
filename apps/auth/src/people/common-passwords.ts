import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PASSWORD_LIMITS, canonicalPassword } from './password.policy.js';

/** 49,233 passwords by how often they leaked (zxcvbn; MIT). The file is read in place of the module, which would stay in memory. */
const LIST = '@zxcvbn-ts/language-common/src/passwords.json';

let list: Promise<ReadonlySet<string>> | undefined;

async function load(): Promise<ReadonlySet<string>> {
  const text = await readFile(createRequire(import.meta.url).resolve(LIST), 'utf8');
  const passwords = JSON.parse(text) as string[];
  // The others are too short to be chosen.
  return new Set(passwords.filter((password) => password.length >= PASSWORD_LIMITS.min).map(canonicalPassword));
}

/** Whether it is one of the most common passwords, in any case and width of letters. The first question loads the list. */
export async function isCommonPassword(password: string): Promise<boolean> {
  list ??= load().catch((error: unknown) => {
    list = undefined;
    throw error;
  });
  return (await list).has(canonicalPassword(password));
}
