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

let results: Results;
beforeAll(async () => {
  const output = join(directory, 'results.json');
  // Its stack ends with it.
  const ending = { signal: unfinished.signal, killSignal: 'SIGTERM' } as const;
  const given = [join(__dirname, 'bench.ts'), '--brief', '--also', 'uploads', '--also', 'orders', '--output', output];
  await promisify(execFile)(process.execPath, given, ending);
  results = JSON.parse(readFileSync(output, 'utf8')) as Results;
});

it('measures each main suite of `npm run bench` in brief', () => {
  const { rows } = results;
  const { suites } = readArguments(['--brief'], Object.keys(SUITES));
  expect(suites.length).toBeGreaterThan(3);
  expect([...new Set(rows.map(({ suite }) => suite))]).toEqual(suites);
});

it('measures uploads, and records, lists and exports of orders in brief', () => {
  const { quantities } = results;
  expect(quantities.filter(({ suite }) => suite === 'uploads').map(({ unit }) => unit)).toEqual(['×', '×', 'MB']);
  const titles = quantities.map(({ title }) => title);
  expect(titles.filter((title) => title.includes('recorded at once'))).toHaveLength(1);
  expect(titles.filter((title) => title.startsWith('p50 of list orders'))).toHaveLength(14);
  expect(titles.filter((title) => title.includes('export as CSV, 1,000 ÷ 10'))).toHaveLength(1);
  for (const { value } of quantities.filter(({ suite }) => suite === 'orders')) expect(value).toBeGreaterThan(0);
});
