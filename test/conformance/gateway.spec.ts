import { runConformance } from '@lyceum/testing';
import { systemStack } from '../stack/system-stack.js';
import { EXPECTED_FAILURES } from './expected-failures.js';

describe('the server scenarios of the MCP conformance suite, straight and without a token', () => {
  const [site] = systemStack().sites;

  it.each([
    ['2026-07-28', 80],
    ['2025-11-25', 25],
  ])('fails only the expected server scenarios, in the requirements of %s', async (revision, least) => {
    const { failed, foreseen, passed } = await runConformance(`${site!.base_url}/mcp`, revision, EXPECTED_FAILURES);
    expect(failed).toEqual(foreseen);
    expect(passed).toBeGreaterThanOrEqual(least);
  });
});
