import type { OAuthClientProvider } from '@ai-sdk/mcp';
import { systemStack } from '../stack/system-stack.js';
import { Recipe } from './recipe.js';
import { callbackOf, statelessProvider } from './stateless-provider.js';
import { tokenFor } from './tokens.js';

type Execute = (args: object, options: { toolCallId: string; messages: [] }) => Promise<unknown>;
interface Exports {
  schoolTools(options: { token?: string; authProvider?: OAuthClientProvider }): Promise<{
    tools: Readonly<Record<string, { execute: Execute }>>;
    close(): Promise<void>;
  }>;
  signInWith(provider: OAuthClientProvider, scope: string, signIn: () => Promise<URLSearchParams>): Promise<void>;
}

describe('@ai-sdk/mcp, as its recipe configures it', () => {
  const { schoolTools, signInWith } = new Recipe('ai-sdk', systemStack().sites[0]!.base_url).run<Exports>();

  async function call(options: Parameters<typeof schoolTools>[0], name: string, args: object): Promise<string> {
    const { tools, close } = await schoolTools(options);
    try {
      return JSON.stringify(await tools[name]?.execute(args, { toolCallId: '1', messages: [] }));
    } finally {
      await close();
    }
  }

  it('calls a public tool without a token', async () => {
    expect(await call({}, 'browse_catalog', { q: 'knots' })).toContain('knots-and-splices');
  });

  it('calls a tool of a member with a token', async () => {
    const token = await tokenFor('member', 'openid account:read');
    expect(await call({ token }, 'my_courses', {})).toContain('knots-and-splices');
  });

  it('calls a tool of an operator after a sign-in with a provider', async () => {
    const authProvider = statelessProvider();
    await signInWith(authProvider, 'openid courses:read', () => callbackOf(authProvider.authorizationUrl, 'owner'));
    expect(await call({ authProvider }, 'list_courses', { q: 'knots' })).toContain('knots-and-splices');
  });
});
