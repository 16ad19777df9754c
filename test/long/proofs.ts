import { restoreProof } from '../faults/restore-proof.ts';
import { runbookProof } from '../faults/walks/runbook-proof.ts';
import { imageProof } from '../images/image-proof.ts';
import { installProof } from '../images/install-proof.ts';
import { rotationProof } from '../scale/rotation-proof.ts';
import { scaleOutProof } from '../scale/scale-out-proof.ts';
import { soakProof } from '../soak/soak-proof.ts';
import { schoolProof } from '../story/school-proof.ts';
import { benchProof } from './bench-proof.ts';
import { documentsProof } from './documents-proof.ts';
import { commandsProof, fuzzProof, hostileFilesProof } from './fuzz-proof.ts';
import type { Proof } from './proof.ts';
import { mutantsProof } from './mutants/mutants-proof.ts';
import { startProof } from './start-proof.ts';
import { stressProof } from './stress-proof.ts';

const GB = 1024 ** 3;

/** Every long proof, in the order of running. */
export const PROOFS: readonly Proof[] = [
  benchProof({
    name: 'member',
    title: 'viewer against a bare server, Nest + Apollo and Mercurius, at 50,000 people',
    suite: 'member',
    memoryBytes: 4 * GB,
  }),
  benchProof({
    name: 'auth',
    title: 'introspection, refresh and code exchange against oidc-provider on PostgreSQL',
    suite: 'auth',
    memoryBytes: 4 * GB,
  }),
  benchProof({
    name: 'tools',
    title: 'tools/call and tools/list against a server of the MCP SDK',
    suite: 'tools',
    memoryBytes: 4 * GB,
  }),
  benchProof({
    name: 'scale',
    title: 'auth with 1,000,000 tokens, and with 10,000 sites',
    suite: 'scale',
    memoryBytes: 4 * GB,
  }),
  benchProof({
    name: 'crowd',
    title: 'requests at two of 1,000 sites with 2,000,000 people',
    suite: 'crowd',
    memoryBytes: 8 * GB,
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
  benchProof({
    name: 'analytics',
    title: 'each report of a year of a site with 1,000,000 orders within 50 ms',
    suite: 'analytics',
    size: ['--rows', '1000000'],
    memoryBytes: 4 * GB,
  }),
  benchProof({
    name: 'exports',
    title: 'an export of 1,000,000 enrollments in bounded memory',
    suite: 'exports',
    size: ['--rows', '1000000'],
    memoryBytes: 4 * GB,
  }),
  benchProof({
    name: 'imports',
    title: 'an import of 100,000 students against COPY, and the requests of others meanwhile',
    suite: 'imports',
    size: ['--rows', '100000'],
    memoryBytes: 4 * GB,
  }),
  benchProof({
    name: 'uploads',
    title: '100 uploads of 5 MB at one time, and the requests of others meanwhile',
    suite: 'uploads',
    memoryBytes: 4 * GB,
  }),
  benchProof({
    name: 'orders',
    title: 'records of orders against the same statements by hand, and reads and exports of 1,000,000 orders',
    suite: 'orders',
    size: ['--rows', '1000000'],
    memoryBytes: 4 * GB,
  }),
  benchProof({
    name: 'webhooks',
    title: 'one replica of admin-api delivers 300 webhooks a second beside a dead endpoint',
    suite: 'webhooks',
    size: ['--rows', '30000'],
    memoryBytes: 4 * GB,
  }),
  benchProof({
    name: 'tracing',
    title: 'processor time and latency of a request with traces against none',
    suite: 'tracing',
    memoryBytes: 4 * GB,
  }),
  benchProof({
    name: 'weight',
    title: 'memory of each service after load, and its start',
    suite: 'weight',
    memoryBytes: 4 * GB,
  }),
  startProof,
  fuzzProof,
  commandsProof,
  hostileFilesProof,
  mutantsProof,
  documentsProof,
  schoolProof,
  imageProof,
  installProof,
  scaleOutProof,
  soakProof,
  restoreProof,
  runbookProof,
  rotationProof,
  stressProof,
];
