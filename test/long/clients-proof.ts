import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { CLIENTS_TARGET, CLIENTS_VARIABLE, clientSurfaces } from '../run/foreign-clients.ts';
import { listSuites, testPackages } from '../run/results.ts';
import type { Findings, Proof } from './proof.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The counts in a file of results of Jest. */
interface Counts {
  readonly numPassedTests: number;
  readonly numTotalTests: number;
  readonly numPassedTestSuites: number;
}

/** `npm test` leaves the foreign clients out while the surfaces are those of the last file of this proof. */
export const clientsProof: Proof = {
  name: 'clients',
  title: 'every foreign client and recipe against the running platform',
  run: async (scratch) => {
    const surfaces = clientSurfaces(ROOT);
    const results = join(scratch, 'results.json');
    await runClients(results);
    if (!existsSync(results)) throw new Error('Jest has ended early. See its output.');
    if (!isDeepStrictEqual(clientSurfaces(ROOT), surfaces)) throw new Error('The surfaces changed during the run.');
    const suites = testPackages(ROOT)
      .filter(({ group }) => group?.target === CLIENTS_TARGET)
      .flatMap((tested) => listSuites(ROOT, tested));
    return clientsFindings(JSON.parse(readFileSync(results, 'utf8')) as Counts, suites.length, surfaces);
  },
};

/** A skipped test counts like a failed one, because a client did not run. */
export function clientsFindings(counts: Counts, suites: number, surfaces: Readonly<Record<string, string>>): Findings {
  return {
    figures: [
      { title: 'passed tests', value: counts.numPassedTests, unit: '', at_least: 1 },
      { title: 'failed and skipped tests', value: counts.numTotalTests - counts.numPassedTests, unit: '', at_most: 0 },
      { title: 'suites that did not pass', value: suites - counts.numPassedTestSuites, unit: '', at_most: 0 },
    ],
    details: { surfaces },
  };
}

function runClients(results: string): Promise<void> {
  const child = spawn('npm', ['run', CLIENTS_TARGET, '--', '--json', `--outputFile=${results}`], {
    cwd: join(ROOT, 'test'),
    env: { ...process.env, [CLIENTS_VARIABLE]: 'all' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}
