import type { MultiServerMCPClient } from '@langchain/mcp-adapters';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { systemStack } from '../stack/system-stack.js';
import { Recipe } from './recipe.js';
import { signIn, statelessProvider } from './stateless-provider.js';
import { tokenFor } from './tokens.js';

interface Exports {
  withToken(token: string): MultiServerMCPClient;
  withProvider(
    provider: OAuthClientProvider,
    scope: string,
    signIn: () => Promise<string>,
  ): Promise<MultiServerMCPClient>;
  use(client: MultiServerMCPClient, name: string): Promise<unknown>;
}

describe('the LangChain MCP adapters, as their recipe configures them', () => {
  const { withToken, withProvider, use } = new Recipe('langchain', systemStack().sites[0]!.base_url).run<Exports>();

  it('calls a tool of a member with a token', async () => {
    const client = withToken(await tokenFor('member', 'openid account:read'));
    expect(JSON.stringify(await use(client, 'my_courses'))).toContain('knots-and-splices');
    await client.close();
  });

  it('calls a tool of an operator after a sign-in with a provider', async () => {
    const provider = statelessProvider();
    const client = await withProvider(provider, 'openid courses:read', () =>
      signIn(provider.authorizationUrl, 'owner'),
    );
    // Drafts have a state; the public list of courses shows none.
    expect(JSON.stringify(await use(client, 'list_courses'))).toMatch(/state[\\":]+(draft|published)/);
    await client.close();
  });
});
