import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { Proof } from './proof.ts';
import { runSpec } from './run-spec.ts';

const ADMIN_API = join(import.meta.dirname, '../../apps/admin-api');
const REQUESTS = 200_000;
const COMMANDS = 10_000;
const FILES = 500;

/** `npm test` repeats the requests of one seed. This proof sends those of another seed. */
export const fuzzProof: Proof = {
  name: 'fuzz',
  title: `${REQUESTS.toLocaleString('en')} generated requests to the operator API`,
  run: async () => {
    const seed = randomInt(2 ** 31);
    const environment = { LYCEUM_FUZZ_SEED: String(seed), LYCEUM_FUZZ_REQUESTS: String(REQUESTS) };
    await runSpec(ADMIN_API, 'test/fuzz.spec.ts', environment).catch(() => {
      throw new Error(`The fuzzer failed with the seed ${seed}. Its output has the smallest batch of requests.`);
    });
    return [{ title: `requests of seed ${seed}, no violation`, value: REQUESTS, unit: '', at_least: REQUESTS }];
  },
};

/** `npm test` uploads the hostile files of one seed. This proof uploads those of another seed. */
export const hostileFilesProof: Proof = {
  name: 'hostile-files',
  title: `${FILES} hostile files, none of which is served`,
  run: async () => {
    const seed = randomInt(2 ** 31);
    const environment = { LYCEUM_HOSTILE_SEED: String(seed), LYCEUM_HOSTILE_FILES: String(FILES) };
    await runSpec(ADMIN_API, 'test/hostile-files.spec.ts', environment).catch(() => {
      throw new Error(`The files of the seed ${seed} failed. The output has the first of them.`);
    });
    return [{ title: `files of seed ${seed}, none served`, value: FILES, unit: '', at_least: FILES }];
  },
};

/** The same for the commands of storefronts, of which `npm test` sends 300. */
export const commandsProof: Proof = {
  name: 'commands',
  title: `${COMMANDS.toLocaleString('en')} generated commands of a storefront`,
  run: async () => {
    const seed = randomInt(2 ** 31);
    const environment = { LYCEUM_FUZZ_SEED: String(seed), LYCEUM_FUZZ_COMMANDS: String(COMMANDS) };
    await runSpec(ADMIN_API, 'test/storefront-fuzz.spec.ts', environment).catch(() => {
      throw new Error(`The fuzzer failed with the seed ${seed}. Its output has the first commands that failed.`);
    });
    return [{ title: `commands of seed ${seed}, no violation`, value: COMMANDS, unit: '', at_least: COMMANDS }];
  },
};
