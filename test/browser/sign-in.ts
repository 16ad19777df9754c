import { eventually } from '@lyceum/testing';
import type { Page } from 'playwright-core';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Types and clicks like a person on the sign-in page. */
export async function signIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/**
 * The redirect to an application that an action causes. No server needs to listen there: the page of the browser for
 * that error is a navigation too, and it would interrupt the next one.
 */
export async function redirected(page: Page, redirectUri: string, act: () => Promise<unknown>): Promise<URL> {
  const sentBack = page.waitForRequest((request) => request.url().startsWith(redirectUri));
  const [request] = await Promise.all([sentBack, act()]);
  await eventually(
    async () => page.url(),
    (url) => url.startsWith(redirectUri) || url.startsWith('chrome-error:'),
  );
  return new URL(request.url());
}

/**
 * Follows an authorization request through sign-in and consent. Returns the URL of the final redirect.
 * No server needs to listen there.
 */
export async function authorizeInBrowser(page: Page, url: URL, person: Credentials): Promise<URL> {
  const redirectUri = url.searchParams.get('redirect_uri') ?? '';
  await page.goto(url.href);
  return redirected(page, redirectUri, async () => {
    const sentBack = page.waitForRequest((request) => request.url().startsWith(redirectUri));
    await signIn(page, person);
    // A remembered approval skips the consent page.
    const allow = page.getByRole('button', { name: 'Allow', exact: true });
    await Promise.race([sentBack, allow.click().catch(() => undefined)]);
  });
}
