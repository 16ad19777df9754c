import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@lyceum/testing';
import * as oidc from 'openid-client';
import type { Page } from 'playwright-core';
import { type AuthorizationRequest, authorizationRequest, exchange } from '../clients/member-client.js';
import { send } from '../clients/http.js';
import { clientOf, systemStack } from '../stack/system-stack.js';
import { newPerson } from './deployment.js';
import { authorizeInBrowser, type Credentials, redirected, signIn } from './sign-in.js';
import { useVisitor, visitor } from './visitor.js';

const CALLBACK = 'http://127.0.0.1:7777/callback';

/** A server of an application, at an origin of its own. */
async function listening(respond: RequestListener): Promise<{ readonly server: Server; readonly origin: string }> {
  const server = createServer(respond);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('an account without scripts', () => {
  const site = systemStack().sites[0]!;
  const client = clientOf(site, 'member', 'public');
  let page: Page;
  let person: Credentials;

  const visiting = useVisitor(site.base_url, { scripts: false, elsewhere: CALLBACK }, async () => {
    ({ page } = visiting);
    person = await newPerson(site, 'student');
  });

  const request = (scope: string): Promise<AuthorizationRequest> => authorizationRequest(site.base_url, client, scope);
  const heading = (name: string | RegExp): Promise<void> => page.getByRole('heading', { level: 1, name }).waitFor();
  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  const userInfo = async (token: string): Promise<number> =>
    (await send(`${site.base_url}/api/oauth/userinfo`, { token })).status;
  const dead = (token: string): Promise<number> =>
    eventually(
      () => userInfo(token),
      (status) => status === 401,
    );

  it('shows an error for a wrong password, and lets the person deny', async () => {
    const authorization = await request('openid account:read');
    await page.goto(authorization.url.href);
    await signIn(page, { ...person, password: 'not-the-password' });
    await page.getByRole('alert').filter({ hasText: 'is wrong' }).waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe(person.email);
    await signIn(page, person);
    await heading(`Allow Demo member app at ${site.name}?`);
    const { searchParams } = await redirected(page, CALLBACK, () => press('Do not allow'));
    expect(searchParams.get('error')).toBe('access_denied');
    expect(searchParams.get('iss')).toBe(site.base_url);
  });

  it('shows at consent the site, the client, the way back, and a row that unfolds without scripts', async () => {
    const tab = await visiting.context.newPage();
    await tab.goto((await request('openid account:read account:write')).url.href);
    const text = await tab.getByRole('main').innerText();
    const parts = ['Demo member app', site.name, 'an app on this computer', person.email, 'your roles here'];
    for (const part of parts) expect(text).toContain(part);
    const row = tab.locator('summary', { hasText: 'Your account' });
    expect(await row.locator('.badge').allInnerTexts()).toEqual(['View', 'Edit']);
    const words = tab.locator('details').getByRole('listitem');
    expect(await words.first().isVisible()).toBe(false);
    await row.click();
    expect(await words.allInnerTexts()).toEqual([
      expect.stringMatching(/^see your name/),
      expect.stringMatching(/^mark your notifications/),
    ]);
    await tab.close();
  });

  it('lists an approved application at the account, and revokes its token when disconnected', async () => {
    const authorization = await request('openid account:read');
    const tab = await visiting.context.newPage();
    await tab.goto(authorization.url.href);
    const allow = tab.getByRole('button', { name: 'Allow', exact: true });
    const tokens = await exchange(authorization, await redirected(tab, CALLBACK, () => allow.click()));
    await tab.close();
    expect(await userInfo(tokens.access_token)).toBe(200);

    page = await visiting.context.newPage();
    await page.goto('/account');
    await heading('Your account');
    await press('Disconnect Demo member app');
    await heading('Disconnect Demo member app?');
    await press('Disconnect');
    await page.getByRole('status').filter({ hasText: 'Demo member app is disconnected.' }).waitFor();
    await page.getByText('No applications. One').waitFor();
    await dead(tokens.access_token);
    await expect(oidc.refreshTokenGrant(authorization.configuration, tokens.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('redirects to the application with one code after a double click on Allow', async () => {
    const seen: string[] = [];
    const { server, origin } = await listening(({ url = '' }, response) => {
      if (url.startsWith('/callback')) seen.push(url);
      response.setHeader('content-type', 'text/html').end('<title>Back</title><h1>Back at the application</h1>');
    });
    const authorization = await request('openid account:read');
    authorization.url.searchParams.set('redirect_uri', `${origin}/callback`);
    const clicking = await visitor(visiting.browser, site.base_url, { scripts: true, elsewhere: origin });
    await clicking.page.goto(authorization.url.href);
    await signIn(clicking.page, person);
    await clicking.page.getByRole('button', { name: 'Allow', exact: true }).dblclick();
    await clicking.page.getByRole('heading', { name: 'Back at the application' }).waitFor();
    expect(new Set(seen).size).toBe(1);
    const tokens = await exchange(authorization, new URL(seen[0]!, origin));
    expect(await userInfo(tokens.access_token)).toBe(200);
    await clicking.page.goto('/account');
    await clicking.page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    expect(clicking.faults).toEqual([]);
    await clicking.context.close();
    server.close();
  });

  it('returns to an application whose callback redirects to another origin', async () => {
    const home = await listening((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<title>Home</title><h1>Home of the application</h1>');
    });
    const callback = await listening((_request, response) => response.writeHead(302, { location: home.origin }).end());
    const authorization = await request('openid account:read');
    authorization.url.searchParams.set('redirect_uri', `${callback.origin}/callback`);
    const options = { scripts: true, elsewhere: 'http://127.0.0.1:' };
    const returning = await visitor(visiting.browser, site.base_url, options);
    await returning.page.goto(authorization.url.href);
    await signIn(returning.page, person);
    await returning.page.getByRole('button', { name: 'Allow', exact: true }).click();
    await returning.page.getByRole('heading', { name: 'Home of the application' }).waitFor();
    expect(returning.faults).toEqual([]);
    await returning.context.close();
    for (const { server } of [home, callback]) server.close();
  });

  it('signs out everywhere: revokes tokens and asks for the password again', async () => {
    const authorization = await request('openid account:read');
    const elsewhere = await visitor(visiting.browser, site.base_url, { scripts: false, elsewhere: CALLBACK });
    const tokens = await exchange(authorization, await authorizeInBrowser(elsewhere.page, authorization.url, person));
    expect(await userInfo(tokens.access_token)).toBe(200);

    await page.goto('/account');
    await press('Sign out everywhere, and disconnect all applications');
    await heading('Sign out everywhere?');
    await press('Sign out everywhere');
    await heading('Sign in');
    await dead(tokens.access_token);
    for (const where of [page, await elsewhere.context.newPage()]) {
      await where.goto('/account');
      await where.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    }
    expect(elsewhere.faults).toEqual([]);
    await elsewhere.context.close();
  });

  it('signs out of another browser and of this one', async () => {
    const elsewhere = await visitor(visiting.browser, site.base_url, { scripts: false });
    await elsewhere.page.goto('/account');
    await signIn(elsewhere.page, person);
    await elsewhere.page.getByRole('heading', { name: 'Your account' }).waitFor();

    await page.goto('/account');
    await signIn(page, person);
    const other = page.locator('.item', { has: page.getByRole('heading', { name: 'Chrome on Linux' }) });
    await other.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'That browser is signed out.' }).waitFor();
    expect(await other.count()).toBe(0);
    await heading('Your account');
    await elsewhere.page.goto('/account');
    await elsewhere.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(elsewhere.faults).toEqual([]);
    await elsewhere.context.close();

    await press('Sign out');
    await heading('Sign in');
    await page.getByRole('status').filter({ hasText: 'You are signed out.' }).waitFor();
    await page.goto('/account');
    await heading('Sign in');
  });
});
