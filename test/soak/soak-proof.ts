import { randomInt } from 'node:crypto';
import type { Proof } from '../long/proof.ts';
import { soak } from './soak.ts';

const SECONDS = 600;

/** The faults of a run repeat with its seed: `node test/soak/run.ts --seed <seed>`. */
export const soakProof: Proof = {
  name: 'soak',
  title: 'ten minutes of load on two replicas of each service, with faults at random',
  run: (directory) => soak({ directory, seconds: SECONDS, seed: randomInt(2 ** 31) }),
};
