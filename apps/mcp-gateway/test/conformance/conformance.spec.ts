import { McpSource, runConformance } from '@lyceum/testing';
import { Gateway, SITE } from '../gateway.js';
import { EXPECTED_FAILURES } from './expected-failures.js';
import { InputTools } from './fixture.input.tools.js';
import { ConformanceContents } from './fixture.contents.js';
import { ConformanceTools } from './fixture.tools.js';

/** The suite runs on the loopback interface, with an `Origin` of it. */
const LOCAL_SITE = { ...SITE, host: '127.0.0.1:8080', base_url: 'http://127.0.0.1:8080' };

let gateway: Gateway;
let source: McpSource;

beforeAll(async () => {
  const capabilities = { 'admin-api': [ConformanceTools, InputTools, ConformanceContents] };
  gateway = await Gateway.start({ capabilities, site: LOCAL_SITE });
  source = await new McpSource({ gateway: gateway.url, host: LOCAL_SITE.host }).start();
});

afterAll(async () => {
  await source?.stop();
  await gateway?.close();
});

it.each([
  ['2026-07-28', 130],
  ['2025-11-25', 50],
])(
  'meets the requirements of %s with a fixture behind the gateway, except those of sessions',
  async (revision, least) => {
    const { failed, foreseen, passed } = await runConformance(`${source.url}/mcp`, revision, EXPECTED_FAILURES);
    expect(failed).toEqual(foreseen);
    expect(passed).toBeGreaterThanOrEqual(least);
  },
);
