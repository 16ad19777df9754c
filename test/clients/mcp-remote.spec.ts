import { freePort } from '@lyceum/local';
import { approve } from '@lyceum/testing';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';
import { type Command, Home } from './command.js';
import { Recipe } from './recipe.js';

const site = systemStack().sites[0]!;
const AUTHORIZATION_URL = /Please authorize this client by visiting:\s+(\S+)/;

/**
 * The proxy derives a port from the address, prints the authorization URL with it, and listens afterwards. When another
 * program has this port, the proxy listens at the next one, and the browser gets a 404 from the other program. With a
 * port in its arguments, the proxy uses no other.
 */
const callbackPort = async (): Promise<string> => String(await freePort());

/** The messages that a desktop application sends to the proxy. */
class StdioHost {
  private serial = 0;
  constructor(private readonly proxy: Command) {}

  async request<Result = Record<string, unknown>>(method: string, params: object = {}): Promise<Result> {
    const id = (this.serial += 1);
    this.proxy.write({ jsonrpc: '2.0', id, method, params });
    return this.response<Result>(id);
  }

  async response<Result>(id: number): Promise<Result> {
    const line = await this.proxy.printed(new RegExp(`^(\\{.*"id":${id}\\b.*\\})$`, 'm'));
    return (JSON.parse(line) as { result: Result }).result;
  }

  async initialize(): Promise<void> {
    await this.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'desktop', version: '1' },
    });
    this.proxy.write({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  call(name: string): Promise<{ isError?: boolean; structuredContent: Record<string, unknown> }> {
    return this.request('tools/call', { name, arguments: {} });
  }
}

describe('mcp-remote, the proxy of desktop applications', () => {
  let home: Home;
  beforeEach(() => {
    home = new Home();
  });
  afterEach(async () => home.remove());

  /** The person approves; the browser then calls the callback server of the proxy. */
  async function signIn(proxy: Command, role: string): Promise<URL> {
    const url = new URL(await proxy.printed(AUTHORIZATION_URL));
    await proxy.printed(/OAuth callback server running/);
    const page = await fetch(await approve(url, personOf(site, role)));
    expect(page.status).toBe(200);
    return url;
  }

  it('registers with a localhost callback, signs in when a tool needs it, and reuses its tokens', async () => {
    const configuration = new Recipe('claude-desktop', site.base_url).block('json');
    const { mcpServers } = JSON.parse(configuration) as { mcpServers: { school: { args: string[] } } };
    const [yes, name, url, ...options] = mcpServers.school.args;
    expect([yes, name, url]).toEqual(['-y', 'mcp-remote', `${site.base_url}/mcp`]);
    const port = await callbackPort();
    const args = [`${site.base_url}/mcp`, port, ...options];
    const proxy = home.start('mcp-remote', args);
    const host = new StdioHost(proxy);
    await host.initialize();
    const { tools } = await host.request<{ tools: { name: string }[] }>('tools/list');
    expect(tools.map(({ name }) => name)).toContain('whoami');
    expect(proxy.stderr).not.toMatch(AUTHORIZATION_URL);

    const call = host.call('whoami');
    const { searchParams } = await signIn(proxy, 'owner');
    expect(searchParams.get('redirect_uri')).toBe(`http://localhost:${port}/oauth/callback`);
    expect(searchParams.get('resource')).toBe(`${site.base_url}/mcp`);
    expect(searchParams.get('scope')).toBe('openid');
    expect((await call).structuredContent).toMatchObject({ member_id: expect.any(String) });
    await proxy.kill();

    const later = home.start('mcp-remote', args);
    const again = new StdioHost(later);
    await again.initialize();
    expect((await again.call('whoami')).structuredContent).toMatchObject({ member_id: expect.any(String) });
    expect(later.stderr).not.toMatch(AUTHORIZATION_URL);
  });

  it('sends the resource with a slash, and gets a token for every surface', async () => {
    const { client_id } = clientOf(site, 'member', 'public');
    const options = ['--transport', 'http-only', '--resource', `${site.base_url}/`, '--host', '127.0.0.1'];
    const client = ['--callback-path', '/callback', '--static-oauth-client-info', JSON.stringify({ client_id })];
    const proxy = home.start('mcp-remote', [`${site.base_url}/mcp`, await callbackPort(), ...options, ...client]);
    const host = new StdioHost(proxy);
    await host.initialize();
    const call = host.call('my_courses');
    const { searchParams } = await signIn(proxy, 'student');
    expect(searchParams.get('resource')).toBe(`${site.base_url}/`);
    expect(searchParams.get('client_id')).toBe(client_id);
    expect((await call).structuredContent).toMatchObject({ items: expect.any(Array) });
  });
});
