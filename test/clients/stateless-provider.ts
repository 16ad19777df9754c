import { approve } from '@lyceum/testing';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { personOf, systemStack } from '../stack/system-stack.js';
import { Recipe } from './recipe.js';

const site = systemStack().sites[0]!;

type Provider = OAuthClientProvider & { readonly redirectUrl: string; readonly authorizationUrl?: URL };

/** The exports of the recipe of the MCP SDK 1.x. */
export interface StatelessRecipe {
  readonly Provider: new () => Provider;
  callTool(
    provider: Provider,
    name: string,
    signIn: (url?: URL) => Promise<string>,
  ): Promise<{ structuredContent?: unknown }>;
}

/** The provider of that recipe: it registers itself, and has no `state()`. */
export function statelessProvider(): Provider {
  return new (new Recipe('mcp-sdk-1', site.base_url).run<StatelessRecipe>().Provider)();
}

/** Signs in at the authorization URL and approves. Returns the parameters of the callback. */
export async function callbackOf(url: URL | undefined, role: string): Promise<URLSearchParams> {
  if (url === undefined) throw new Error('The client has not asked for an authorization');
  return (await approve(url, personOf(site, role))).searchParams;
}

export async function signIn(url: URL | undefined, role: string): Promise<string> {
  return (await callbackOf(url, role)).get('code') ?? '';
}
