import { createHash, randomBytes } from 'node:crypto';
import type { AccessToken, AuthorizationCode } from 'simple-oauth2';
import { approve } from '@lyceum/testing';
import { Recipe } from './recipe.js';
import { isRefused, memberApplication, site, student, viewerEmail } from './web-application.js';

interface SimpleOAuth2 {
  schoolClient(id: string, secret: string): AuthorizationCode;
  authorizationUrl(client: AuthorizationCode, redirectUri: string, state: string, challenge: string): string;
  tokens(client: AuthorizationCode, code: string, redirectUri: string, verifier: string): Promise<AccessToken>;
}

const redirectUri = 'http://127.0.0.1:7777/callback';
const recipe = new Recipe('simple-oauth2', site.base_url).run<SimpleOAuth2>();

describe('simple-oauth2', () => {
  it('gets, refreshes and revokes tokens of a member', async () => {
    const application = await memberApplication({ redirectUri, scope: 'openid account:read' });
    const client = recipe.schoolClient(application.clientId, application.clientSecret);
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const callback = await approve(recipe.authorizationUrl(client, redirectUri, 'a-state', challenge), student);
    expect(callback.searchParams.get('state')).toBe('a-state');
    const tokens = await recipe.tokens(client, callback.searchParams.get('code') ?? '', redirectUri, verifier);
    expect(await viewerEmail(String(tokens.token['access_token']))).toBe(student.email);

    const refreshed = await tokens.refresh();
    const accessToken = String(refreshed.token['access_token']);
    expect(await viewerEmail(accessToken)).toBe(student.email);

    await refreshed.revokeAll();
    expect(await isRefused(accessToken)).toBe(true);
  });
});
