import { approve } from '@lyceum/testing';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';
import { MemoryProvider } from './memory-provider.js';
import { Recipe } from './recipe.js';
import type { StatelessRecipe } from './stateless-provider.js';
import { signIn } from './stateless-provider.js';

const site = systemStack().sites[0]!;
/** An unknown notification: the call is authorized, and the tool finds nothing. */
const NOBODYS = '018f0000-0000-7000-8000-000000000000';

class Provider extends MemoryProvider<OAuthClientInformationMixed, OAuthTokens> {}

/** The 1.x client: starts with `initialize`, with one transport for each connection. */
async function connect(provider: Provider) {
  const transport = new StreamableHTTPClientTransport(new URL(`${site.base_url}/mcp`), { authProvider: provider });
  const client = new Client({ name: 'sdk-1', version: '1.0.0' });
  await client.connect(transport);
  return {
    client,
    call: (name: string, args = {}) => client.callTool({ name, arguments: args }),
    /** The person approves the request of the client. Returns its scopes. */
    response: async (role: string): Promise<string[]> => {
      const url = provider.authorizationUrl!;
      await transport.finishAuth((await approve(url, personOf(site, role))).searchParams.get('code')!);
      return url.searchParams.get('scope')!.split(' ').sort();
    },
  };
}

describe('the MCP SDK 1.x client', () => {
  it('lists anonymously, registers at the first 401, signs in and continues', async () => {
    const provider = new Provider();
    const { client, call, response } = await connect(provider);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('whoami');
    expect(provider.clientInformation()).toBeUndefined();

    await expect(call('whoami')).rejects.toThrow(UnauthorizedError);
    expect(provider.clientInformation()).toMatchObject({ client_id: expect.any(String) });
    expect(await response('owner')).toEqual(['openid']);
    expect((await call('whoami')).structuredContent).toMatchObject({ member_id: expect.any(String) });
    await client.close();
  });

  it('refreshes its tokens by itself when they stop working', async () => {
    const provider = new Provider({ client_id: clientOf(site, 'operator', 'public').client_id });
    const { client, call, response } = await connect(provider);
    await expect(call('list_courses')).rejects.toThrow(UnauthorizedError);
    expect(await response('owner')).toEqual(['courses:read']);
    const stale = provider.tokens()!;
    provider.saveTokens({ ...stale, access_token: 'forgotten' });
    expect((await call('list_courses')).isError ?? false).toBe(false);
    expect(provider.tokens()!.refresh_token).not.toBe(stale.refresh_token);
    await client.close();
  });

  // It handles a 403 by a refresh, which cannot widen a grant (RFC 6749 §6), and gives up. 2.x asks the person again.
  it('fails at a 403 while it has a refresh token, and steps up without one', async () => {
    const provider = new Provider({ client_id: clientOf(site, 'member', 'public').client_id });
    const { client, call, response } = await connect(provider);
    await expect(call('my_notifications')).rejects.toThrow(UnauthorizedError);
    expect(await response('student')).toEqual(['account:read']);
    expect((await call('my_notifications')).isError ?? false).toBe(false);

    await expect(call('mark_notification_read', { notification_id: NOBODYS })).rejects.toThrow(
      '403 after trying upscoping',
    );
    const { access_token, token_type } = provider.tokens()!;
    provider.saveTokens({ access_token, token_type });
    const again = await connect(provider);
    await expect(again.call('mark_notification_read', { notification_id: NOBODYS })).rejects.toThrow(UnauthorizedError);
    expect(await again.response('student')).toEqual(['account:read', 'account:write']);
    const result = await again.call('mark_notification_read', { notification_id: NOBODYS });
    expect(JSON.stringify(result.content)).toContain('not_found');
    await client.close();
    await again.client.close();
  });
});

describe('the MCP SDK 1.x client of the recipe, whose provider has no state()', () => {
  it('registers, signs in and calls a tool', async () => {
    const { Provider, callTool } = new Recipe('mcp-sdk-1', site.base_url).run<StatelessRecipe>();
    const provider = new Provider();
    const result = await callTool(provider, 'whoami', (url) => signIn(url, 'owner'));
    expect(provider.authorizationUrl?.searchParams.has('state')).toBe(false);
    expect(result.structuredContent).toMatchObject({ member_id: expect.any(String) });
  });
});
