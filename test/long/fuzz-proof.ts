import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { Proof } from './proof.ts';

const ADMIN_API = join(import.meta.dirname, '../../apps/admin-api');
const REQUESTS = 200_000;

/** `npm test` repeats the requests of one seed. This proof sends those of another seed. */
export const fuzzProof: Proof = {
  name: 'fuzz',
  title: `${REQUESTS.toLocaleString('en')} generated requests to the operator API`,
  run: async () => {
    const seed = randomInt(2 ** 31);
    await runFuzzer(seed);
    return [{ title: `requests of seed ${seed}, no violation`, value: REQUESTS, unit: '', at_least: REQUESTS }];
  },
};

/** @throws Error with the seed. The output has the smallest violating batch of requests. */
function runFuzzer(seed: number): Promise<void> {
  const environment = { ...process.env, LYCEUM_FUZZ_SEED: String(seed), LYCEUM_FUZZ_REQUESTS: String(REQUESTS) };
  const child = spawn('npm', ['test', '--', '--runTestsByPath', 'test/fuzz.spec.ts'], {
    cwd: ADMIN_API,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`The fuzzer failed with the seed ${seed}. Its output has the smallest batch of requests.`));
    });
  });
}
