import type { OAuth2Client, OAuth2Tokens } from 'arctic';
import { approve } from '@lyceum/testing';
import { Recipe } from './recipe.js';
import { isRefused, memberApplication, site, student, viewerEmail } from './web-application.js';

interface Arctic {
  schoolClient(clientId: string, redirectUri: string): OAuth2Client;
  authorization(client: OAuth2Client): { url: URL; state: string; verifier: string };
  tokens(client: OAuth2Client, code: string, verifier: string): Promise<OAuth2Tokens>;
  refreshed(client: OAuth2Client, refreshToken: string): Promise<OAuth2Tokens>;
  revoke(client: OAuth2Client, token: string): Promise<void>;
}

const redirectUri = 'http://127.0.0.1:7777/callback';
const recipe = new Recipe('arctic', site.base_url).run<Arctic>();

async function newClient(compatibility: boolean): Promise<OAuth2Client> {
  const options = { redirectUri, scope: 'openid account:read', isPublic: true, compatibility };
  return recipe.schoolClient((await memberApplication(options)).clientId, redirectUri);
}

async function signIn(client: OAuth2Client): Promise<OAuth2Tokens> {
  const { url, state, verifier } = recipe.authorization(client);
  const callback = await approve(url, student);
  expect(callback.searchParams.get('state')).toBe(state);
  return recipe.tokens(client, callback.searchParams.get('code') ?? '', verifier);
}

describe('arctic', () => {
  it('gets, refreshes and revokes tokens of a member', async () => {
    const client = await newClient(true);
    const tokens = await signIn(client);
    expect(await viewerEmail(tokens.accessToken())).toBe(student.email);
    const refreshed = await recipe.refreshed(client, tokens.refreshToken());
    expect(await viewerEmail(refreshed.accessToken())).toBe(student.email);
    await recipe.revoke(client, refreshed.accessToken());
    expect(await isRefused(refreshed.accessToken())).toBe(true);
  });

  it('gets the value of resource in the error when Compatibility is off', async () => {
    const client = await newClient(false);
    await expect(signIn(client)).rejects.toMatchObject({
      code: 'invalid_target',
      description: expect.stringContaining(`resource=${site.base_url}`) as string,
    });
  });
});
