import { McpSource, runConformance } from '@lyceum/testing';
import { systemStack } from '../stack/system-stack.js';
import { EXPECTED_FAILURES } from './expected-failures.js';

describe('the server scenarios of the MCP conformance suite, against the running gateway', () => {
  const { sites, services } = systemStack();
  const gateway = services.find(({ name }) => name === 'mcp-gateway')!.internal_url;
  const source = new McpSource({ gateway, host: new URL(sites[0]!.base_url).host });
  beforeAll(async () => source.start());
  afterAll(async () => source.stop());

  it.each([
    ['2026-07-28', 80],
    ['2025-11-25', 25],
  ])(
    'fail only where they must, in the requirements of %s',
    async (revision, least) => {
      const { failed, foreseen, passed } = await runConformance(`${source.url}/mcp`, revision, EXPECTED_FAILURES);
      expect(failed).toEqual(foreseen);
      expect(passed).toBeGreaterThanOrEqual(least);
    },
    30_000,
  );
});
