import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@lyceum/local';
import { approve } from '@lyceum/testing';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';
import { Home } from '../clients/command.js';

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED';
  readonly errorMessage?: string;
}

const site = systemStack().sites[0]!;

describe('the authorization scenarios of the MCP conformance suite', () => {
  let home: Home;
  beforeEach(() => {
    home = new Home();
  });
  afterEach(async () => home.remove());

  /** The exit code of the suite, and the checks of all scenarios by name. */
  async function run(browse: (url: URL) => URL): Promise<{ code: number | null; checks: ReadonlyMap<string, Check> }> {
    const results = join(home.path, 'results');
    const { client_id } = clientOf(site, 'operator', 'public');
    // The command does not print its port, so the test chooses one.
    const options = ['--client-id', client_id, '--resource', site.base_url, '--port', String(await freePort())];
    const suite = home.start('conformance', [
      'authorization',
      '--url',
      site.base_url,
      ...options,
      '--output-dir',
      results,
    ]);
    const url = browse(new URL(await suite.printed(/^(http\S+\/oauth\/authorize\S+)$/m)));
    await suite.printed(/Callback server started/);
    await fetch(await approve(url, personOf(site, 'owner')));
    const code = await suite.ended;
    const checks = readdirSync(results).flatMap(
      (scenario) => JSON.parse(readFileSync(join(results, scenario, 'checks.json'), 'utf8')) as Check[],
    );
    return { code, checks: new Map(checks.map((check) => [check.id, check])) };
  }

  it('passes the authorization scenarios with a scope in the request', async () => {
    const { code, checks } = await run((url) => {
      url.searchParams.set('scope', 'openid courses:read');
      return url;
    });
    expect(checks.get('authorization-server-metadata')?.status).toBe('SUCCESS');
    expect(checks.get('authorization-code-grant')).toMatchObject({ status: 'SUCCESS' });
    expect([...checks.values()].filter(({ status }) => status === 'FAILURE' || status === 'SKIPPED')).toEqual([]);
    expect(code).toBe(0);
  });

  // The suite sends no scope. Lyceum requires one (RFC 6749 §3.3: a default, or invalid_scope): a person
  // never approves what the application did not name.
  it('fails the authorization scenarios without a scope, with the error in the redirect', async () => {
    const { checks } = await run((url) => url);
    expect(checks.get('authorization-code-grant')).toMatchObject({
      status: 'FAILURE',
      errorMessage: expect.stringContaining('invalid_scope'),
    });
  });
});
