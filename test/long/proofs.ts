import { benchProof } from './bench-proof.ts';
import type { Proof } from './proof.ts';

const GB = 1024 ** 3;

/** Every long proof, in the order of running. */
export const PROOFS: readonly Proof[] = [
  benchProof({
    name: 'scale',
    title: 'auth with 1,000,000 tokens and 1,000 sites',
    suite: 'scale',
    memoryBytes: 4 * GB,
  }),
  benchProof({
    name: 'events',
    title: 'one replica of member-api applies 20,000 events, and shows a write during a republication',
    suite: 'events',
    memoryBytes: 4 * GB,
  }),
  benchProof({
    name: 'admin',
    title: 'get, list and page 1,000 of 1,000,000 courses, and the operator API against a bare server',
    suite: 'admin',
    size: ['--rows', '1000000'],
    memoryBytes: 4 * GB,
  }),
];
