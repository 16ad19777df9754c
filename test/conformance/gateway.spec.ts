import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Home } from '../clients/command.js';
import { EXPECTED_FAILURES } from './expected-failures.js';
import { GatewaySource } from './gateway-source.js';

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED';
}

/** An extension that the gateway does not announce; the suite runs it all the same, and does not score it. */
const NOT_OURS = /^tasks-/;

const expected = EXPECTED_FAILURES.flatMap(({ checks }) => checks.trim().split(/\s+/));

describe('the server scenarios of the MCP conformance suite, against the running gateway', () => {
  const home = new Home();
  const source = new GatewaySource();
  beforeAll(async () => source.start());
  afterAll(async () => Promise.all([home.remove(), source.stop()]));

  it.each([
    ['2026-07-28', 80],
    ['2025-11-25', 25],
  ])(
    'fail only where they must, in the requirements of %s',
    async (revision, least) => {
      const results = join(home.path, revision);
      const options = ['--requirements', revision, '--timeout', '10000', '--output-dir', results];
      const suite = home.start('conformance', ['server', '--url', `${source.url}/mcp`, ...options]);
      await suite.ended;
      const checks = readdirSync(results).flatMap((directory) => {
        const [, scenario = ''] = /^server-(.+)-\d{4}-\d{2}-\d{2}T/.exec(directory) ?? [];
        const found = JSON.parse(readFileSync(join(results, directory, 'checks.json'), 'utf8')) as Check[];
        return found.map(({ id, status }) => ({ scenario, name: `${scenario}:${id}`, status }));
      });
      const ours = checks.filter(({ scenario }) => !NOT_OURS.test(scenario));
      const failed = new Set(ours.filter(({ status }) => status === 'FAILURE').map(({ name }) => name));
      const run = new Set(ours.map(({ scenario }) => scenario));
      const foreseen = expected.filter((name) => run.has(name.split(':')[0]!));
      expect([...failed].sort()).toEqual(foreseen.sort());
      expect(ours.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThanOrEqual(least);
    },
    30_000,
  );
});
