import type { Page } from 'playwright-core';
import { authorizationRequest } from '../clients/member-client.js';
import { sql } from '../discovery/walker.js';
import { command } from '../stack/auth-command.js';
import { clientOf, systemStack } from '../stack/system-stack.js';
import { mailedLink, newAddress, newPerson, PASSWORD } from './deployment.js';
import { authorizeInBrowser, redirected } from './sign-in.js';
import { useVisitor } from './visitor.js';

const CALLBACK = 'http://127.0.0.1:7777/callback';

describe('sign-up without scripts', () => {
  const email = newAddress();
  // The discovery suites check the documents of the other site.
  const site = systemStack().sites[1]!;
  let page: Page;
  let authorization: string;

  const visiting = useVisitor(
    async () => {
      await command('site', 'sign-up', '--site', site.base_url);
      // `sign-in-links` is a command of the same kind.
      await sql(`UPDATE sites SET settings = settings || '{"sign_in_links": true}' WHERE site_id = $1`, site.site_id);
      const { client_id } = clientOf(site, 'member', 'public');
      authorization = (await authorizationRequest(site.base_url, { client_id }, 'openid email account:read')).url.href;
      return site.base_url;
    },
    { scripts: false, elsewhere: CALLBACK },
    async () => {
      ({ page } = visiting);
      // Replicas keep the settings of a site for some seconds.
      const link = page.getByRole('link', { name: 'Create an account' });
      do await page.goto('/account/sign-in');
      while ((await link.count()) === 0);
    },
  );

  const heading = (name: string | RegExp): Promise<void> =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const requestLink = async (address = email): Promise<void> => {
    await page.getByLabel('Email address').fill(address);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await heading('Check your email');
  };
  /** Allows the application, and returns the parameters of the redirect. */
  const allow = async (): Promise<URLSearchParams> => {
    await heading(/^Allow .+ at /);
    const click = () => page.getByRole('button', { name: 'Allow', exact: true }).click();
    return (await redirected(page, CALLBACK, click)).searchParams;
  };

  it('creates an account from an authorization request, and continues it', async () => {
    await page.goto(authorization);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await heading('Create an account');
    await requestLink();
    await page.goto(await mailedLink(email, 'Create your account'));
    await heading('Create your account');
    await page.getByLabel('Name').fill('Zoë Walker');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    expect((await allow()).has('code')).toBe(true);
    await page.goto('/account');
    expect(await page.getByRole('main').innerText()).toContain(email);
  });

  it('signs in by a link, and continues the authorization', async () => {
    await visiting.context.clearCookies();
    await page.goto(authorization);
    await page.getByRole('link', { name: 'Email me a sign-in link' }).click();
    await heading('Sign in by email');
    await requestLink();
    await page.goto(await mailedLink(email, 'Sign in'));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    expect((await allow()).has('code')).toBe(true);
  });

  it('returns by a sign-in link to an application that the person has allowed before', async () => {
    await visiting.context.clearCookies();
    const person = await newPerson(site, 'student');
    const { client_id, client_secret = '' } = clientOf(site, 'member', 'confidential');
    const { url } = await authorizationRequest(site.base_url, { client_id, client_secret }, 'openid email');
    expect((await authorizeInBrowser(page, url, person)).searchParams.has('code')).toBe(true);
    await visiting.context.clearCookies();
    await page.goto(url.href);
    await page.getByRole('link', { name: 'Email me a sign-in link' }).click();
    await heading('Sign in by email');
    await requestLink(person.email);
    await page.goto(await mailedLink(person.email, 'Sign in'));
    const press = () => page.getByRole('button', { name: 'Sign in', exact: true }).click();
    expect((await redirected(page, CALLBACK, press)).searchParams.has('code')).toBe(true);
  });

  it('says that an account exists only in the email', async () => {
    await visiting.context.clearCookies();
    await page.goto('/account/sign-up');
    await requestLink();
    expect(await page.getByRole('main').innerText()).not.toContain('already');
    expect(await mailedLink(email, 'Forgot your password')).toContain('/account/password');
  });
});
