import { join } from 'node:path';
import { readFileSync, readdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { AUTH_ENVIRONMENT } from '../discovery/walker.js';
import { eventually } from '../eventually.js';
import { systemStack } from '../stack/system-stack.js';
import { launchChromium } from './chromium.js';
import { invited, PASSWORD } from './deployment.js';
import { signIn } from './sign-in.js';
import { type Visitor, visitor } from './visitor.js';

const MAILS = AUTH_ENVIRONMENT['MAIL_DIRECTORY']!;
const ANOTHER = 'another-long-password';

/** The mailed password-reset link. */
async function mailedLink(email: string): Promise<string> {
  const links = () =>
    readdirSync(MAILS)
      .filter((name) => name.endsWith('.eml'))
      .map((name) => readFileSync(join(MAILS, name), 'utf8'))
      .filter((mail) => mail.includes(`To: ${email}`))
      .flatMap((mail) => /Reset your password[^]*?(http\S+)/.exec(mail)?.[1] ?? []);
  const found = await eventually(
    async () => links(),
    (some) => some.length > 0,
  );
  return found[0]!;
}

describe('passwords without scripts', () => {
  const site = systemStack().sites[0]!;
  let browser: Browser;
  let visiting: Visitor;
  let page: Page;
  let email: string;
  let link: string;

  beforeAll(async () => {
    browser = await launchChromium();
    visiting = await visitor(browser, site.base_url, { scripts: false });
    ({ page } = visiting);
    ({ email, link } = await invited(site, 'student'));
  }, 120_000);
  afterAll(async () => browser.close());
  afterEach(() => expect(visiting.faults.splice(0)).toEqual([]));

  const heading = (name: string): Promise<void> => page.getByRole('heading', { level: 1, name }).waitFor();
  const setPassword = async (password: string): Promise<void> => {
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Set password' }).click();
  };

  it('sets a password once by the link of an invitation, which leads to the account', async () => {
    await page.goto(link);
    expect(await page.getByRole('main').innerText()).toContain(email);
    await setPassword(PASSWORD);
    await heading('Your password is set');
    await page.getByRole('link', { name: 'your account' }).click();
    await signIn(page, { email, password: PASSWORD });
    await heading('Your account');
    await page.goto(link);
    await heading('This link is no longer valid');
  });

  it('resets a password by a mailed link, which signs out everywhere', async () => {
    await page.goto('/account/sign-in');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await heading('Check your email');
    const mailed = await mailedLink(email);
    await page.goto(mailed);
    await setPassword(ANOTHER);
    await heading('Your password is set');
    await page.goto('/account');
    await heading('Sign in');
    await signIn(page, { email, password: PASSWORD });
    expect(await page.getByRole('alert').innerText()).toContain('is wrong');
    await signIn(page, { email, password: ANOTHER });
    await heading('Your account');
    await page.goto(mailed);
    await heading('This link is no longer valid');
  });

  it('changes a password at the account, which signs out other browsers', async () => {
    const elsewhere = await visitor(browser, site.base_url, { scripts: false });
    await elsewhere.page.goto('/account');
    await signIn(elsewhere.page, { email, password: ANOTHER });
    await elsewhere.page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();

    await page.goto('/account');
    await page.getByRole('link', { name: 'Change your password' }).click();
    const change = async (current: string): Promise<void> => {
      await page.getByLabel('Current password').fill(current);
      await page.getByLabel('New password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await change('not-the-password');
    expect(await page.getByRole('alert').innerText()).toContain('current password is wrong');
    await change(ANOTHER);
    await heading('Your password is changed');
    await page.getByRole('link', { name: 'Continue to your account' }).click();
    await heading('Your account');

    await elsewhere.page.goto('/account');
    await elsewhere.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(elsewhere.faults).toEqual([]);
    await elsewhere.context.close();
  });
});
