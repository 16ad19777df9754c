import { approve } from '@lyceum/testing';
import { personOf, systemStack } from '../stack/system-stack.js';
import { type Command, Home } from './command.js';

const site = systemStack().sites[0]!;

describe('the MCP Inspector on the command line', () => {
  let home: Home;
  beforeEach(() => {
    home = new Home();
  });
  afterEach(async () => home.remove());

  function inspect(...args: string[]): Command {
    return home.start(
      'mcp-inspector',
      [
        '--cli',
        `${site.base_url}/mcp`,
        '--format',
        'json',
        '--callback-url',
        'http://127.0.0.1:0/oauth/callback',
        ...args,
      ],
      { MCP_INSPECTOR_SECRET_STORE: 'file', MCP_AUTO_OPEN_ENABLED: 'true' },
    );
  }

  async function result<Result>(command: Command): Promise<Result> {
    expect([await command.ended, command.stderr]).toEqual([0, expect.any(String)]);
    return (JSON.parse(command.stdout) as { result: Result }).result;
  }

  it.each(['legacy', 'auto', 'modern'])('lists public tools anonymously in the era %s', async (era) => {
    const { tools } = await result<{ tools: { name: string }[] }>(
      inspect('--method', 'tools/list', '--protocol-era', era),
    );
    expect(tools.map(({ name }) => name)).toContain('whoami');
  });

  it('registers, signs in at its loopback callback, and reuses its stored tokens', async () => {
    const call = ['--method', 'tools/call', '--tool-name', 'whoami'];
    const first = inspect(...call);
    const url = new URL(await first.printed(/Please navigate to: (\S+)/));
    expect(url.searchParams.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback$/);
    expect(url.searchParams.get('resource')).toBe(`${site.base_url}/mcp`);
    await fetch(await approve(url, personOf(site, 'owner')));
    expect(await result(first)).toMatchObject({ structuredContent: { member_id: expect.any(String) } });

    const second = inspect(...call, '--stored-auth-only');
    expect(await result(second)).toMatchObject({ structuredContent: { member_id: expect.any(String) } });
    expect(second.stderr).not.toContain('navigate');
  });
});
