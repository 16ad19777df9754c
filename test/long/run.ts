/**
 * `npm run test:long [-- <proof>… | --list]`: runs all proofs or the named ones; `--list` only writes the index.
 * `npm run test:long -- stress auth` runs one proof, `stress`, with the suites of the named packages.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CLIENTS_VARIABLE } from '../run/foreign-clients.ts';
import { committedFigures } from './comparison.ts';
import { PROOFS } from './proofs.ts';
import { runProofs } from './run-proofs.ts';

const root = join(import.meta.dirname, '../..');
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const known = PROOFS.map(({ name }) => name);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean', default: false } },
});
if (positionals[0] === 'stress' && positionals.length > 1)
  process.env['LYCEUM_TEST_PACKAGES'] = positionals.splice(1).join(',');
// No proof leaves suites out.
process.env[CLIENTS_VARIABLE] = 'all';
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown proof: ${unknown.join(', ')}. The proofs are ${known.join(', ')}.\n`);
  process.exit(2);
}

let interrupted = false;
// A running proof gets the signal too, and ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (interrupted = true));
const passed = await runProofs(PROOFS, values.list ? [] : positionals.length > 0 ? positionals : known, {
  directory: join(root, 'docs/proofs'),
  commit: git('rev-parse', 'HEAD'),
  modified: git('status', '--porcelain', '--', '.', ':!docs/proofs') !== '',
  say: (text) => process.stdout.write(text),
  committed: (proof) => committedFigures(root, proof),
  interrupted: () => interrupted,
});
process.exit(passed ? 0 : 1);
