import * as oidc from 'openid-client';
import type { Browser, Page } from 'playwright-core';
import { type AuthorizationRequest, authorizationRequest, exchange } from '../clients/member-client.js';
import { send } from '../clients/http.js';
import { eventually } from '../eventually.js';
import { clientOf, systemStack } from '../stack/system-stack.js';
import { launchChromium } from './chromium.js';
import { newPerson } from './deployment.js';
import { authorizeInBrowser, type Credentials, signIn } from './sign-in.js';
import { type Visitor, visitor } from './visitor.js';

const CALLBACK = 'http://127.0.0.1:7777/callback';

describe('an account without scripts', () => {
  const site = systemStack().sites[0]!;
  const client = clientOf(site, 'member', 'public');
  let browser: Browser;
  let visiting: Visitor;
  let page: Page;
  let person: Credentials;

  beforeAll(async () => {
    browser = await launchChromium();
    visiting = await visitor(browser, site.base_url, { scripts: false, elsewhere: CALLBACK });
    ({ page } = visiting);
    person = await newPerson(page, site, 'student');
  });
  afterAll(async () => browser.close());
  afterEach(() => expect(visiting.faults.splice(0)).toEqual([]));

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
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(person.email);
    await signIn(page, person);
    await heading(`Allow Demo member app at ${site.name}?`);
    const sentBack = page.waitForRequest((sent) => sent.url().startsWith(CALLBACK));
    await press('Do not allow');
    const { searchParams } = new URL((await sentBack).url());
    expect(searchParams.get('error')).toBe('access_denied');
    expect(searchParams.get('iss')).toBe(site.base_url);
  });

  it('shows at consent the site, the client, the redirect, and the reads and writes', async () => {
    const tab = await visiting.context.newPage();
    await tab.goto((await request('openid account:read account:write')).url.href);
    const text = await tab.getByRole('main').innerText();
    for (const part of ['Demo member app', site.name, '127.0.0.1:7777', person.email]) expect(text).toContain(part);
    const below = (title: string): Promise<string[]> =>
      tab
        .locator('section', { has: tab.getByRole('heading', { name: title }) })
        .getByRole('listitem')
        .allInnerTexts();
    expect(await below('Read')).toEqual([
      expect.stringMatching(/^confirm/),
      expect.stringMatching(/^see your account/),
    ]);
    expect(await below('Change')).toEqual([expect.stringMatching(/^mark your notifications/)]);
    await tab.close();
  });

  it('lists an approved application at the account, and revokes its token when disconnected', async () => {
    const authorization = await request('openid account:read');
    const tab = await visiting.context.newPage();
    const sentBack = tab.waitForRequest((sent) => sent.url().startsWith(CALLBACK));
    await tab.goto(authorization.url.href);
    await tab.getByRole('button', { name: 'Allow', exact: true }).click();
    const tokens = await exchange(authorization, new URL((await sentBack).url()));
    await tab.close();
    expect(await userInfo(tokens.access_token)).toBe(200);

    page = await visiting.context.newPage();
    await page.goto('/account');
    await heading('Your account');
    await press('Disconnect Demo member app');
    await page.getByText('None. An application').waitFor();
    await dead(tokens.access_token);
    await expect(oidc.refreshTokenGrant(authorization.configuration, tokens.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('signs out everywhere: revokes tokens and asks for the password again', async () => {
    const authorization = await request('openid account:read');
    const elsewhere = await visitor(browser, site.base_url, { scripts: false, elsewhere: CALLBACK });
    const tokens = await exchange(authorization, await authorizeInBrowser(elsewhere.page, authorization.url, person));
    expect(await userInfo(tokens.access_token)).toBe(200);

    await page.goto('/account');
    await press('Sign out everywhere, and disconnect all applications');
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
    const elsewhere = await visitor(browser, site.base_url, { scripts: false });
    await elsewhere.page.goto('/account');
    await signIn(elsewhere.page, person);
    await elsewhere.page.getByRole('heading', { name: 'Your account' }).waitFor();

    await page.goto('/account');
    await signIn(page, person);
    await page.getByRole('button', { name: /^Sign out of the browser of \d{4}-/ }).click();
    await page.getByRole('heading', { name: 'Another browser' }).waitFor({ state: 'detached' });
    await heading('Your account');
    await elsewhere.page.goto('/account');
    await elsewhere.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(elsewhere.faults).toEqual([]);
    await elsewhere.context.close();

    await press('Sign out of this browser');
    await heading('Sign in');
    await page.goto('/account');
    await heading('Sign in');
  });
});
