import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readArguments } from './arguments.ts';
import type { Results } from './report.ts';
import { SUITES } from './suites/suites.ts';

// A stack, the baselines and the generators of load start one after the other.
jest.setTimeout(600_000);

const directory = mkdtempSync(join(tmpdir(), 'lyceum-brief-'));
const unfinished = new AbortController();
afterAll(() => {
  unfinished.abort();
  rmSync(directory, { recursive: true });
});

it('measures each main suite of `npm run bench` in brief', async () => {
  const output = join(directory, 'results.json');
  // Its stack ends with it.
  const ending = { signal: unfinished.signal, killSignal: 'SIGTERM' } as const;
  await promisify(execFile)(process.execPath, [join(__dirname, 'bench.ts'), '--brief', '--output', output], ending);
  const { rows } = JSON.parse(readFileSync(output, 'utf8')) as Results;
  const { suites } = readArguments(['--brief'], Object.keys(SUITES));
  expect(suites.length).toBeGreaterThan(3);
  expect([...new Set(rows.map(({ suite }) => suite))]).toEqual(suites);
});
