import type { Page } from 'playwright-core';
import { systemStack } from '../stack/system-stack.js';
import { launchChromium } from './chromium.js';
import { invited, mailedLink, PASSWORD } from './deployment.js';
import { signIn } from './sign-in.js';
import { useVisitor, visitor } from './visitor.js';

const ANOTHER = 'another-long-password';

describe('passwords without scripts', () => {
  const site = systemStack().sites[0]!;
  let page: Page;
  let email: string;
  let link: string;

  const visiting = useVisitor(site.base_url, { scripts: false }, async () => {
    ({ page } = visiting);
    ({ email, link } = await invited(site, 'student'));
  });

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
    await page.getByRole('link', { name: 'Continue to your account' }).click();
    await heading('Your account');
    await visiting.context.clearCookies();
    await page.goto(link);
    await heading('This link is no longer valid');
  });

  it('resets a password by a mailed link, which signs out everywhere', async () => {
    await page.goto('/account/sign-in');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await heading('Check your email');
    const mailed = await mailedLink(email, 'Reset your password');
    await page.goto(mailed);
    await setPassword(ANOTHER);
    await heading('Your password is set');
    await page.getByRole('link', { name: 'Continue to your account' }).click();
    await heading('Your account');
    await visiting.context.clearCookies();
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
    const elsewhere = await visitor(visiting.browser, site.base_url, { scripts: false });
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
    await heading('Your account');
    await page.getByRole('status').filter({ hasText: 'Your password is changed' }).waitFor();

    await elsewhere.page.goto('/account');
    await elsewhere.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(elsewhere.faults).toEqual([]);
    await elsewhere.context.close();
  });
});

it('shows and hides a password with scripts, and submits it as a password', async () => {
  const site = systemStack().sites[0]!;
  const browser = await launchChromium();
  try {
    const { page, faults } = await visitor(browser, site.base_url, { scripts: true });
    await page.goto('/account/sign-in');
    const password = page.getByLabel('Password');
    await page.waitForFunction("document.activeElement.id === 'email'");
    await password.fill('a secret');
    await page.getByRole('button', { name: 'Show password' }).click();
    expect(await password.getAttribute('type')).toBe('text');
    await page.getByRole('button', { name: 'Hide password' }).click();
    expect(await password.getAttribute('type')).toBe('password');
    expect(faults).toEqual([]);
  } finally {
    await browser.close();
  }
});
